import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A pending call; it is dropped when the timer is released.
@safe package final class LoopTimer {
    private let loop: EventLoop
    private let deadline: Int64
    private var body: (() -> Void)?
    private var event: OpaquePointer?

    init(milliseconds: Int64, on loop: EventLoop, _ body: @escaping () -> Void) throws(EventLoopError) {
        self.loop = loop
        self.body = body
        let (span, isTooLong) = max(milliseconds, 0).multipliedReportingOverflow(by: 1_000_000)
        let (time, isTooLate) = EventLoop.monotonicNanoseconds().addingReportingOverflow(span)
        deadline = isTooLong || isTooLate ? .max : time
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = event_new(loop.base.pointer, -1, 0, timeHasCome, context)
        guard unsafe event != nil, wait() else { throw .last("start a timer") }
    }

    deinit {
        if let event = unsafe event { unsafe event_free(event) }
    }

    /// Drops the call; may be called again.
    package func cancel() {
        loop.assertOnLoop()
        body = nil
        if let event = unsafe event { unsafe event_free(event) }
        unsafe event = nil
    }

    /// Waits for what is left until the deadline.
    private func wait() -> Bool {
        guard let event = unsafe event else { return false }
        let left = max(deadline - EventLoop.monotonicNanoseconds(), 0)
        var time = timeval(milliseconds: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
        return unsafe event_add(event, &time) == 0
    }

    fileprivate func fire() {
        // libevent's clock is coarse and read once in a turn, so it may be some milliseconds early.
        if EventLoop.monotonicNanoseconds() < deadline, wait() { return }
        // Taken out first: the body may release this timer.
        let body = body.take()
        body?()
    }
}

@available(*, unavailable)
extension LoopTimer: Sendable {}

private func timeHasCome(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<LoopTimer>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.fire() }
}

extension timeval {
    /// A span that libevent can add to its clock without overflow: at most about 31 years.
    init(milliseconds: Int64) {
        let bounded = min(max(milliseconds, 0), 1_000_000_000_000)
        self.init(tv_sec: Int(bounded / 1000), tv_usec: .init(bounded % 1000 * 1000))
    }
}

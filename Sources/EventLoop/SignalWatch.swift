import CLibevent

/// A watched signal; watching ends when this is released.
@safe package final class SignalWatch {
    private let body: () -> Void
    private let loop: EventLoop
    private var event: OpaquePointer?

    init(_ number: Int32, on loop: EventLoop, _ body: @escaping () -> Void) throws(EventLoopError) {
        self.loop = loop
        self.body = body
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe event = event_new(loop.base.pointer, number, Int16(EV_SIGNAL | EV_PERSIST), signalHasCome, context)
        guard let event = unsafe event, unsafe event_add(event, nil) == 0 else {
            throw .last("watch signal \(number)")
        }
    }

    deinit {
        if let event = unsafe event { unsafe event_free(event) }
    }

    fileprivate func call() {
        let body = body
        body()
    }
}

@available(*, unavailable)
extension SignalWatch: Sendable {}

private func signalHasCome(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<SignalWatch>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.call() }
}

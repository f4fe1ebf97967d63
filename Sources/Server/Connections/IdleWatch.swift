import EventLoop

/// Notices when a connection has been silent for so long. A touch costs one store; the timer looks when it is due.
final class IdleWatch {
    private let limit: Int64
    private let loop: EventLoop
    private let onIdle: () -> Void
    private var timer: LoopTimer?
    private var lastTouch = ContinuousClock.now

    init(limit: Int64, loop: EventLoop, onIdle: @escaping () -> Void) {
        self.limit = limit
        self.loop = loop
        self.onIdle = onIdle
        wait(limit)
    }

    /// The connection is not silent.
    func touch() {
        lastTouch = .now
    }

    private func wait(_ milliseconds: Int64) {
        timer = try? loop.after(milliseconds: milliseconds) { [unowned self] in look() }
    }

    private func look() {
        let silent = (ContinuousClock.now - lastTouch) / .milliseconds(1)
        if Int64(silent) >= limit { return onIdle() }
        wait(max(1, limit - Int64(silent)))
    }
}

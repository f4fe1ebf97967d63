import EventLoop

/// The ``AdminLoop`` of a running server.
final class EventLoopFace: AdminLoop {
    private final class Timer: AdminTimer {
        private let timer: LoopTimer

        init(_ timer: LoopTimer) {
            self.timer = timer
        }

        func cancel() { timer.cancel() }
    }

    private let loop: EventLoop
    private let start = ContinuousClock.now
    let post: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ loop: EventLoop) {
        self.loop = loop
        let mailbox = loop.mailbox
        post = { job in mailbox.post { _ in job() } }
    }

    var milliseconds: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    func after(milliseconds: Int64, _ body: @escaping () -> Void) -> (any AdminTimer)? {
        (try? loop.after(milliseconds: milliseconds, body)).map(Timer.init)
    }
}

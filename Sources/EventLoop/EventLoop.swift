/// One thread that waits for sockets, timers and messages (libevent underneath).
///
/// Everything but ``mailbox`` is confined to the thread that calls ``run()``; debug builds check it at each entry.
package final class EventLoop {
    /// The one part that other threads may use.
    package let mailbox: Mailbox

    /// A loop that is not running yet.
    package init() throws(EventLoopError) { fatalError("contract") }

    /// Runs until ``stop()``; returns on the same thread.
    package func run() { fatalError("contract") }

    /// Ends ``run()`` after the present turn.
    package func stop() { fatalError("contract") }

    /// Calls the handler whenever the descriptor is readable, and when it is writable while that is asked for.
    package func watch(_ descriptor: Int32, _ handler: any ReadinessHandler) throws(EventLoopError) -> SocketWatch {
        fatalError("contract")
    }

    /// Calls `body` once after so many milliseconds, unless the timer is cancelled or released.
    package func after(milliseconds: Int64, _ body: @escaping () -> Void) throws(EventLoopError) -> LoopTimer {
        fatalError("contract")
    }

    /// Calls `body` once on SIGTERM, SIGINT and the like, on this loop.
    package func onSignal(_ number: Int32, _ body: @escaping () -> Void) throws(EventLoopError) -> SignalWatch {
        fatalError("contract")
    }

    /// What to call at the end of a turn in which ``requestTurnEnd()`` was called: after the readiness handlers of that
    /// turn and before the loop waits again.
    package var onTurnEnd: (() -> Void)?

    /// Asks for one call of ``onTurnEnd`` in this turn.
    package func requestTurnEnd() { fatalError("contract") }
}

@available(*, unavailable)
extension EventLoop: Sendable {}

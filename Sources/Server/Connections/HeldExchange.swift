import EventLoop
import Simulation

/// An answer over HTTP/1.1 that waits: for its time, or until somebody gives up. Confined to its worker's loop.
final class HeldExchange {
    private let exchange: HTTP1Exchange
    private let answer: ScriptedAnswer
    private let entry: JournalEntry
    private let worker: Worker
    private var registration: Script.Hold?
    private var timer: LoopTimer?

    /// Keeps an answer for so long, or for ever; when its script is reset or its rule goes, the connection ends instead.
    static func hold(
        _ exchange: HTTP1Exchange, _ answer: ScriptedAnswer, _ entry: JournalEntry, _ worker: Worker,
        for milliseconds: Int64?, then body: @escaping () -> Void
    ) {
        let held = HeldExchange(exchange, answer, entry, worker)
        let bound = LoopBound(held, on: worker.loop)
        held.registration = answer.hold { [mailbox = worker.loop.mailbox] in
            mailbox.post { _ in bound.value.giveUp() }
        }
        guard held.registration != nil else { return held.giveUp() }
        // The exchange keeps what is held, until the guest leaves or has its answer.
        exchange.onClose = { held.end() }
        guard let milliseconds else { return }
        held.timer = try? worker.loop.after(milliseconds: milliseconds) {
            held.release()
            body()
        }
        // Without memory for a timer: better now than never.
        if held.timer == nil {
            held.release()
            body()
        }
    }

    private init(
        _ exchange: HTTP1Exchange, _ answer: ScriptedAnswer, _ entry: JournalEntry, _ worker: Worker
    ) {
        self.exchange = exchange
        self.answer = answer
        self.entry = entry
        self.worker = worker
    }

    private func giveUp() {
        guard !exchange.isFinished else { return }
        release()
        answer.isCancelled(entry, at: worker.core.simulator.clock.now().machine)
        exchange.connection.close()
    }

    private func end() {
        release()
        answer.isOver(entry, at: worker.core.simulator.clock.now().machine)
    }

    private func release() {
        timer?.cancel()
        timer = nil
        exchange.onClose = nil
        if let registration = registration.take() { answer.release(registration) }
    }
}

@available(*, unavailable)
extension HeldExchange: Sendable {}

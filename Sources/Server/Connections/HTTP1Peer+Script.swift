import EventLoop
import HTTP
import Simulation

/// Answers that a script delays or withholds. What HTTP/1.1 has no word for (RST_STREAM, GOAWAY) ends the connection.
extension HTTP1Peer {
    /// Gives an answer as the script wants it; nothing waits for it but a timer of the loop.
    func perform(
        _ answer: ScriptedAnswer, _ exchange: HTTP1Exchange, _ response: HTTPResponse, _ entry: JournalEntry,
        at now: Int64
    ) {
        guard answer.delay > 0 else { return carryOut(answer, exchange, response, entry, at: now) }
        HeldExchange.hold(exchange, answer, entry, worker, for: answer.delay) { [unowned self] in
            carryOut(answer, exchange, response, entry, at: worker.core.simulator.clock.now().machine)
        }
    }

    private func carryOut(
        _ answer: ScriptedAnswer, _ exchange: HTTP1Exchange, _ response: HTTPResponse, _ entry: JournalEntry,
        at now: Int64
    ) {
        switch answer.fault {
        case .hang, .stallWrites, .headersOnly:
            return HeldExchange.hold(exchange, answer, entry, worker, for: nil) {}
        case .acceptThenDrop, .close, .rst, .resetStream, .truncateBody:
            exchange.connection.close()
        case .goAway(_, _, let lastStream) where lastStream != .all:
            exchange.connection.close()
        case nil, .goAway, .silentlyDiscard, .dribble, .ignorePing, .settings, .refuseConnect, .tlsAlert, .dropAfter:
            respond(exchange, response, answer.fields)
        }
        answer.isOver(entry, at: now)
    }
}

import EventLoop
import HTTP
import Simulation

/// Answers that a script delays or withholds. What HTTP/1.1 has no word for (RST_STREAM, GOAWAY) ends the connection.
extension HTTP1Peer {
    /// Asks the script about the new connection, whose first request has come; false when the script ends it.
    func begins(on connection: HTTP1Connection) -> Bool {
        let simulator = owner?.simulator ?? worker.core.simulator
        let verdict = simulator.decide(
            on: state.connection, over: .http1, .firstRequest, now: simulator.clock.now())
        guard let verdict else { return true }
        if let entry = verdict.entry {
            worker.journal(entry, in: owner)
            endWords = entry.content.breakage?.explanation
        }
        switch verdict.fault {
        case .refuseConnect, .rst:
            connection.reset()
            return false
        case .close, .goAway:
            connection.close()
            return false
        case .stallWrites:
            isStalled = true
            state.fault.meet(ConnectionFault(verdict.use, lastStream: -1))
        case .dropAfter(let requests):
            requestLimit = .init(requests: requests, fault: ConnectionFault(verdict.use, lastStream: -1))
        default: break
        }
        return true
    }

    /// Knows the last request that a script lets the connection have.
    func countRequest() {
        guard let limit = requestLimit, state.requests + views.requests >= limit.requests else { return }
        state.fault.meet(limit.fault)
    }

    /// Ends the connection behind the answer to the last request that a script lets it have.
    func endBehindLimit(_ exchange: HTTP1Exchange) {
        guard let limit = requestLimit, state.requests + views.requests >= limit.requests else { return }
        endWords = "A rule ends the connection after \(limit.requests) requests."
        exchange.onAnswered = { [connection = exchange.connection] in connection.close() }
    }

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
        case .rst:
            exchange.connection.reset()
        case .acceptThenDrop, .close, .resetStream, .truncateBody:
            exchange.connection.close()
        case .goAway(_, _, let lastStream, _) where lastStream != .all:
            exchange.connection.close()
        case nil, .goAway, .silentlyDiscard, .dribble, .ignorePing, .settings, .refuseConnect, .tlsAlert, .dropAfter:
            respond(exchange, response, answer.fields)
        }
        answer.isOver(entry, at: now)
    }
}

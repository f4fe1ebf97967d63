import EventLoop
import HTTP
import HTTP2
import Simulation
import TLS

extension Connection: HTTP2Session.Delegate, RequestSource {
    /// Reads until the peer's bytes are used up or others should have their turn.
    func readRequests() {
        guard let channel else { return close() }
        idleWatch?.touch()
        worker.now = worker.core.simulator.clock.now()
        var reads = 0
        while reads < worker.limits.readsPerTurn {
            switch unsafe channel.read(into: worker.readBuffer.bytes) {
            case .done(let count):
                reads += 1
                guard unsafe receive(worker.readBuffer.first(count)) else { return }
                worker.settleMany()
                guard phase.name == .http2 || phase.name == .draining else { return }
            case .wantsRead:
                return flushLater()
            case .wantsWrite:
                watch?.wantsWrite = true
                return flushLater()
            case .closed:
                return inputEnded()
            case .failed(let failure):
                return hasSpoken ? peerClosed() : fail(failure)
            }
        }
        flushLater()
        if channel.hasPending { readOn() }
    }

    /// Goes on in the next turn: TLS holds bytes that no readiness of the descriptor will announce.
    private func readOn() {
        worker.loop.mailbox.post { [connection = LoopBound(self, on: worker.loop)] _ in connection.value.readable() }
    }

    /// Hands bytes to HTTP/2; false when the peer broke its rules.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let http2, !isBroken else { return true }
        do {
            try unsafe http2.receive(bytes)
        } catch {
            unsafe http2Failed(error, bytes)
            return false
        }
        if !hasSpoken {
            hasSpoken = true
            deadline = nil
            worker.core.connections.httpBegins(on: record, state.connection, version: "h2")
        }
        return true
    }

    func session(_ session: HTTP2Session, received request: consuming HTTPRequest, stream: Int32) {
        if let namespace = namespace(of: request) {
            let decision = decide(request, stream: stream, in: namespace)
            meetFault(of: decision, stream: stream)
            return worker.append(decision, stream: stream, of: self, in: namespace)
        }
        let decision = worker.core.simulator.decide(
            request, stream: stream, on: &state, scratch: &worker.scratch, now: worker.now)
        meetFault(of: decision, stream: stream)
        worker.append(decision, stream: stream, of: self)
    }

    func session(
        _ session: HTTP2Session, receivedMalformed request: consuming HTTPRequest, stream: Int32
    ) -> Bool {
        // It must not be accepted; only what APNs refuses anyway is answered.
        let simulator = namespace(of: request)?.simulator ?? worker.core.simulator
        let rehearsal = simulator.explain(copy request, from: state.connection.value, .whole, now: worker.now)
        guard !rehearsal.isAccepted else { return false }
        self.session(session, received: request, stream: stream)
        return true
    }

    func session(_ session: HTTP2Session, closedStream stream: Int32, code: UInt32) {
        if script != nil { streamEnded(stream, code: code) }
    }

    func session(_ session: HTTP2Session, rejectedStream stream: Int32, because rejection: StreamRejection) {
        let explanation = "Stream \(stream) was reset: \(rejection.explanation)"
        worker.journal(
            .init(cause: rejection.cause == .refused ? "refused" : "headers", explanation: explanation), of: self)
    }

    func session(_ session: HTTP2Session, ignoredStream stream: Int32, after goAway: GoAway) {
        let reason = String(decoding: goAway.debugData, as: UTF8.self)
        worker.journal(
            .init(
                cause: "goaway",
                explanation:
                    "Stream \(stream) was opened on connection c\(id) though the client knew that the connection ends: "
                    + "it had acknowledged a PING sent behind GOAWAY (\(goAway.codeName), last stream \(goAway.lastStream)"
                    + (reason.isEmpty ? "" : ", \(reason)") + "). Such streams are not answered"), of: self)
    }

    /// Answers a stream, once its entry is in the log; nothing happens when the connection has gone.
    func answer(_ decision: borrowing Decision, stream: Int32, at milliseconds: Int64) {
        guard let http2, script?.ending == nil else {
            // It will never be answered, and need not wait for it.
            return decision.entry.answered(afterMilliseconds: max(0, milliseconds - decision.entry.content.receivedAt))
        }
        if let streams = decision.maxConcurrentStreams { http2.announce(maxConcurrentStreams: streams) }
        switch decision.action {
        case .respond: http2.respond(decision.response, stream: stream)
        case .perform(let answer):
            return perform(answer, decision.response, decision.entry, stream: stream, at: milliseconds)
        case .withhold: break
        }
        decision.entry.answered(afterMilliseconds: max(0, milliseconds - decision.entry.content.receivedAt))
        if script != nil { answered(stream) }
        flushLater()
    }
}

import EventLoop
import HTTP2
import Simulation
import TLS

extension Connection {
    /// Ends politely: GOAWAY with the reason, answers to what is in flight, then the descriptor.
    func end(because reason: StaticString) {
        note(end: "The server sent GOAWAY with \(reason).")
        perform(phase.endRequested(), reason: reason)
        if script != nil { giveUpHanging() }
    }

    /// Closes at once.
    func close() {
        perform(phase.peerLeft())
    }

    /// The peer has closed its side.
    func peerClosed() {
        if phase.name == .http2, !hasSpoken, let tls {
            let explanation =
                tls.nameProblem
                ?? "The client closed the connection right after the TLS handshake; usually it looked at our certificate then"
                + " and does not trust the CA. \(worker.core.context.trustHint)"
            write(down: breakage("tls", explanation))
        }
        close()
    }

    /// TLS failed.
    func fail(_ failure: TLSFailure) {
        switch failure.cause {
        case "alpn": fail(cause: "alpn", failure.explanation)
        case "client_certificate": fail(cause: "client-certificate", failure.explanation)
        case "http": fail(cause: "http1", failure.explanation)
        default: fail(cause: "tls", failure.explanation)
        }
    }

    /// The connection never became a request.
    func fail(cause: String, _ explanation: String) {
        fail(breakage(cause, explanation))
    }

    /// Writes down why the connection never became a request, and ends it so that the peer can read our last bytes.
    func fail(_ breakage: JournalEntry.Breakage) {
        write(down: breakage)
        let action = phase.peerFailed()
        if action == .linger { linger() } else { close() }
    }

    /// The peer broke HTTP/2: the GOAWAY that says so is still sent.
    func http2Failed(_ error: HTTP2Error, _ bytes: some Collection<UInt8>) {
        guard !isBroken else { return }
        isBroken = true
        let first = Array(bytes.prefix(Self.keptBytes))
        let isHTTP1 = !hasSpoken && HTTP1Opening.isRequest(first)
        let explanation =
            isHTTP1
            ? "The client sent an HTTP/1 request inside TLS; APNs speaks HTTP/2 only: make the client offer ALPN h2"
            : "The client broke HTTP/2: \(error)"
        write(down: .init(cause: isHTTP1 ? "http1" : "http2", explanation: explanation, firstBytes: first))
        perform(phase.peerFailed())
        flushLater()
    }

    func perform(_ action: ConnectionPhase.Action, reason: StaticString = "Shutdown") {
        switch action {
        case .nothing: break
        case .goAway:
            http2?.goAway(code: 0, lastStream: nil, debugData: Array(#"{"reason":"\#(reason)"}"#.utf8))
            flushLater()
        case .linger: linger()
        case .close: release()
        }
    }

    /// Closes our side and waits a moment for the peer's, since closing with unread bytes would destroy what we sent.
    private func linger() {
        channel?.shutdown()
        loseAnswers()
        releaseAllHeld()
        leaving = nil
        http2 = nil
        Descriptor.endWriting(accepted.descriptor)
        watch?.wantsWrite = false
        watch?.wantsRead = true
        setDeadline(worker.limits.lingerMilliseconds)
        readAway()
    }

    /// Throws away what the peer still sends, a bounded amount in each turn and in all; a server that stops does not wait
    /// for its end.
    func readAway() {
        for _ in 0..<worker.limits.readsPerTurn {
            switch unsafe Descriptor.read(accepted.descriptor, into: worker.readBuffer.bytes) {
            case .bytes(let count):
                lingeredBytes += count
                if lingeredBytes > worker.limits.lingerBytes { return close() }
            case .wouldBlock:
                if worker.isStopping { close() }
                return
            case .ended: return close()
            }
        }
    }

    /// Keeps why the connection ends, unless a reason is known already.
    func note(end words: String) {
        if endWords == nil { endWords = words }
    }

    private func write(down breakage: JournalEntry.Breakage) {
        record.breaks(breakage, state.connection)
        worker.journal(breakage, of: self)
    }

    private func breakage(_ cause: String, _ explanation: String) -> JournalEntry.Breakage {
        .init(cause: cause, explanation: explanation, firstBytes: Array(firstBytes.prefix(Self.keptBytes)))
    }

    private func release() {
        loseAnswers()
        releaseAllHeld()
        deadline = nil
        leaving = nil
        idleWatch = nil
        watch?.cancel()
        watch = nil
        http2 = nil
        channel = nil
        tls = nil
        Descriptor.close(accepted.descriptor)
        worker.core.connections.close(
            record, at: EventLoop.wallClockMilliseconds(), because: endWords ?? ConnectionRecord.closedByClient)
        worker.remove(self)
    }
}

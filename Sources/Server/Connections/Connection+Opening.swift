import APNs
import EventLoop
import HTTP2
import Simulation
import TLS

extension Connection {
    /// Looks at the first bytes: TLS, a CONNECT request, or a peer in the wrong place.
    func readOpening() {
        guard case .bytes(let count) = unsafe Descriptor.peek(accepted.descriptor, into: worker.readBuffer.bytes) else {
            return readAway()
        }
        let waiting = unsafe worker.readBuffer.first(count)
        firstBytes = unsafe Array(opening.head.prefix(Self.keptBytes) + waiting.prefix(Self.keptBytes))
        let (consumed, verdict) = unsafe opening.examine(waiting)
        if consumed > 0 { Descriptor.skip(accepted.descriptor, consumed) }
        switch verdict {
        case .more: break
        case .tls: beginTLS()
        case .tunnel(let host):
            tunnelHost = host
            Descriptor.writeShort(accepted.descriptor, ClearTextOpening.tunnelAnswer)
            beginTLS()
        case .http2: beginClearHTTP2()
        case .refused(let refusal):
            Descriptor.writeShort(accepted.descriptor, refusal.answer)
            fail(refusal.breakage(firstBytes: Array(firstBytes.prefix(Self.keptBytes))))
        }
    }

    private func beginTLS() {
        if let alert = script?.alert { return refuseHandshake(alert) }
        do {
            let session = try TLSSession(server: worker.core.context, descriptor: accepted.descriptor)
            session.judgesClient = { [unowned self, unowned session] in judge($0, of: session) }
            tls = session
        } catch {
            worker.core.reporter.error("TLS cannot begin: \(error)")
            return close()
        }
        phase.tlsBegins()
        goOnWithHandshake()
    }

    /// A client certificate is judged by the namespace that the port or the handshake chooses: by its clock, and by what was
    /// revoked there.
    private func judge(_ certificate: PeerCertificate, of session: TLSSession) -> PeerCertificate.Refusal? {
        views.memory = NamespaceMemory(serverName: session.serverName, certificateSerial: certificate.serial)
        return (home?.simulator ?? worker.core.simulator).refusalOfHandshake(certificate)
    }

    /// Goes on with the handshake as far as the peer's bytes allow.
    func goOnWithHandshake() {
        guard let tls else { return close() }
        switch tls.handshake() {
        case .done:
            learnPeer(from: tls)
            phase.handshakeEnds()
            beginHTTP2(over: .tls(tls))
        case .wantsRead: watch?.wantsWrite = false
        case .wantsWrite: watch?.wantsWrite = true
        case .closed:
            learnPeer(from: tls)
            fail(
                cause: "tls",
                "The client closed the connection during the TLS handshake; usually it does not trust the CA."
                    + " \(worker.core.context.trustHint)")
        case .failed(let failure):
            learnPeer(from: tls)
            fail(failure)
        }
    }

    /// HTTP/2 with prior knowledge: what was read so far is its beginning.
    private func beginClearHTTP2() {
        phase.clearTextBegins()
        beginHTTP2(over: .clear(descriptor: accepted.descriptor), beginning: opening.head)
    }

    private func beginHTTP2(over channel: Channel, beginning: [UInt8] = []) {
        self.channel = channel
        worker.core.traffic.countConnection(tls: tls?.version)
        watch?.wantsWrite = false
        var configuration = HTTP2Session.Configuration()
        let simulator = home?.simulator ?? worker.core.simulator
        configuration.maxConcurrentStreams = simulator.initialStreams(of: state.connection.value)
        let verdict = simulator.decide(
            on: state.connection, over: accepted.transport, .established, now: simulator.clock.now())
        if case .settings(let streams)? = verdict?.fault { configuration.maxConcurrentStreams = streams }
        do {
            http2 = try HTTP2Session(callbacks: worker.callbacks, configuration: configuration, delegate: self)
        } catch {
            worker.core.reporter.error("HTTP/2 cannot begin: \(error)")
            return close()
        }
        if let failure = simulator.refusal(of: state.connection.value) {
            worker.journal(.init(cause: "certificate", explanation: failure.explanation), of: self)
            // No stream was opened, so the last stream that GOAWAY names is 0.
            return end(because: "BadCertificateEnvironment")
        }
        if let limit = worker.core.configuration.idleTimeoutMilliseconds {
            idleWatch = IdleWatch(limit: limit, loop: worker.loop) { [unowned self] in end(because: "IdleTimeout") }
        }
        if let verdict { meet(verdict) }
        if unsafe beginning.withUnsafeBytes({ unsafe $0.isEmpty || receive($0) }) { readRequests() }
    }

    /// Ends the connection when the peer takes too long to begin, or to leave.
    func setDeadline(_ milliseconds: Int64) {
        deadline = try? worker.loop.after(milliseconds: milliseconds) { [unowned self] in
            guard phase.name < .draining else { return close() }
            fail(
                cause: "tls",
                "The client did not get as far as HTTP/2 within \(worker.limits.handshakeMilliseconds) ms")
            close()
        }
    }
}

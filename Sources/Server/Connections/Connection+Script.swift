import EventLoop
import HTTP
import HTTP2
import Simulation
import TLS

/// Answers that a script delays, breaks or swallows, and faults of the connection itself.
extension Connection {
    /// Gives an answer as the script wants it; nothing waits for it but a timer of the loop.
    func perform(
        _ answer: ScriptedAnswer, _ response: HTTPResponse, _ entry: JournalEntry, stream: Int32, at now: Int64
    ) {
        guard answer.delay > 0 else { return carryOut(answer, response, entry, stream: stream, at: now) }
        hold(answer, entry, stream: stream, for: answer.delay) { [unowned self] in
            carryOut(answer, response, entry, stream: stream, at: worker.core.simulator.clock.now().machine)
        }
    }

    /// An ordinary answer was given on a connection that a script has touched.
    func answered(_ entry: JournalEntry) {
        guard let limit = script?.requestLimit, entry.content.requestsOnConnection >= limit else { return }
        script?.ending = .close
    }

    private func carryOut(
        _ answer: ScriptedAnswer, _ response: HTTPResponse, _ entry: JournalEntry, stream: Int32, at now: Int64
    ) {
        guard let http2 else { return }
        switch answer.fault {
        case nil, .silentlyDiscard, .refuseConnect, .tlsAlert, .dropAfter:
            respond(answer, response, stream)
        case .acceptThenDrop, .close: end(.close)
        case .rst: end(.reset)
        case .hang:
            return hold(answer, entry, stream: stream, for: nil) {}
        case .resetStream(let code): http2.reset(stream: stream, code: code.rawValue)
        case .headersOnly:
            http2.respondOddly(response, fields: [], body: [], .withheld, stream: stream)
            answer.isOver(entry, at: now)
            hold(answer, entry, stream: stream, for: nil) {}
        case .truncateBody:
            let body = response.body.bytes
            http2.respondOddly(
                response, fields: [], body: Array(body.prefix(body.count / 2)), .whole, stream: stream)
        case .dribble(let interval):
            http2.respondOddly(response, fields: [], body: response.body.bytes, .metered, stream: stream)
            flushLater()
            return drip(answer, entry, stream: stream, every: interval)
        case .goAway(let code, _, let lastStream):
            if lastStream == .all { respond(answer, response, stream) }
            goAway(code, lastStream, this: stream, debugData: answer.fault?.debugData ?? [])
        case .stallWrites:
            // What was answered before is still sent.
            flush()
            guard phase.name == .http2 || phase.name == .draining else { return }
            touched.isStalled = true
            return hold(answer, entry, stream: stream, for: nil) {}
        case .ignorePing:
            http2.ignoresPings = true
            respond(answer, response, stream)
        case .settings(let streams):
            http2.announce(maxConcurrentStreams: streams)
            respond(answer, response, stream)
        }
        answered(entry)
        answer.isOver(entry, at: now)
        flushLater()
    }

    private func respond(_ answer: ScriptedAnswer, _ response: HTTPResponse, _ stream: Int32) {
        if answer.fields.isEmpty {
            http2?.respond(response, stream: stream)
        } else {
            http2?.respondOddly(
                response, fields: answer.fields, body: response.body.bytes, .whole, stream: stream)
        }
    }

    /// Lets the next byte of a body leave.
    private func drip(_ answer: ScriptedAnswer, _ entry: JournalEntry, stream: Int32, every interval: Int64) {
        hold(answer, entry, stream: stream, for: interval) { [unowned self] in
            guard let http2 else { return }
            if http2.allow(1, stream: stream) {
                drip(answer, entry, stream: stream, every: interval)
            } else {
                isOver(answer, entry)
            }
            flushLater()
        }
    }

    private func goAway(
        _ code: HTTP2ErrorCode, _ lastStream: RuleFault.LastStream, this stream: Int32, debugData: [UInt8]
    ) {
        guard phase.endRequested() == .goAway else { return }
        let last: Int32? =
            switch lastStream {
            case .all: nil
            case .nothing: 0
            case .beforeThis: max(0, stream - 2)
            }
        http2?.goAway(code: code.rawValue, lastStream: last, debugData: debugData)
    }

    /// Ends the connection as soon as what was answered before is sent.
    private func end(_ ending: ConnectionScript.Ending) {
        touched.ending = ending
        flushLater()
    }

    /// Ends the connection as a script wants it; its output has been sent.
    func finish(_ ending: ConnectionScript.Ending) {
        if ending == .reset {
            Descriptor.resetWhenClosed(accepted.descriptor)
            return close()
        }
        _ = phase.peerFailed()
        perform(phase.outputSent(isFinished: true))
    }

    /// What the script has done to this connection, from now on something.
    private var touched: ConnectionScript {
        if let script { return script }
        let made = ConnectionScript()
        script = made
        return made
    }

    // MARK: Waiting

    /// Keeps an answer for so long, or until somebody gives up.
    private func hold(
        _ answer: ScriptedAnswer, _ entry: JournalEntry, stream: Int32, for milliseconds: Int64?,
        then body: @escaping () -> Void
    ) {
        let bound = LoopBound(worker, on: worker.loop)
        let hold = answer.hold { [mailbox = worker.loop.mailbox, id] in
            mailbox.post { _ in bound.value.connection(id)?.cancelHeld(stream: stream) }
        }
        guard let hold else {
            // The script was reset, or the rule went, between the decision and now.
            isOver(answer, entry)
            return cancel(stream)
        }
        var timer: LoopTimer?
        if let milliseconds {
            timer = try? worker.loop.after(milliseconds: milliseconds) { [unowned self] in
                release(stream)
                body()
            }
        }
        touched.held[stream] = ConnectionScript.Held(answer: answer, entry: entry, hold: hold, timer: timer)
        // Without a timer there is no memory for one: better now than never.
        if milliseconds != nil, timer == nil {
            release(stream)
            body()
        }
    }

    /// The script was reset, or the rule is gone: nothing of what waits shall come.
    func cancelHeld(stream: Int32) {
        guard let held = release(stream) else { return }
        isOver(held.answer, held.entry)
        if script?.isStalled == true { return close() }
        cancel(stream)
    }

    private func cancel(_ stream: Int32) {
        http2?.reset(stream: stream, code: HTTP2ErrorCode.cancel.rawValue)
        flushLater()
    }

    /// A stream has ended: whatever waited for it is over.
    func streamEnded(_ stream: Int32) {
        guard script != nil, let held = release(stream) else { return }
        isOver(held.answer, held.entry)
    }

    /// The connection ends: nothing waits any more.
    func releaseAllHeld() {
        guard let script else { return }
        for stream in Array(script.held.keys) { streamEnded(stream) }
    }

    /// The server stops: what waits for its time still gets it, what waits for ever does not.
    func giveUpHanging() {
        guard let script else { return }
        if script.isStalled { return close() }
        for (stream, held) in script.held where held.timer == nil { cancelHeld(stream: stream) }
    }

    @discardableResult
    private func release(_ stream: Int32) -> ConnectionScript.Held? {
        guard let held = script?.held.removeValue(forKey: stream) else { return nil }
        held.timer?.cancel()
        held.answer.release(held.hold)
        return held
    }

    private func isOver(_ answer: ScriptedAnswer, _ entry: JournalEntry) {
        answer.isOver(entry, at: worker.core.simulator.clock.now().machine)
    }

    // MARK: The connection itself

    /// Does to the new connection what the script wants.
    func meet(_ verdict: ConnectionVerdict) {
        if let entry = verdict.entry {
            worker.journal(entry, in: home)
            if let breakage = entry.content.breakage { note(end: breakage.explanation) }
        }
        switch verdict.fault {
        case .stallWrites: touched.isStalled = true
        case .ignorePing: http2?.ignoresPings = true
        case .dropAfter(let requests): touched.requestLimit = requests
        case .tlsAlert(let number): touched.alert = number
        case .goAway(let code, _, _): goAway(code, .nothing, this: 0, debugData: verdict.fault.debugData)
        case .close: end(.close)
        case .rst: end(.reset)
        default: break
        }
    }

    /// Sends a fatal alert in place of the handshake.
    func refuseHandshake(_ alert: UInt8) {
        Descriptor.writeShort(accepted.descriptor, TLSAlertNumber.record(alert))
        perform(phase.peerFailed())
    }
}

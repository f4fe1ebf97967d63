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
            if answer.connectionFault(at: stream) != nil { worker.settleBeforeFault() }
            carryOut(answer, response, entry, stream: stream, at: worker.core.simulator.clock.now().machine)
        }
    }

    /// Looks at a decision for what it means to the requests behind it: those whose answers can no longer leave must not be
    /// decided as if they could.
    @inline(__always)
    func meetFault(of decision: borrowing Decision, stream: Int32) {
        if case .perform(let answer) = decision.action, answer.delay == 0,
            let fault = answer.connectionFault(at: stream)
        {
            state.fault.meet(fault)
        }
        if let script, script.requestLimit != nil { countRequest(script, stream: stream) }
    }

    /// Knows the last request that a script lets the connection have.
    private func countRequest(_ script: ConnectionScript, stream: Int32) {
        guard let limit = script.requestLimit, limit.lastStream == nil else { return }
        guard state.requests + views.requests >= limit.requests else { return }
        script.requestLimit?.lastStream = stream
        state.fault.meet(limit.fault)
    }

    /// An answer was given, or will never be, on a connection that a script has touched.
    func answered(_ stream: Int32) {
        guard let limit = script?.requestLimit, limit.lastStream == stream else { return }
        end(.close)
    }

    private func carryOut(
        _ answer: ScriptedAnswer, _ response: HTTPResponse, _ entry: JournalEntry, stream: Int32, at now: Int64
    ) {
        guard let http2 else { return answer.isCancelled(entry, at: now) }
        if let fault = answer.connectionFault(at: stream) {
            strike(fault, except: stream)
            // What was answered before has left now, and its peer may have closed the connection.
            guard self.http2 != nil else { return answer.isOver(entry, at: now) }
        }
        switch answer.fault {
        case nil, .silentlyDiscard, .refuseConnect, .tlsAlert, .dropAfter:
            respond(answer, response, stream)
        case .acceptThenDrop, .close: end(.close)
        case .rst: end(.reset)
        case .hang:
            hold(answer, entry, stream: stream, for: nil) {}
            return answered(stream)
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
            drip(answer, entry, stream: stream, every: interval)
            return answered(stream)
        case .goAway(let code, _, let lastStream, let linger):
            if lastStream == .all { respond(answer, response, stream) }
            goAway(code, answer.fault?.lastAnswered(at: stream), debugData: answer.fault?.debugData ?? [])
            stay(linger, answer)
        case .stallWrites:
            touched.isStalled = true
            loseAnswers(butUnsent: true)
            return hold(answer, entry, stream: stream, for: nil) {}
        case .ignorePing:
            http2.ignoresPings = true
            respond(answer, response, stream)
        case .settings(let streams):
            http2.announce(maxConcurrentStreams: streams)
            respond(answer, response, stream)
        }
        answer.isOver(entry, at: now)
        answered(stream)
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

    /// Sends GOAWAY, also a second one that names a lower stream; `last` nil names all streams that were opened.
    private func goAway(_ code: HTTP2ErrorCode, _ last: Int32?, debugData: [UInt8]) {
        guard phase.endRequested() == .goAway || phase.name == .draining else { return }
        http2?.goAway(code: code.rawValue, lastStream: last, debugData: debugData)
    }

    /// Keeps the connection open behind GOAWAY: what its peer then opens is never answered.
    private func stay(_ linger: RuleFault.Linger, _ answer: ScriptedAnswer) {
        let span: Int64?
        switch linger {
        case .none: return
        case .milliseconds(let milliseconds): span = milliseconds
        case .forever: span = nil
        }
        touched.lingers = true
        hold(answer, nil, stream: ConnectionScript.wholeConnection, for: span) { [unowned self] in goOnBehindGoAway() }
    }

    private func goOnBehindGoAway() {
        script?.lingers = false
        flushLater()
    }

    /// Ends the connection as soon as what was answered before is sent, or when its peer does not take it.
    private func end(_ ending: ConnectionScript.Ending) {
        touched.ending = ending
        touched.endingTimer = try? worker.loop.after(milliseconds: worker.limits.lingerMilliseconds) { [unowned self] in
            close()
        }
        flushLater()
    }

    /// Ends the connection as a script wants it; its output has been sent.
    func finish(_ ending: ConnectionScript.Ending) {
        script?.endingTimer = nil
        if ending == .reset {
            Descriptor.resetWhenClosed(accepted.descriptor)
            return close()
        }
        _ = phase.peerFailed()
        perform(phase.outputSent(isFinished: true))
    }

    // MARK: What a fault keeps from leaving

    /// A fault strikes that keeps answers from leaving. What was answered before is sent as far as its peer takes it; what
    /// waits behind the fault never will be, and is said to be so. `stream` is the one that the fault itself is about.
    private func strike(_ fault: ConnectionFault, except stream: Int32) {
        state.fault.meet(fault)
        flush()
        guard let script, http2 != nil else { return }
        for (other, held) in script.held where other != stream && held.entry != nil && fault.catches(other) {
            lose(other, behind: fault)
        }
    }

    /// The connection ends for good, or says nothing any more: whatever has not left by now never will. What only waits for
    /// the socket may be left out.
    func loseAnswers(butUnsent: Bool = false) {
        guard let fault = state.fault else { return }
        for stream in Array(script?.held.keys ?? [:].keys) where fault.catches(stream) { lose(stream, behind: fault) }
        let lost = (butUnsent ? [] : unsent.answeredStreams).union(http2?.unfinishedAnswers ?? [])
        worker.lose(lost.filter { fault.catches($0) }, of: self, behind: fault)
    }

    /// Says so of the streams that GOAWAY has closed with their answers on the way.
    func loseClosed() {
        guard let fault = state.fault, let script, !script.lost.isEmpty else { return }
        worker.lose(script.lost, of: self, behind: fault)
        script.lost = []
    }

    private func lose(_ stream: Int32, behind fault: ConnectionFault) {
        guard let held = release(stream), let entry = held.entry else { return }
        held.answer.isLost(entry, behind: fault, at: worker.core.simulator.clock.now().machine)
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
        _ answer: ScriptedAnswer, _ entry: JournalEntry?, stream: Int32, for milliseconds: Int64?,
        then body: @escaping () -> Void
    ) {
        let bound = LoopBound(worker, on: worker.loop)
        let hold = answer.hold { [mailbox = worker.loop.mailbox, id] in
            mailbox.post { _ in bound.value.connection(id)?.cancelHeld(stream: stream) }
        }
        guard let hold else {
            // The script was reset, or the rule went, between the decision and now.
            return giveUp(answer, entry, stream: stream)
        }
        release(stream)
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
        if let held = release(stream) { giveUp(held.answer, held.entry, stream: stream) }
    }

    private func giveUp(_ answer: ScriptedAnswer, _ entry: JournalEntry?, stream: Int32) {
        if let entry { answer.isCancelled(entry, at: worker.core.simulator.clock.now().machine) }
        if script?.isStalled == true { return close() }
        if stream == ConnectionScript.wholeConnection { return goOnBehindGoAway() }
        cancel(stream)
        answered(stream)
    }

    private func cancel(_ stream: Int32) {
        http2?.reset(stream: stream, code: HTTP2ErrorCode.cancel.rawValue)
        flushLater()
    }

    /// A stream has ended: whatever waited for it is over.
    func streamEnded(_ stream: Int32, code: UInt32 = 0) {
        if code != 0, let fault = state.fault, fault.catches(stream) { touched.lost.insert(stream) }
        guard script != nil, stream != ConnectionScript.wholeConnection, let held = release(stream) else { return }
        if let entry = held.entry { isOver(held.answer, entry) }
        if http2 != nil { answered(stream) }
    }

    /// The connection ends: nothing waits any more.
    func releaseAllHeld() {
        guard let script else { return }
        for stream in Array(script.held.keys) { streamEnded(stream) }
        release(ConnectionScript.wholeConnection)
        script.endingTimer = nil
    }

    /// The server stops: what waits for its time still gets it, what waits for ever does not.
    func giveUpHanging() {
        guard let script else { return }
        if script.isStalled { return close() }
        for (stream, held) in script.held where held.timer == nil || held.entry == nil { cancelHeld(stream: stream) }
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
        if let last = verdict.fault.lastAnswered(at: ConnectionScript.wholeConnection) {
            state.fault.meet(ConnectionFault(verdict.use, lastStream: last))
        }
        switch verdict.fault {
        case .stallWrites:
            touched.isStalled = true
            hold(verdict.answer, nil, stream: ConnectionScript.wholeConnection, for: nil) {}
        case .ignorePing: http2?.ignoresPings = true
        case .dropAfter(let requests):
            touched.requestLimit = .init(requests: requests, fault: ConnectionFault(verdict.use, lastStream: -1))
        case .tlsAlert(let number): touched.alert = number
        case .goAway(let code, _, _, let linger):
            state.fault.meet(ConnectionFault(verdict.use, lastStream: 0))
            goAway(code, 0, debugData: verdict.fault.debugData)
            stay(linger, verdict.answer)
            flushLater()
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

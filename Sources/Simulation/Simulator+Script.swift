import APNs
import HTTP
import TLS

/// What a script and magic device tokens make of requests and connections. The order: rules before validation, validation, magic
/// tokens, rules after validation; the first that says something wins.
extension Simulator {
    /// What becomes of a request beyond the rules of Apple; fills in the entry's outcome as far as validation decides it.
    func consult(_ content: inout JournalEntry.Content, _ scratch: inout DecisionScratch) -> ScriptVerdict? {
        defer { scratch.match.forget() }
        content.outcome = content.failures.isEmpty ? .accepted : .rejected
        content.reason = content.failures.first?.reason
        content.status = content.reason?.status ?? 200
        var early: ScriptVerdict?
        if script.isActive {
            scratch.match.begin(limit: MatchCost.ruleLimit)
            early = ask(content, .beforeValidation, scratch)
            if early?.outcome != nil { return early }
        }
        let magic = magicToken(content)
        // What is registered about devices has nothing to say of a token that speaks for itself.
        if magic != nil { content.failures.removeAll { Self.deviceChecks.contains($0.check) } }
        // It stands for a check of Apple's, and those come before what is ours alone.
        if let magic, content.failures.allSatisfy({ $0.check == .payload }) {
            let spelt = verdict(of: magic, content)
            if content.failures.isEmpty { return joined(early, spelt) }
            if case .reject? = spelt.outcome { return joined(early, spelt) }
        }
        guard content.failures.isEmpty else { return early }
        return script.isActive ? joined(early, ask(content, .afterValidation, scratch)) : early
    }

    /// The outcome that the device token spells.
    private func magicToken(_ content: borrowing JournalEntry.Content) -> MagicToken? {
        guard configuration.acceptsMagicTokens, let device = content.device else { return nil }
        return MagicToken(content.request.storage.span.extracting(device))
    }

    private func ask(
        _ content: JournalEntry.Content, _ stage: RuleStage, _ scratch: borrowing DecisionScratch
    ) -> ScriptVerdict? {
        script.verdict(on: JournalEntry(content), stage, now: content.serverTime, scratch.match)
    }

    private func verdict(of magic: MagicToken, _ content: borrowing JournalEntry.Content) -> ScriptVerdict {
        let device = content.device.map { content.request.storage[$0] } ?? []
        let (attempt, generation) = script.magicAttempt(key: ScriptHash.hash(device.lazy.map(\.lowercasedASCII)))
        var outcome = RuleOutcome.accept
        if let reason = magic.reason, magic.failFirst == 0 || attempt <= magic.failFirst {
            outcome = .reject(.init(reason: reason))
        }
        return ScriptVerdict(
            use: .init(
                id: Script.magicTokenID, attempt: attempt, draw: nil, outcome: outcome.words,
                delayMilliseconds: magic.delay),
            outcome: outcome, delay: magic.delay, generation: generation)
    }

    /// Delays add up; all else is the later verdict's.
    private func joined(_ early: ScriptVerdict?, _ late: ScriptVerdict?) -> ScriptVerdict? {
        guard let early, var late else { return late ?? early }
        late.delay += early.delay
        late.use.delayMilliseconds = late.delay
        late.rules = early.rules + late.rules
        return late
    }

    /// Makes the content what the verdict says, and returns the answer to be given in place of the ordinary one; nil when the
    /// request is answered in the ordinary way.
    func apply(
        _ verdict: ScriptVerdict, to content: inout JournalEntry.Content, id: UUIDText, named name: HeaderName
    ) -> HTTPResponse? {
        content.rule = verdict.use
        switch verdict.outcome {
        case nil:
            return nil
        case .accept:
            accept(&content)
            return nil
        case .reject(let refusal):
            return refuse(&content, refusal, verdict.use, id: id, named: name)
        case .respond(let response):
            content.failures = []
            content.outcome = response.status == 200 ? .accepted : .faulted
            content.reason = nil
            content.status = response.status
            content.apnsUniqueID = nil
            return HTTPResponse(
                status: response.status, fields: [HTTPResponse.Field(name, .id(id))], body: .bytes(response.body))
        case .fault(let fault, let refusal):
            return fail(&content, fault, refusal, verdict.use, id: id, named: name)
        }
    }

    private func accept(_ content: inout JournalEntry.Content) {
        content.failures = []
        content.outcome = .accepted
        content.reason = nil
        content.status = 200
    }

    /// A refusal by one of Apple's reasons.
    private func refuse(
        _ content: inout JournalEntry.Content, _ refusal: RuleOutcome.Refusal, _ use: JournalEntry.RuleUse,
        id: UUIDText, named name: HeaderName
    ) -> HTTPResponse {
        let status = refusal.status ?? refusal.reason.status
        // Who sees 200 takes the push for accepted, whatever stands in the body.
        if status == 200 {
            accept(&content)
            content.apnsUniqueID = nil
            var response = self.refusal(refusal.reason, id: id, named: name)
            response.status = status
            return response
        }
        var timestamp = refusal.timestamp?.moment(from: content.serverTime)
        if timestamp == nil, refusal.reason.status == 410 { timestamp = content.serverTime }
        if content.failures.isEmpty {
            content.unmade = CheckSet([.topicForm, .serviceAvailable])
            if devices.isEmpty {
                for check in Check.allCases where Self.deviceChecks.contains(check) { content.unmade.insert(check) }
            }
        }
        // What is wrong with the payload is still worth knowing where a device token spoke first.
        let further = use.id == Script.magicTokenID ? content.failures.filter { $0.check == .payload } : []
        content.failures =
            [scriptFailure(refusal.reason, use, isValid: further.isEmpty, timestamp: timestamp)] + further
        content.outcome = .rejected
        content.reason = refusal.reason
        content.status = status
        content.apnsUniqueID = nil
        var response = self.refusal(refusal.reason, id: id, named: name, timestamp: timestamp)
        response.status = status
        return response
    }

    private func scriptFailure(
        _ reason: Reason, _ use: JournalEntry.RuleUse, isValid: Bool, timestamp: Int64?
    ) -> CheckFailure {
        let isMagic = use.id == Script.magicTokenID
        return CheckFailure(
            .script, reason, expected: "no scripted outcome", actual: "\(use.id), attempt \(use.attempt)",
            explanation: isMagic
                ? (isValid ? "The push was valid; its" : "The")
                    + " device token spells this answer (attempt \(use.attempt))."
                : "The rule \(use.id) says so (attempt \(use.attempt)); the request itself was not the cause.",
            timestamp: timestamp,
            fix: isMagic
                ? "Nothing to mend: send to another device token, or start the server with --no-magic-tokens."
                : "Nothing to mend in the request: DELETE /v1/rules/\(use.id) takes the rule away.")
    }

    private func fail(
        _ content: inout JournalEntry.Content, _ fault: RuleFault, _ refusal: RuleOutcome.Refusal?,
        _ use: JournalEntry.RuleUse, id: UUIDText, named name: HeaderName
    ) -> HTTPResponse? {
        switch fault {
        case .acceptThenDrop, .silentlyDiscard:
            accept(&content)
            if fault == .silentlyDiscard { content.rare.isDiscarded = true }
            return nil
        case .ignorePing, .settings, .goAway(_, _, .all, _):
            // What the connection meets changes nothing about the request.
            return nil
        case .headersOnly, .truncateBody, .dribble:
            var response = HTTPResponse(status: 200, fields: [HTTPResponse.Field(name, .id(id))])
            if let refusal {
                response = refuse(&content, refusal, use, id: id, named: name)
            } else {
                accept(&content)
            }
            content.outcome = .faulted
            return response
        default:
            content.failures = []
            content.outcome = .faulted
            content.reason = nil
            content.status = 0
            content.apnsUniqueID = nil
            return HTTPResponse(status: 500)
        }
    }

    /// The decision that gives an answer as a verdict wants it.
    func decision(
        _ content: consuming JournalEntry.Content, _ response: HTTPResponse, _ verdict: ScriptVerdict,
        _ streams: UInt32?
    ) -> Decision {
        let entry = JournalEntry(content)
        script.note(entry, verdict.rules)
        return Decision(
            entry: entry, response: response,
            action: .perform(ScriptedAnswer(script, verdict, journal)),
            maxConcurrentStreams: streams)
    }

    /// What the script makes of a connection at this moment; nil when nothing, which without rules costs one flag test.
    package func decide(
        on connection: PeerConnectionReference, over transport: ConnectionTransport,
        _ moment: ConnectionVerdict.Moment, now: Instant
    ) -> ConnectionVerdict? {
        guard script.isActive else { return nil }
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .faulted,
            request: HTTPRequest(expectedBytes: 0, expectedFields: 0), connection: connection)
        content.environment = connection.value.environment
        content.profile = configuration.profile
        if let certificate = connection.value.certificate {
            content.sender = SenderReference(.certificate(subject: certificate.subject))
        }
        let verdict = script.verdict(
            on: JournalEntry(content), .connection, now: now.server, MatchScratch(limit: MatchCost.ruleLimit)
        ) { rule in
            guard case .fault(let fault, _)? = rule.steps.first?.outcome else { return false }
            guard fault.kind.applies(to: transport) else { return false }
            return moment == .firstRequest || fault.kind.precedesHandshake == (moment == .accepted)
        }
        guard let verdict, case .fault(let fault, _)? = verdict.outcome else { return nil }
        content.rule = verdict.use
        content.breakage = JournalEntry.Breakage(
            cause: "script", explanation: "The rule \(verdict.use.id) says so: \(fault.kind.summary)")
        let entry = JournalEntry(content)
        let endsConnection: Bool =
            switch fault.kind {
            case .refuseConnect, .tlsAlert, .goAway, .close, .rst: true
            default: false
            }
        if endsConnection { script.note(entry, verdict.rules) }
        return ConnectionVerdict(
            fault: fault, use: verdict.use, answer: ScriptedAnswer(script, verdict, journal),
            entry: endsConnection ? entry : nil)
    }
}

import APNs

/// Whether a rule can ever fire: what is known of all that a stage asks about.
enum RuleReach {
    /// Why no request or connection can be meant at this stage; nil when one can.
    static func fault(_ matcher: Matcher, _ stage: RuleStage) -> String? {
        // Who deletes until a moment that is over means what was; a rule means what comes.
        let now = DecimalNumber(MomentText.now())
        let isPossible = worlds(stage).contains { world in
            matcher.predicate.holds { field, test in
                if case .receivedAt = field {
                    if case .number(.lessOrEqual, let moment) = test, moment < now { return false }
                    return nil
                }
                guard let value = world.value(field) else { return nil }
                let scratch = MatchScratch()
                return test.passes(value.kind, Array(value.text.utf8).span, scratch)
            } != false
        }
        return isPossible ? nil : words(stage)
    }

    /// What is known of the values of a request or connection.
    private struct World {
        let outcome: JournalEntry.Outcome
        var reason: Reason?
        var isConnection = false

        /// The value of a field; nil when it can be any.
        func value(_ field: MatchField) -> (kind: MatchValue, text: String)? {
            let absent = (MatchValue.absent, "")
            switch field {
            // No rule has touched yet what a rule is asked about.
            case .rule: return absent
            case .outcome: return (.plain, outcome.rawValue)
            case .status:
                if isConnection { return absent }
                return (.plain, String(reason?.status ?? 200))
            case .reason: return reason.map { (.plain, $0.word) } ?? absent
            case .device, .topic, .collapseID, .channel, .pushType, .apnsID, .keyID, .teamID, .body, .payload, .header:
                return isConnection ? absent : nil
            case .payloadBytes: return isConnection ? (.plain, "0") : nil
            case .kind, .priority, .environment, .certificate, .connection, .receivedAt, .findings: return nil
            }
        }
    }

    private static func worlds(_ stage: RuleStage) -> [World] {
        switch stage {
        case .afterValidation: [World(outcome: .accepted)]
        case .beforeValidation:
            [World(outcome: .accepted)] + Reason.allCases.map { World(outcome: .rejected, reason: $0) }
        case .connection: [World(outcome: .faulted, isConnection: true)]
        }
    }

    private static func words(_ stage: RuleStage) -> String {
        switch stage {
        case .afterValidation:
            "can hold of no valid request, and the stage afterValidation asks about no other: their outcome is accepted, "
                + "their status 200, they have no reason, and no rule has touched them. Leave the stage out, or name "
                + "beforeValidation."
        case .beforeValidation:
            "can hold of no request: a rule is asked while the outcome is accepted or rejected, no rule has touched the "
                + "request, and it has just arrived."
        case .connection:
            "can hold of no connection: it has no request yet, so no device, topic, header or payload. Match env, cert or "
                + "conn, or use a fault that requests can meet."
        }
    }
}

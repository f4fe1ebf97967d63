package import JSON

/// Reads rules as people write them; whatever cannot be understood is refused with its place.
package struct RuleReader {
    /// The members of a rule.
    package static let members = [
        "id", "match", "when", "then", "stage", "priority", "ttl", "continue", "note",
    ]
    /// What answers show besides; ignored, so that a rule that was read can be written back.
    package static let shownMembers = [
        "hits", "remaining", "lastHit", "nearest", "expiresAt", "seed", "state", "madeBy",
    ]
    /// The members of `then`.
    package static let outcomeMembers = RuleStepReader.members + ["continue", "sequence", "atEnd"]
    /// The members of `when`.
    package static let conditions = [
        "per", "skip", "times", "every", "probability", "between", "state", "setState",
    ]

    /// The server's clock when the rule is made, in milliseconds since 1970.
    private let now: Int64

    /// A reader at a time of the server's clock.
    package init(now: Int64) {
        self.now = now
    }

    /// Reads a rule; one without an id gets `id`.
    package func rule(_ document: JSONDocument, _ element: JSONElement, id standardID: String) throws(RuleError) -> Rule
    {
        let object = try RuleObject(
            document, element, path: "", names: Self.members, ignoring: Self.shownMembers)
        let id = try object.text("id") ?? standardID
        guard Rule.isID(id) else {
            throw object.bad("id", "1 to \(Rule.idLimit) letters, digits, -, _, . and :")
        }
        var rule = Rule(id: id)
        rule.note = try object.text("note", limit: Rule.noteLimit)
        rule.priority = try object.integer("priority", in: -Rule.priorityLimit...Rule.priorityLimit) ?? 0
        if let lifetime = try object.duration("ttl", limit: ClockSetting.differenceLimit) {
            rule.lifetime = lifetime
            rule.expiresAt = now &+ lifetime
        }
        rule.continues = try object.boolean("continue") ?? false
        if let match = object["match"] { rule.matcher = try matcher(document, match) }
        if object.has("when") { try readConditions(object, &rule) }
        guard let then = object["then"] else {
            throw RuleError("then", #"A rule needs a "then": what happens, such as {"reason": "TooManyRequests"}."#)
        }
        try RuleStepReader(now: now).read(document, then, into: &rule)
        rule.source = Rule.Source(
            match: object.source("match"), when: object.source("when"), then: object.source("then") ?? [])
        rule.stage = try stage(object, rule)
        try check(rule)
        return rule
    }

    private func matcher(_ document: JSONDocument, _ element: JSONElement) throws(RuleError) -> Matcher {
        do throws(MatcherError) {
            return try Matcher(document, element, path: "match", now: now)
        } catch {
            throw RuleError(error.field, error.message, suggestion: error.suggestion)
        }
    }

    private func readConditions(_ object: RuleObject, _ rule: inout Rule) throws(RuleError) {
        guard let element = object["when"] else { return }
        let when = try RuleObject(object.document, element, path: "when", names: Self.conditions)
        rule.skip = try when.integer("skip", in: 0...Rule.countLimit) ?? 0
        rule.times = try when.integer("times", in: 1...Rule.countLimit)
        rule.every = try when.integer("every", in: 1...Rule.countLimit)
        rule.probability = try when.number("probability", in: 0...1)
        rule.state = try when.text("state", limit: Rule.idLimit)
        rule.nextState = try when.text("setState", limit: Rule.idLimit)
        if let word = try when.word("per", RuleScope.allCases.map(\.rawValue)) {
            rule.scope = RuleScope(rawValue: word) ?? .all
        } else if let probability = rule.probability, probability < 1 {
            // Counted over all, the order of arrival would decide which pushes fail.
            rule.scope = .device
        }
        if let between = try when.elements("between") {
            guard between.count == 2 else { throw when.bad("between", "two times, either of which may be null") }
            rule.from = try time(when, between[0])
            rule.until = try time(when, between[1])
        }
    }

    private func time(_ when: RuleObject, _ element: JSONElement) throws(RuleError) -> Int64? {
        if when.document.kind(element) == .null { return nil }
        guard let text = when.document.string(element), let time = RuleTime(text) else {
            throw when.bad("between", "two of: \(RuleTime.expected) or null")
        }
        return time.moment(from: now)
    }

    /// The stage that is named, or that goes with the fault.
    private func stage(_ object: RuleObject, _ rule: Rule) throws(RuleError) -> RuleStage {
        let kinds = rule.faults
        let named = try object.word("stage", RuleStage.allCases.map(\.rawValue)).flatMap { RuleStage(rawValue: $0) }
        let stage = named ?? kinds.first?.stages[0] ?? .afterValidation
        for kind in kinds where !kind.stages.contains(stage) {
            let stages = kind.stages.map(\.rawValue).joined(separator: " or ")
            throw RuleError(
                "stage", "\(kind.rawValue) cannot happen in the stage \(stage.rawValue); it needs \(stages).")
        }
        if stage == .connection, rule.steps.contains(where: { $0.delay != nil || !$0.isFault }) {
            throw RuleError("stage", "A connection can only meet a fault; delays and answers need a request.")
        }
        return stage
    }

    private func check(_ rule: Rule) throws(RuleError) {
        if rule.stage == .connection, ![.all, .connection, .key].contains(rule.scope) {
            throw RuleError("when.per", "A connection has no \(rule.scope.rawValue); count by all, connection or key.")
        }
        if rule.stage == .connection, Set(rule.steps.map(\.precedesHandshake)).count > 1 {
            throw RuleError(
                "then.sequence",
                "Faults before the TLS handshake and faults after it cannot share a sequence; use two rules.")
        }
        if rule.continues, rule.steps.contains(where: { $0.outcome != nil }) {
            throw RuleError("continue", "Only a rule that delays and does nothing else can let others follow.")
        }
    }
}

extension RuleStep {
    fileprivate var precedesHandshake: Bool {
        if case .fault(let fault, _)? = outcome { fault.kind.precedesHandshake } else { false }
    }

    var isFault: Bool {
        if case .fault? = outcome { true } else { false }
    }
}

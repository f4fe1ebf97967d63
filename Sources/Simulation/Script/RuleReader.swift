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
    /// Where the rule stands, for messages; empty when it stands alone.
    private let path: String
    /// Whether requests are meant rather than connections, where the fault can happen to both.
    private let prefersRequests: Bool
    /// Whether the times in which it fires may be over, as in a state that was saved before.
    private let takesPast: Bool

    /// A reader at a time of the server's clock.
    package init(now: Int64, path: String = "", prefersRequests: Bool = false, takesPast: Bool = false) {
        self.now = now
        self.path = path
        self.prefersRequests = prefersRequests
        self.takesPast = takesPast
    }

    /// Reads a rule; one without an id gets `id`.
    package func rule(_ document: JSONDocument, _ element: JSONElement, id standardID: String) throws(RuleError) -> Rule
    {
        let object = try RuleObject(
            document, element, path: path, names: Self.members, ignoring: Self.shownMembers)
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
            throw RuleError(
                at("then"), #"A rule needs a "then": what happens, such as {"reason": "TooManyRequests"}."#)
        }
        try RuleStepReader(now: now, path: path).read(document, then, into: &rule)
        rule.source = Rule.Source(
            match: object.source("match"), when: object.source("when"), then: object.source("then") ?? [])
        try checkTimes(rule)
        rule.stage = try stage(object, rule)
        rule.source.namesStage = object.has("stage")
        return rule
    }

    /// The place of a member.
    private func at(_ name: String) -> String { RuleObject.join(path, name) }

    private func matcher(_ document: JSONDocument, _ element: JSONElement) throws(RuleError) -> Matcher {
        do throws(MatcherError) {
            return try Matcher(document, element, path: at("match"), now: now)
        } catch {
            throw RuleError(error.field, error.message, suggestion: error.suggestion)
        }
    }

    private func readConditions(_ object: RuleObject, _ rule: inout Rule) throws(RuleError) {
        guard let element = object["when"] else { return }
        let when = try RuleObject(object.document, element, path: at("when"), names: Self.conditions)
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

    /// The stage that is named, or the first in which the rule can fire.
    private func stage(_ object: RuleObject, _ rule: Rule) throws(RuleError) -> RuleStage {
        let named = try object.word("stage", RuleStage.allCases.map(\.rawValue)).flatMap { RuleStage(rawValue: $0) }
        var stages = named.map { [$0] } ?? rule.faults.first?.stages ?? [.afterValidation, .beforeValidation]
        // Faults in a row may have stages in common that the first one prefers not.
        let shared = stages.filter { stage in rule.faults.allSatisfy { $0.stages.contains(stage) } }
        if named == nil, !shared.isEmpty { stages = shared }
        if prefersRequests { stages = stages.filter { $0 != .connection } + stages.filter { $0 == .connection } }
        var first: RuleError?
        for stage in stages {
            guard let fault = fault(rule, in: stage) else { return stage }
            first = first ?? fault
        }
        throw first ?? object.bad("stage", "a stage")
    }

    /// Why a rule cannot fire in a stage; nil when it can.
    private func fault(_ rule: Rule, in stage: RuleStage) -> RuleError? {
        for kind in rule.faults where !kind.stages.contains(stage) {
            let stages = kind.stages.map(\.rawValue).joined(separator: " or ")
            return RuleError(
                at("stage"), "\(kind.rawValue) cannot happen in the stage \(stage.rawValue); it needs \(stages).")
        }
        if stage == .connection {
            if rule.steps.contains(where: { $0.delay != nil || !$0.isFault }) {
                return RuleError(at("stage"), "A connection can only meet a fault; delays and answers need a request.")
            }
            if ![.all, .connection, .key].contains(rule.scope) {
                return RuleError(
                    at("when.per"), "A connection has no \(rule.scope.rawValue); count by all, connection or key.")
            }
            if Set(rule.steps.map(\.precedesHandshake)).count > 1 {
                return RuleError(
                    at("then.sequence"),
                    "Faults before the TLS handshake and faults after it cannot share a sequence; use two rules.")
            }
        }
        if rule.continues, rule.steps.contains(where: { $0.outcome != nil }) {
            return RuleError(at("continue"), "Only a rule that delays and does nothing else can let others follow.")
        }
        return RuleReach.fault(rule.matcher, stage).map { RuleError(at("match"), "\(at("match")) \($0)") }
    }

    /// Refuses conditions under which the rule would never fire.
    private func checkTimes(_ rule: Rule) throws(RuleError) {
        if rule.probability == 0 {
            throw RuleError(
                at("when.probability"),
                "\(at("when.probability")) is 0, so the rule would never fire; DELETE it instead.")
        }
        if rule.lifetime == 0 {
            throw RuleError(
                at("ttl"), "\(at("ttl")) is 0, so the rule would be over at once; leave it out for a rule that stays.")
        }
        if let from = rule.from, let until = rule.until, from >= until {
            throw RuleError(
                at("when.between"),
                "\(at("when.between")) ends before it begins, so the rule would never fire; the earlier "
                    + "time stands first.")
        }
        if let until = rule.until, until <= now, !takesPast {
            throw RuleError(
                at("when.between"),
                "\(at("when.between")) is over by the server's clock, so the rule would never fire; give a later time, or "
                    + "set the clock first.")
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

import APNs
import JSON
import Simulation

/// Several expectations about the same pushes, and what else must not happen.
package struct VerifyQuestion: Sendable {
    /// One expectation of several.
    struct Expectation: Sendable {
        let name: String
        let filter: Filter
        let subject: ListQuestion.Subject
        let amount: WaitExpectation.Amount
    }

    /// Entries up to this number are not meant.
    let after: UInt64
    /// How long the expectations may take to be met, in milliseconds; nil to judge at once.
    let wait: Int64?
    /// How long it must stay quiet once they are met, in milliseconds.
    let settle: Int64
    /// Whether they must be met in their order.
    let isOrdered: Bool
    /// Whether every accepted push must be expected.
    let forbidsOthers: Bool
    /// Whether no request may be refused, unless that is expected.
    let forbidsRejections: Bool
    /// The findings that no entry may have.
    let forbiddenFindings: [Gate]
    /// Only entries that this matcher means are looked at.
    let scope: Matcher
    let expectations: [Expectation]

    /// The entries that matter.
    var followed: Matcher {
        let isAnyMeant = forbidsOthers || forbidsRejections || !forbiddenFindings.isEmpty
        return isAnyMeant ? scope : scope.and(.any(of: expectations.map(\.filter.matcher)))
    }

    /// Whether the sender's conduct over time matters.
    var asksForConduct: Bool {
        forbiddenFindings.contains { $0.asksForConduct }
            || expectations.contains { $0.filter.matcher.asksForFindings }
    }

    /// Whether something that has not come yet can still fail it once all expectations are met.
    var needsQuiet: Bool {
        forbidsOthers || forbidsRejections || !forbiddenFindings.isEmpty
            || expectations.contains { if case .exactly = $0.amount { true } else { false } }
    }
}

extension VerifyQuestion {
    /// The members of the body.
    static let members: [Parameter] = [
        Parameter(
            "expect",
            .objects([name, Self.match, ListParameters.count, ListParameters.exactly]),
            "What must have arrived; each with `count` (at least so many, 1 unless told) or `exactly`.",
            example: #"[{"match": {"device": "6f1e*"}, "exactly": 1}]"#),
        Parameter(
            "ordered", .boolean,
            "The expectations must be met one after the other, in their order. Pushes that no expectation means may come between; "
                + "`noOthers` forbids them. A push that fits an expectation whose turn it is not is out of order.",
            example: "true",
            standard: "false"),
        Parameter(
            "noOthers", .boolean, "No accepted push may arrive that no expectation means.", example: "true",
            standard: "false"),
        Parameter(
            "noRejections", .boolean, "No request may be refused, unless an expectation means it.", example: "true",
            standard: "false"),
        Parameter(
            "noFindings", .texts,
            "Findings that nothing may have: codes, or `error` and `warning` for all of the severity; those of the sender's conduct count.",
            example: #"["error", "L013"]"#),
        Parameter(
            "scope", .matcher, "Only entries that this matcher means are looked at; all of them without it.",
            example: #"{"topic": "com.acme.*"}"#),
        ListParameters.after,
        Parameter(
            "wait", .duration(maximum: AdminLimits.wait),
            "Block until all is met, or until something cannot be mended, at most this long.", example: "5s"),
        Parameter(
            "settle", .duration(maximum: AdminLimits.wait),
            "The quiet behind the last expected push, when something unexpected could still come; only with `wait`.",
            example: "500ms", standard: DurationText.words(AdminLimits.settle)),
    ]

    private static let name = Parameter(
        "name", .text, "What the answer calls it.", example: "start", standard: "its place, such as `expectation 1`")
    private static let match = Parameter(
        "match", .matcher,
        "The pushes that are meant: accepted ones, unless it asks for `outcome`, `status` or `reason`.",
        example: #"{"device": "6f1e*", "aps.event": "start"}"#)

    /// Reads the body of a call.
    init(_ call: AdminCall) throws(Problem) {
        let body = try BodyFields(call.request.body, Self.members)
        let now = call.simulator.clock.now().machine
        after = try ListQuestion.cursor(body, call.journal)
        wait = try body.duration(ListParameters.wait)
        let settle = try body.duration(ListParameters.settle)
        self.settle = settle ?? AdminLimits.settle
        isOrdered = try body.boolean(named: "ordered")
        forbidsOthers = try body.boolean(named: "noOthers")
        forbidsRejections = try body.boolean(named: "noRejections")
        forbiddenFindings = try Self.findings(body)
        scope = try body.matcher(Self.member("scope"), now: now) ?? Matcher()
        expectations = try Self.expectations(body, now: now)
        let cost = expectations.reduce(scope.cost) { $0 &+ $1.filter.matcher.cost }
        guard cost <= MatchCost.entryLimit else {
            throw WaitProblem.tooCostly(
                "All expectations together can take \(cost) steps for one push; there may be \(MatchCost.entryLimit).",
                budget: MatchCost.entryLimit, used: cost)
        }
        if settle != nil, wait == nil {
            throw Problem(
                .badBody, "\"settle\" is the quiet within \"wait\", which must say how long all of it may take.",
                hint: #"For example: "wait": "5s", "settle": "500ms""#)
        }
        if expectations.isEmpty, !forbidsOthers, !forbidsRejections, forbiddenFindings.isEmpty {
            throw Problem(
                .badBody, "The body expects nothing and forbids nothing, so there is nothing to verify.",
                hint: #"For example: {"expect": [{"match": {"device": "6f1e*"}, "exactly": 1}]}"#)
        }
    }

    fileprivate static func member(_ name: String) -> Parameter {
        members.first { $0.name == name } ?? ListParameters.after
    }

    private static func findings(_ body: BodyFields) throws(Problem) -> [Gate] {
        let field = member("noFindings")
        var gates: [Gate] = []
        for word in try body.texts(field) ?? [] {
            let known = try? Gate(word)
            switch known {
            case .findings, .finding: if let known { gates.append(known) }
            case nil, .rejected, .unusedRules:
                let codes = FindingCode.all.map(\.code.description) + ["error", "warning"]
                throw body.refusal(
                    field, word,
                    hint: NearestName.of(word, among: codes).map { "Did you mean \(quoted($0))?" }
                        ?? "GET /v1/findings lists all codes.")
            }
        }
        return gates
    }

    private static func expectations(_ body: BodyFields, now: Int64) throws(Problem) -> [Expectation] {
        let field = member("expect")
        guard body.has(field), let member = body.members[field.name] else { return [] }
        guard body.document.kind(member) == .array else { throw body.bad(field, member) }
        let elements = body.document.children(of: member)
        guard elements.count <= AdminLimits.expectations else {
            throw Problem(
                .badBody,
                "\"expect\" holds \(elements.count) expectations; expected at most \(AdminLimits.expectations).")
        }
        var expectations: [Expectation] = []
        for (index, element) in elements.enumerated() {
            let path = "expect[\(index)]"
            let expectation = try Self.expectation(element, body.document, path, number: index + 1, now: now)
            if expectations.contains(where: { $0.name == expectation.name }) {
                throw Problem(.badBody, "\(path) has the name \(quoted(expectation.name)), which another one has too.")
            }
            expectations.append(expectation)
        }
        return expectations
    }

    private static func expectation(
        _ element: JSONElement, _ document: JSONDocument, _ path: String, number: Int, now: Int64
    ) throws(Problem) -> Expectation {
        let fields = try BodyFields(
            element, in: document, path: path, [name, match, ListParameters.count, ListParameters.exactly])
        guard fields.has(match), let matching = fields.members[match.name] else {
            throw Problem(
                .badBody, "\(path) has no \"match\"; expected a matcher object.",
                hint: #"For example: {"match": {"device": "6f1e*"}, "exactly": 1}"#)
        }
        let matcher = try fields.matcher(matching, path: "\(path).match", now: now)
        let count = try fields.integer(ListParameters.count)
        let exactly = try fields.integer(ListParameters.exactly)
        if count != nil, exactly != nil {
            throw Problem(.badBody, "\(path) has both \"count\" and \"exactly\"; expected one of them.")
        }
        let given = try fields.text(name)
        if let given, given.isEmpty || given.count > AdminLimits.expectationName {
            throw Problem(
                .badBody,
                "\(path) has a name of \(given.count) characters; expected 1 to \(AdminLimits.expectationName).")
        }
        let subject = matcher.asksForOutcome ? ListQuestion.Subject.requests : .notifications
        return Expectation(
            name: given ?? "expectation \(number)", filter: try Filter(matcher, about: subject), subject: subject,
            amount: exactly.map { .exactly($0) } ?? .atLeast(count ?? 1))
    }
}

extension BodyFields {
    fileprivate func boolean(named name: String) throws(Problem) -> Bool {
        try boolean(VerifyQuestion.member(name)) ?? false
    }
}

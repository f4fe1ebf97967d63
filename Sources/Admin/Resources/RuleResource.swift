import APNs
import JSON
import Simulation

/// Scripted outcomes: rules, and two shorthands for them.
enum RuleResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/rules", .rules, "The rules in the order in which they are asked, and what became of each.",
            details: """
                `remaining` is how often a rule may still fire: of all requests, or of each device, topic … that it has \
                not seen yet; null for no limit. A rule that never fired has `nearest`: the request that came closest, \
                and why it was not touched.
                """,
            answers: [AdminRoute.Answer(200, "`{\"items\": [...], \"seed\": 8831, \"state\": \"start\"}`")],
            examples: [
                AdminRoute.Example("All rules", "/v1/rules"),
                AdminRoute.Example("A line each", "/v1/rules", accept: "text/plain"),
            ], handler: list),
        AdminRoute(
            .post, "/v1/rules", .rules, "Add a rule.",
            details: """
                See [scripting.md](scripting.md) for everything that can stand in `match`, `when` and `then`. Rules of \
                higher priority are asked first, and older ones before newer ones; the first that fires wins.
                """,
            body: body,
            answers: [
                AdminRoute.Answer(201, "The rule."),
                AdminRoute.Answer(409, "The id is taken, or there are too many rules.", .problem), costly,
            ],
            examples: [
                AdminRoute.Example(
                    "The first two tries of every device are throttled", "/v1/rules",
                    body: #"{"id": "flaky", "match": {"topic": "com.acme.*"}, "#
                        + #""when": {"per": "device", "times": 2}, "then": {"reason": "TooManyRequests"}}"#,
                    status: 201),
                AdminRoute.Example(
                    "A tenth of all pushes, always the same ones, waits", "/v1/rules",
                    body:
                        #"{"when": {"probability": 0.1}, "then": {"accept": true, "delay": {"uniform": ["50ms", "2s"]}}}"#,
                    status: 201),
                AdminRoute.Example(
                    "Every hundredth request of a connection is its last", "/v1/rules",
                    body: #"{"then": {"fault": "drop-after", "requests": 100}}"#, status: 201),
            ], tells: .rule, handler: add),
        AdminRoute(
            .put, "/v1/rules", .rules, "Put these rules in the place of all others; their counters begin anew.",
            details: "The body is an array of rules, or an object with such an array as `items`, as GET gives it.",
            body: [Parameter("items", .value("an array of rules"), "The rules.", example: "[]")],
            answers: [
                AdminRoute.Answer(200, "`{\"items\": [...]}`, as GET gives them."),
                AdminRoute.Answer(409, "Two rules have the same id, or there are too many.", .problem), costly,
            ],
            examples: [
                AdminRoute.Example(
                    "One rule and no other", "/v1/rules",
                    body:
                        #"{"items": [{"id": "gone", "match": {"device": "6f1e*"}, "then": {"reason": "Unregistered"}}]}"#
                ),
                AdminRoute.Example("No rules", "/v1/rules", body: "[]"),
            ], tells: .rule, handler: replace),
        AdminRoute(
            .get, "/v1/rules/{id}", .rules, "One rule.",
            answers: [AdminRoute.Answer(200, "The rule."), noRule],
            examples: [AdminRoute.Example("One rule", "/v1/rules/$RULE_ID")], handler: show),
        AdminRoute(
            .patch, "/v1/rules/{id}", .rules, "Change a rule; members that are not named stay, and so do its counters.",
            body: body.filter { $0.name != "id" },
            answers: [AdminRoute.Answer(200, "The rule as it is now."), noRule, costly],
            examples: [
                AdminRoute.Example("Another outcome", "/v1/rules/$RULE_ID", body: #"{"then": {"fault": "hang"}}"#)
            ], tells: .rule, handler: change),
        AdminRoute(
            .delete, "/v1/rules/{id}", .rules, "Forget a rule; answers that wait because of it are cancelled.",
            answers: [AdminRoute.Answer(200, "`{\"removed\": \"flaky\"}`"), noRule],
            examples: [AdminRoute.Example("Forget it", "/v1/rules/$RULE_ID")], tells: .rule, handler: remove),
        AdminRoute(
            .post, "/v1/fail-next", .rules, "Let the next requests fail: a rule in one line.",
            details: """
                Takes what `then` of a rule takes, `times` (1), and what the requests must be. The rule is asked before \
                ordinary ones, stands under `/v1/rules`, and makes room when it is used up.
                """,
            body: failNext,
            answers: [
                AdminRoute.Answer(201, "The rule."), AdminRoute.Answer(409, "There are too many rules.", .problem),
                costly,
            ],
            examples: [
                AdminRoute.Example(
                    "The next two pushes to a device are throttled", "/v1/fail-next",
                    body: #"{"reason": "TooManyRequests", "times": 2, "device": "6f1e*"}"#, status: 201),
                AdminRoute.Example(
                    "The next answer is lost", "/v1/fail-next", body: #"{"fault": "accept-then-drop"}"#, status: 201),
            ], tells: .rule, handler: failNext),
    ]

    private static let costly = AdminRoute.Answer(
        422, "All rules together could take more steps for one push than they may.", .problem)
    private static let noRule = AdminRoute.Answer(404, "No such rule.", .problem)
    private static let body = [
        Parameter(
            "id", .form("1 to \(Rule.idLimit) letters, digits, -, _, . and :"), "The rule's name.",
            example: "flaky", standard: "a new one"),
        Parameter(
            "match", .matcher, "Which requests are meant.", example: #"{"topic": "com.acme.*"}"#,
            standard: "all"),
        Parameter(
            "when", .value("an object with " + RuleReader.conditions.joined(separator: ", ")),
            "Which of those it touches.", example: #"{"times": 2}"#, standard: "all"),
        Parameter(
            "then", .value("an outcome, a delay, or a sequence"), "What then happens.",
            example: #"{"reason": "TooManyRequests"}"#),
        Parameter(
            "stage", .word(RuleStage.allCases.map(\.rawValue)), "When it is asked.", example: "beforeValidation",
            standard: "afterValidation, or connection for faults of connections"),
        Parameter(
            "priority", .integer(-Rule.priorityLimit...Rule.priorityLimit), "Rules of higher priority are asked first.",
            example: "10", standard: "0"),
        Parameter(
            "ttl", .duration(maximum: ClockSetting.differenceLimit), "How long the rule lives.", example: "10m",
            standard: "for ever"),
        Parameter(
            "continue", .boolean, "Whether rules behind it are asked too; for delays only.", example: "true",
            standard: "false"),
        Parameter("note", .text, "For people.", example: "first two tries fail"),
    ]
    private static let failNext: [Parameter] = {
        let described = [
            Parameter("reason", .text, "The refusal.", example: "TooManyRequests"),
            Parameter("fault", .text, "What breaks.", example: "hang"),
            Parameter("times", .integer(1...Rule.countLimit), "How often.", example: "2", standard: "1"),
            Parameter("delay", .value("a delay"), "How long answers wait.", example: #""200ms""#),
            Parameter("match", .matcher, "Which requests are meant.", example: "{}", standard: "all"),
            Parameter("device", .text, "The device token, exact or a glob.", example: "6f1e*"),
            Parameter("topic", .text, "The topic, exact or a glob.", example: "com.acme.*"),
        ]
        let others = FailNext.members.filter { name in !described.contains { $0.name == name } }
        return described + others.map { Parameter($0, .value("as in a rule"), "As in a rule.", example: "…") }
    }()

    // MARK: Reading

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let statuses = call.simulator.script.statuses(now: call.simulator.clock.now().server)
        if call.preference == .text {
            return .now(AdminResponse(text: statuses.map { RuleAnswer.line($0) + "\n" }.joined()))
        }
        return .now(AdminResponse(.json, RuleAnswer(call).list(statuses)))
    }

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        answer(try find(call), call)
    }

    // MARK: Changing

    private static func add(_ call: AdminCall) throws(Problem) -> Answering {
        let script = call.simulator.script
        let document = try RuleBody.document(call)
        let now = call.simulator.clock.now().server
        let made = script.freeID("rule")
        var rule = try RuleBody.reading { () throws(RuleError) in
            try RuleReader(now: now).rule(document, document.root, id: made)
        }
        rule.isNamed = rule.id != made
        try taking { () throws(Script.Refusal) in try script.add(rule) }
        return answer(try find(rule.id, call), status: 201, call)
    }

    private static func failNext(_ call: AdminCall) throws(Problem) -> Answering {
        let script = call.simulator.script
        let document = try RuleBody.document(call)
        let now = call.simulator.clock.now().server
        let made = script.freeID("fail-next")
        var rule = try RuleBody.reading { () throws(RuleError) in
            try FailNext.rule(document, document.root, id: made, now: now)
        }
        rule.isNamed = rule.id != made
        try taking { () throws(Script.Refusal) in try script.add(rule) }
        return answer(try find(rule.id, call), status: 201, call)
    }

    private static func replace(_ call: AdminCall) throws(Problem) -> Answering {
        let script = call.simulator.script
        let document = try RuleBody.document(call)
        let now = call.simulator.clock.now().server
        let rules = try RuleBody.rules(document, now: now)
        try taking { () throws(Script.Refusal) in try script.replace(with: rules) }
        return try list(call)
    }

    private static func change(_ call: AdminCall) throws(Problem) -> Answering {
        let status = try find(call)
        let changes = try RuleBody.document(call)
        if let member = changes.member("id", of: changes.root), changes.string(member) != status.rule.id {
            throw Problem(.badBody, "The id of a rule cannot be changed.", hint: "DELETE it and POST another.")
        }
        var document = JSONDocument()
        _ = document.parse(RuleWriter.merged(status.rule, changes, changes.root))
        let now = call.simulator.clock.now().server
        let rule = try RuleBody.reading { () throws(RuleError) in
            try RuleReader(now: now, takesPast: changes.member("when", of: changes.root) == nil)
                .rule(document, document.root, id: status.rule.id)
        }
        var isThere = false
        try taking { () throws(Script.Refusal) in
            do throws(Script.Cost) {
                isThere = try call.simulator.script.update(status.rule.id, to: rule)
            } catch {
                throw .tooCostly(error)
            }
        }
        guard isThere else { throw missing(status.rule.id, call) }
        return answer(try find(rule.id, call), call)
    }

    private static func remove(_ call: AdminCall) throws(Problem) -> Answering {
        let id = try find(call).rule.id
        guard call.simulator.script.remove(id) else { throw missing(id, call) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("removed")
        writer.string(id)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    // MARK: Answers

    private static func find(_ call: AdminCall) throws(Problem) -> Script.Status {
        try find(call.captures["id"] ?? "", call)
    }

    private static func find(_ id: String, _ call: AdminCall) throws(Problem) -> Script.Status {
        let statuses = call.simulator.script.statuses(now: call.simulator.clock.now().server)
        guard let status = statuses.first(where: { $0.rule.id == id }) else { throw missing(id, call) }
        return status
    }

    private static func missing(_ id: String, _ call: AdminCall) -> Problem {
        let known = call.simulator.script.rules(now: call.simulator.clock.now().server).map(\.id)
        return Problem(
            .notFound, title: "No such rule", "There is no rule \(quoted(id)).",
            hint: NearestName.of(id, among: known).map { "Did you mean \($0)?" } ?? "GET /v1/rules lists all.")
    }

    private static func answer(_ status: Script.Status, status code: Int = 200, _ call: AdminCall) -> Answering {
        if call.preference == .text { return .now(AdminResponse(status: code, text: RuleAnswer.line(status) + "\n")) }
        return .now(AdminResponse(status: code, .json, RuleAnswer(call).one(status)))
    }

    /// The refusal of rules that could hold up a push.
    static func tooCostly(_ cost: Script.Cost) -> Problem {
        var problem = Problem(
            .tooCostly, title: "The rules could hold up every push", cost.words,
            hint:
                "Match by device or topic, exactly or with a glob that ends in *; search shorter fields; write simpler "
                + "expressions; or DELETE rules that are done.")
        problem.members = { writer in
            writer.key("budget")
            writer.integer(MatchCost.ruleLimit)
            writer.key("used")
            writer.integer(cost.all)
        }
        return problem
    }

    /// Does something that the script may refuse.
    static func taking(_ body: () throws(Script.Refusal) -> Void) throws(Problem) {
        do throws(Script.Refusal) {
            try body()
        } catch {
            switch error {
            case .taken(let id):
                throw Problem(
                    .conflict, "There is a rule \(quoted(id)) already.",
                    hint: "PATCH /v1/rules/\(id) changes it, DELETE forgets it; a rule without id gets a new one.")
            case .full:
                throw Problem(
                    .conflict, title: "Too many rules", "There are \(Script.ruleLimit) rules, which is the limit.",
                    hint: "DELETE /v1/rules/… those that are done, or PUT /v1/rules [] for none.")
            case .tooCostly(let cost): throw tooCostly(cost)
            }
        }
    }
}

import JSON
import Simulation

/// Failures at random.
enum ChaosResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/chaos", .rules, "The failures at random that are on.",
            answers: [AdminRoute.Answer(200, "`{\"active\": false}`, or what was put there.")],
            examples: [AdminRoute.Example("Is there any?", "/v1/chaos")], handler: show),
        AdminRoute(
            .put, "/v1/chaos", .rules, "Let pushes fail at random: a set of rules that can be read under `/v1/rules`.",
            details: """
                Chance is a function of the seed, the device and the try, so that the same pushes fail each time. The \
                rules are asked after all others.
                """,
            body: [
                Parameter("rejectPercent", .value("a number from 0 to 100"), "How many are refused.", example: "5"),
                Parameter(
                    "reasons", .texts, "By which reasons, each as often as the others.",
                    example: "InternalServerError,ServiceUnavailable", standard: "these two"),
                Parameter("latency", .value("a delay"), "How long answers wait.", example: #""80ms""#),
                Parameter(
                    "dropPercent", .value("a number from 0 to 100"), "How many lose their answer and connection.",
                    example: "0.5"),
                Parameter(
                    "goawayEvery", .integer(1...Rule.countLimit), "After how many requests a connection gets GOAWAY.",
                    example: "200"),
                Parameter(
                    "match", .matcher, "Which requests are meant.", example: "{}", standard: "all"),
            ],
            answers: [AdminRoute.Answer(200, "What is on now.")],
            examples: [
                AdminRoute.Example("One push in twenty fails", "/v1/chaos", body: #"{"rejectPercent": 5}"#),
                AdminRoute.Example(
                    "A bad day", "/v1/chaos",
                    body: #"{"rejectPercent": 5, "reasons": ["InternalServerError", "ServiceUnavailable"], "#
                        + #""latency": {"lognormal": {"median": "80ms", "sigma": 0.4, "max": "2s"}}, "#
                        + #""dropPercent": 0.5, "goawayEvery": 200}"#),
            ], tells: .rule, handler: set),
        AdminRoute(
            .delete, "/v1/chaos", .rules, "No failures at random any more; what waits because of them is cancelled.",
            answers: [AdminRoute.Answer(200, "`{\"active\": false}`")],
            examples: [AdminRoute.Example("End it", "/v1/chaos")], tells: .rule, handler: end),
    ]

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        let chaos = call.simulator.script.chaos
        let rules = call.simulator.script.rules(now: call.simulator.clock.now().server)
            .filter { $0.origin == .chaos }
        if call.preference == .text {
            let text = chaos.map { String(decoding: $0.source, as: UTF8.self) } ?? "off"
            return .now(AdminResponse(text: text + "\n"))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("active")
        writer.boolean(chaos != nil)
        if let chaos {
            writer.key("chaos")
            writer.raw(chaos.source)
        }
        writer.key("seed")
        writer.integer(call.simulator.script.seed)
        writer.key("rules")
        writer.beginArray()
        for rule in rules { writer.string(rule.id) }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func set(_ call: AdminCall) throws(Problem) -> Answering {
        let document = try RuleBody.document(call)
        let now = call.simulator.clock.now().server
        let (chaos, rules) = try RuleBody.reading { () throws(RuleError) in
            let chaos = try Chaos(document, document.root)
            return (chaos, try chaos.rules(now: now))
        }
        try RuleResource.taking { () throws(Script.Refusal) in try call.simulator.script.begin(chaos, rules) }
        return try show(call)
    }

    private static func end(_ call: AdminCall) throws(Problem) -> Answering {
        call.simulator.script.endChaos()
        return try show(call)
    }
}

import APNs
import HTTP
import JSON
import Simulation

/// Device tokens that spell what becomes of pushes to them.
enum TokenResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/tokens", .rules, "The outcomes that device tokens can spell.",
            details: """
                A push to such a token meets its outcome without any rule, if it is valid otherwise. The 32 bytes are, in \
                hexadecimal digits: `6d6f636b` (\"mock\"), the status in decimal digits, the index of the reason, how many \
                tries fail before the others are accepted (`00` for all), the delay in units of 10 ms in decimal digits, \
                and a tail that makes tokens distinct. `--no-magic-tokens` switches them off.
                """,
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`; as text a line each.")],
            examples: [AdminRoute.Example("The table", "/v1/tokens")], handler: list),
        AdminRoute(
            .post, "/v1/tokens", .rules, "Make device tokens that spell an outcome; without a reason, random ones.",
            body: [reason, failFirst, delay, count],
            answers: [AdminRoute.Answer(201, "`{\"token\": \"…\", \"tokens\": [...]}`; as text a token a line.")],
            examples: [
                AdminRoute.Example(
                    "Two tries fail, the third is accepted", "/v1/tokens",
                    body: #"{"reason": "TooManyRequests", "failFirst": 2}"#, status: 201),
                AdminRoute.Example("Accepted after a while", "/v1/tokens", body: #"{"delay": "1500ms"}"#, status: 201),
            ], handler: make),
    ]

    private static let reason = Parameter(
        "reason", .word(MagicToken.table.map { $0.reason.spelling().description }), "Why pushes to them are refused.",
        example: "Unregistered", standard: "they are accepted")
    private static let failFirst = Parameter(
        "failFirst", .integer(0...MagicToken.failFirstLimit), "How many tries fail before the others are accepted.",
        example: "2", standard: "0, for all")
    private static let delay = Parameter(
        "delay", .duration(maximum: MagicToken.delayLimit), "How long answers wait, to 10 ms.", example: "1500ms",
        standard: "0")
    private static let count = Parameter(
        "count", .integer(1...AdminLimits.page), "How many tokens.", example: "3", standard: "1")

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        var random = FastRandom(seed: 0)
        let rows = MagicToken.table.map { ($0.reason, $0.index, MagicToken(reason: $0.reason).text(using: &random)) }
        if call.preference == .text {
            let lines = rows.map { "\($0.2)  \($0.0.status)  \($0.0.spelling())\n" }
            return .now(AdminResponse(text: lines.joined()))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("active")
        writer.boolean(call.simulator.configuration.acceptsMagicTokens)
        writer.key("items")
        writer.beginArray()
        for (reason, index, example) in rows {
            writer.beginObject()
            writer.key("reason")
            writer.string(constant: reason.spelling())
            writer.key("status")
            writer.integer(reason.status)
            writer.key("index")
            writer.integer(index)
            writer.key("prefix")
            writer.string(String(example.prefix(14)))
            writer.key("example")
            writer.string(example)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func make(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [reason, failFirst, delay, count])
        let word = try body.word(reason)
        var wait: Int64 = 0
        if body.has(delay) {
            guard let milliseconds = try body.difference(delay), (0...MagicToken.delayLimit).contains(milliseconds)
            else {
                throw Problem(.badBody, "The member \"delay\" is out of range; expected \(delay.expected).")
            }
            wait = milliseconds
        }
        let failing = try body.integer(failFirst) ?? 0
        if failing > 0, word == nil {
            throw Problem(
                .badBody,
                "The body has \"failFirst\" without a \"reason\"; expected what the first tries are refused with.")
        }
        let magic = MagicToken(reason: word.flatMap { Reason(wire: $0) }, failFirst: failing, delay: wait)
        var random = FastRandom()
        let tokens = (0..<(try body.integer(count) ?? 1)).map { _ in magic.text(using: &random) }
        if call.preference == .text {
            return .now(AdminResponse(status: 201, text: tokens.map { $0 + "\n" }.joined()))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("token")
        writer.string(tokens.first)
        writer.key("tokens")
        writer.beginArray()
        for token in tokens { writer.string(token) }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(status: 201, .json, writer.bytes))
    }
}

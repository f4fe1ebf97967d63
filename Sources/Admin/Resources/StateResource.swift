import JSON
import Simulation

/// The state of a namespace: where its journal stands, and how to begin anew.
enum StateResource {
    /// What a reset can leave as it is. A server that has nothing of a kind accepts the word all the same.
    static let keepable = ["journal", "keys", "certs", "devices", "channels", "rules", "clock"]

    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/cursor", .state, "The number of the last entry: take it before acting.",
            details: """
                Give it as `after` to ask about what came later. Every answer carries it too, in the field \
                `mock-apns-cursor`.
                """,
            answers: [AdminRoute.Answer(200, "`{\"cursor\": 1042}`; as text the number alone.")],
            examples: [
                AdminRoute.Example("Take the cursor", "/v1/cursor"),
                AdminRoute.Example("For a shell variable", "/v1/cursor", accept: "text/plain"),
            ], handler: cursor),
        AdminRoute(
            .post, "/v1/reset", .state, "Back to the state at start.",
            details: """
                Forgets the journal and ends waiting calls with 410. Numbers go on, so cursors stay good. `keep` leaves \
                parts as they are; it may stand in the query or in the body.
                """,
            parameters: [keep], body: [keep],
            answers: [AdminRoute.Answer(200, "What was reset and what was kept.")],
            examples: [
                AdminRoute.Example("Begin anew", "/v1/reset"),
                AdminRoute.Example("Keep the entries", "/v1/reset", body: #"{"keep": ["journal"]}"#),
            ], handler: reset),
    ]

    private static let keep = Parameter("keep", .words(keepable), "What stays as it is.", example: "keys,devices")

    private static func cursor(_ call: AdminCall) throws(Problem) -> Answering {
        let cursor = call.journal.cursor
        if call.preference == .text { return .now(AdminResponse(text: "\(cursor)\n")) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("cursor")
        writer.integer(cursor)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    /// A part that is kept keeps what depends on it too: known provider tokens stay with their keys.
    private static func reset(_ simulator: Simulator, keeping kept: Set<String>) {
        if kept.isEmpty { return simulator.reset() }
        if !kept.contains("keys") { simulator.keys.reset() }
        if !kept.contains("channels") { simulator.channels.reset() }
        if !kept.contains("devices") { simulator.resetDevices() }
        if !kept.contains("certs") { simulator.certificates.reset() }
        if !kept.contains("clock") { simulator.clock.reset() }
        if kept.contains("rules") { simulator.script.cancelWaiting() } else { simulator.script.reset() }
        if !kept.contains("journal") { simulator.journal.reset() }
    }

    private static func reset(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [keep])
        let kept = Set(try call.query.values(keep.name) + body.words(keep))
        reset(call.simulator, keeping: kept)
        var writer = JSONWriter()
        writer.beginObject()
        for (name, isKept) in [("reset", false), ("kept", true)] as [(StaticString, Bool)] {
            writer.key(name)
            writer.beginArray()
            for word in keepable where kept.contains(word) == isKept { writer.string(word) }
            writer.endArray()
        }
        writer.key("cursor")
        writer.integer(call.journal.cursor)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }
}

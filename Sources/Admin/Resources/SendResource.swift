import APNs
import JSON
import Simulation

/// Pushes that the server sends to itself.
enum SendResource {
    /// Its row of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .post, "/v1/send", .requests, "Send a push to this server's own APNs port, or one again.",
            details: """
                The push goes the whole way: over TLS and HTTP/2 to the first listener of the server, or to that of the \
                namespace, and nowhere else. The body says what `POST /v1/explain` would judge; the server signs a \
                provider token unless `authorization` is among the `headers`. With `replay` an entry is sent again as it \
                came, its bytes included; its provider token is signed anew when it was good and the server has its key. \
                `id` in the answer is the new entry; without an answer `status` is null and `failure` says why.
                """,
            body: SendOrder.members,
            answers: [
                AdminRoute.Answer(
                    200, "`{\"status\": 200, \"reason\": null, \"apnsId\": \"…\", \"id\": \"n_…\", \"failure\": null}`"),
                AdminRoute.Answer(404, "No such entry is held.", .problem),
                AdminRoute.Answer(409, "The key cannot sign here, or the entry cannot be sent again.", .problem),
            ],
            examples: [
                AdminRoute.Example(
                    "An alert", "/v1/send",
                    body:
                        #"{"device": "\#(exampleDevice)", "headers": {"apns-topic": "com.acme.app", "apns-push-type": "alert"}, "#
                        + #""payload": {"aps": {"alert": "Hi"}}}"#),
                AdminRoute.Example(
                    "The first push again, as a line", "/v1/send", accept: "text/plain", body: #"{"replay": "1"}"#),
            ], handler: send)
    ]

    private static let exampleDevice = String(repeating: "6f1e", count: 16)

    private static func send(_ call: AdminCall) throws(Problem) -> Answering {
        let order = try SendOrder(call).order
        let (journal, preference) = (call.journal, call.preference)
        let cursor = journal.cursor
        let send = call.environment.send
        return .later { done in
            send(order) { answer in done(Self.response(answer, journal, after: cursor, preference)) }
        }
    }

    private static func response(
        _ answer: PushAnswer, _ journal: Journal, after cursor: UInt64, _ preference: ContentPreference
    ) -> AdminResponse {
        let id = answer.header("apns-id")
        var document = JSONDocument()
        let isJSON = document.parse(answer.body) == nil
        let reason = isJSON ? document.element(at: "reason").flatMap { document.string($0) } : nil
        if preference == .text {
            let words = [answer.status.map { "\($0)" }, reason, id.map { "apns-id \($0)" }, answer.failure]
            return AdminResponse(text: words.compactMap { $0 }.joined(separator: " ") + "\n")
        }
        // An entry is journaled before its answer leaves.
        let entry = journal.snapshot(after: cursor).entries.last { entry in
            id != nil && entry.content.apnsID.map { "\($0)".lowercased() } == id?.lowercased()
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("status")
        writer.integer(answer.status)
        for (name, text) in [
            ("reason", reason), ("apnsId", id), ("id", entry.map { journal.renderer.id(of: $0) }),
            ("failure", answer.failure),
        ] {
            writer.key(dynamic: name)
            writer.string(text)
        }
        writer.endObject()
        return AdminResponse(.json, writer.bytes)
    }
}

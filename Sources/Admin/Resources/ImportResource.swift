import JSON
import Simulation

/// Entries of another server, or of another run, put into the journal.
enum ImportResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .post, "/v1/import", .requests, "Put entries into the journal that an export, a log or a list holds.",
            details: """
                They get new numbers, in the order in which they stand there, and keep their ids; each has the member \
                `restored`. One whose id is held already is skipped, so importing the same again changes nothing. Whatever \
                namespace they were in, they come into the one that is called. To whoever waits or reads events they are \
                new entries; counters are about what the server received. They are written to the inspection log.

                All of a call is taken, or, when one entry cannot be understood, nothing. A body may have \
                \(AdminLimits.bodyBytes >> 20) MiB: `mock-apns import FILE` cuts a file into calls.
                """,
            body: [entries],
            answers: [
                AdminRoute.Answer(
                    200, "`imported` and `skipped` count entries; `first` is the lowest new number, or null."),
                AdminRoute.Answer(503, "The inspection log cannot be written.", .problem),
            ],
            examples: [AdminRoute.Example("One entry of a log", "/v1/import", body: example)], handler: take)
    ]

    private static let entries = Parameter(
        "entries", .value("an array of entries"), "What lines of an export or a log hold, and items of a list.",
        example: #"[{"id": "n_k3x9_7", …}]"#)

    private static let example = """
        {"entries": [{"id": "n_k3x9_7", "seq": 7, "outcome": "accepted", "receivedAt": "2026-01-15T09:30:00.123Z", \
        "device": "\(String(repeating: "6f1e", count: 16))", "topic": "com.acme.app", "pushType": "alert", "priority": 10, \
        "payload": {"aps": {"alert": "Shipped"}}, "payloadBytes": 29, "payloadLimit": 4096, "auth": {"method": "none"}, \
        "connection": {"id": "c1", "peer": "127.0.0.1:53122", "listener": "127.0.0.1:2197", "stream": 1, \
        "requestsOnConnection": 1}, "response": {"status": 200, "reason": null, "afterMs": 2}}]}
        """

    private static func take(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [entries])
        guard let list = body.members[entries.name], body.document.kind(list) == .array else {
            throw Problem(
                .badBody, "The body has no array \"entries\"; expected \(entries.expected).",
                hint: "mock-apns import FILE sends the lines of an export or a log.")
        }
        var reader = EntryReader()
        var read: [JournalEntry] = []
        for (index, element) in body.document.children(of: list).enumerated() {
            guard let object = EntryObject(body.document, element) else {
                throw Problem(
                    .badBody,
                    "$.entries[\(index)]: found \(body.document.written(element, limit: 80)); expected an object.")
            }
            do throws(EntryReader.Fault) {
                read.append(try reader.entry(object))
            } catch {
                let place = error.path.isEmpty ? "" : ".\(error.path)"
                throw Problem(.badBody, "$.entries[\(index)]\(place): \(error.message).")
            }
        }
        guard let added = call.journal.add(restored: read) else {
            throw Problem(.unavailable, call.journal.logFailure ?? "The inspection log cannot be written.")
        }
        call.worlds.trim()
        return .now(AdminResponse(.json, answer(added, of: read.count, call.journal)))
    }

    private static func answer(_ added: [JournalEntry], of count: Int, _ journal: Journal) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("imported")
        writer.integer(added.count)
        writer.key("skipped")
        writer.integer(count - added.count)
        writer.key("first")
        if let first = added.first { writer.integer(first.seq) } else { writer.null() }
        writer.key("cursor")
        writer.integer(journal.cursor)
        writer.endObject()
        return writer.bytes
    }
}

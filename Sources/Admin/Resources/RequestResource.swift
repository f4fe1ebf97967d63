import HTTP
import JSON
import Simulation

/// The inspection log: everything that arrived, refused requests and broken connections included.
enum RequestResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/requests", .requests, "Everything that arrived: accepted, rejected, faulted, broken.",
            details: """
                The same filters and the same waiting as `/v1/notifications`, and besides them what the answer was. \
                Rejected requests carry `rejection`: the explanation, the fix, and every check in Apple's order.
                """,
            parameters: FilterParameters.all + [ListParameters.after]
                + ListParameters.page + ListParameters.expectation,
            takesPaths: true, answers: ListAnswers.all,
            examples: [
                AdminRoute.Example("What was refused, newest first", "/v1/requests?outcome=rejected&order=desc"),
                AdminRoute.Example(
                    "No refusal within half a second",
                    "/v1/requests?outcome=rejected,broken&after=now&exactly=0&wait=500ms"),
                AdminRoute.Example("As lines for people", "/v1/requests?limit=20&order=desc", accept: "text/plain"),
            ]
        ) { call throws(Problem) in .ask(try ListQuestion(call, about: .requests, form: .list)) },
        AdminRoute(
            .post, "/v1/requests/query", .requests, "The same with a matcher object in the body.",
            details: """
                For what a query string cannot say: comparisons, regular expressions, `not` and `anyOf`. The answer is \
                that of `GET /v1/requests`; `"outcome": "accepted"` restricts it to pushes that were accepted.
                """,
            body: [match, ListParameters.after] + ListParameters.page + ListParameters.expectation,
            answers: ListAnswers.all,
            examples: [
                AdminRoute.Example(
                    "A badge above zero, to either of two topics", "/v1/requests/query",
                    body: """
                        {"match": {"topic": "com.acme.*", "aps.badge": {"gt": 0}, "anyOf": [{"pushType": "alert"}, \
                        {"header.apns-collapse-id": {"exists": true}}]}, "limit": 10}
                        """),
                AdminRoute.Example(
                    "Wait for an accepted push whose order begins with 4", "/v1/requests/query",
                    body: """
                        {"match": {"outcome": "accepted", "payload.orderId": {"regex": "^4"}, \
                        "not": {"pushType": "background"}}, "exactly": 1, "wait": "5s"}
                        """),
            ], handler: query),
        AdminRoute(
            .delete, "/v1/requests", .requests, "Forget entries; all of them, or those that match.",
            details: "Numbers go on: a cursor taken before stays good. Counters, keys and the log file are untouched.",
            parameters: FilterParameters.all, takesPaths: true,
            answers: [AdminRoute.Answer(200, "How many were forgotten.")],
            examples: [
                AdminRoute.Example("Forget the pushes to one device", "/v1/requests?device=$TOKEN"),
                AdminRoute.Example("Forget everything", "/v1/requests"),
            ], handler: forget),
        AdminRoute(
            .get, "/v1/requests/{id}", .requests, "One entry.",
            details: "`{id}` is an entry's `id`, or its `seq`.",
            parameters: [ListParameters.fields],
            answers: [
                AdminRoute.Answer(200, "The entry."), AdminRoute.Answer(404, "No such entry is held.", .problem),
            ],
            examples: [AdminRoute.Example("One entry", "/v1/requests/$ID")], handler: one),
        AdminRoute(
            .get, "/v1/requests/{id}/raw", .requests, "The exact header fields and body bytes of one entry.",
            details: """
                One line `name: value` for each field in the order of arrival, a blank line, then the body as it \
                arrived, byte for byte. Of a broken connection: its first bytes.
                """,
            answers: [
                AdminRoute.Answer(200, "The request.", .text),
                AdminRoute.Answer(404, "No such entry is held.", .problem),
            ],
            examples: [AdminRoute.Example("As it arrived", "/v1/requests/$ID/raw")], handler: raw),
    ]

    private static let match = Parameter(
        "match", .matcher, "Which entries are meant; all of them without it.", example: #"{"device": "6f1e*"}"#)

    private static func query(_ call: AdminCall) throws(Problem) -> Answering {
        let fields = [match, ListParameters.after] + ListParameters.page + ListParameters.expectation
        let body = try BodyFields(call.request.body, fields)
        let matcher = try body.matcher(match, now: call.simulator.clock.now().machine) ?? Matcher()
        return .ask(try ListQuestion(body, try Filter(matcher), about: .requests, form: .list, call.journal))
    }

    private static func one(_ call: AdminCall) throws(Problem) -> Answering {
        let entry = try entry(call)
        let projection = try Projection(call.query)
        if call.preference == .text { return .now(AdminResponse(text: EntryLines([entry]).text)) }
        var writer = JSONWriter()
        call.journal.renderer.write(entry, showing: call.journal.remarks[entry.seq] ?? [], to: &writer)
        guard let projection else { return .now(AdminResponse(.json, writer.bytes)) }
        var shown = JSONWriter()
        projection.write(writer.bytes, to: &shown)
        return .now(AdminResponse(.json, shown.bytes))
    }

    private static func raw(_ call: AdminCall) throws(Problem) -> Answering {
        let content = try entry(call).content
        if let breakage = content.breakage { return .now(AdminResponse(.bytes, breakage.firstBytes)) }
        let request = content.request
        var bytes: [UInt8] = []
        for field in request.fields {
            bytes += request.storage[field.nameRange]
            bytes += Array(": ".utf8)
            bytes += request.storage[field.valueRange]
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(UInt8(ascii: "\n"))
        bytes += request.storage[request.bodyRange]
        return .now(AdminResponse(.text, bytes))
    }

    private static func forget(_ call: AdminCall) throws(Problem) -> Answering {
        let filter = try Filter(call, about: .requests)
        try filter.checkCost(of: call.journal.snapshot().entries.count)
        let removed = call.journal.remove(matching: filter.matcher)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("removed")
        writer.integer(removed)
        writer.key("cursor")
        writer.integer(call.journal.cursor)
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    /// The entry that the path names.
    static func entry(_ call: AdminCall) throws(Problem) -> JournalEntry {
        try entry(call, id: call.captures["id"] ?? "")
    }

    /// The entry of an id or a number.
    static func entry(_ call: AdminCall, id: String) throws(Problem) -> JournalEntry {
        if let entry = call.journal.entry(id: id) { return entry }
        let snapshot = call.journal.snapshot(after: call.journal.cursor)
        throw Problem(
            .notFound, "The journal holds no entry \(quoted(id)).",
            hint:
                "It holds #\(snapshot.oldest) to #\(snapshot.cursor); older entries were evicted or deleted. After "
                + "a restart only those are held that --resume or `mock-apns import` put back.")
    }
}

/// What happens, as it happens.
enum EventResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/events", .requests, "A stream of what happens: server-sent events, or one JSON object a line.",
            details: """
                With `Accept: text/event-stream`, or none, server-sent events; with `Accept: application/x-ndjson` one \
                JSON object a line, whose member `event` is the type; with `Accept: text/plain` one line for people for \
                each entry. The data of entries are the objects of the list. The id of an event is the number of its \
                entry, so a browser that comes back goes on where it was (`Last-Event-ID`).

                | event | tells |
                | --- | --- |
                \(EventType.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" }.joined(separator: "\n"))

                Filters choose among entries, and so among `notification`, `rejected`, `faulted`, `broken` and \
                `completed`. The event of a request that a rule keeps waiting comes at once, with the state `pending`; \
                `completed` says what became of it. All namespaces share the connections.

                A guest that reads slowly is not waited for: when entries that it has not read are evicted from the \
                journal, `evicted` says which (`{"from": 900, "to": 950}`). Other events are kept for nobody; when more \
                than \(AdminLimits.eventBytes >> 10) KiB wait for the guest, `evicted` says afterwards how many of each type were \
                left out (`{"leftOut": {"clock": 2, "connection": 17}}`). While nothing happens a comment (or `heartbeat`) comes every \
                \(DurationText.words(AdminLimits.heartbeat)). At most \(AdminLimits.eventClients) guests may read.
                """,
            parameters: FilterParameters.all + [EventQuestion.after, EventQuestion.types], takesPaths: true,
            answers: [
                AdminRoute.Answer(200, "The stream, which has no end but the server's.", .events),
                AdminRoute.Answer(200, "The same, one JSON object a line.", .lines),
                AdminRoute.Answer(200, "The same, for people.", .text),
                AdminRoute.Answer(429, "Too many guests read events.", .problem),
                AdminRoute.Answer(503, "The server stops.", .problem),
            ],
            examples: [
                AdminRoute.Example("Everything from now on", "/v1/events"),
                AdminRoute.Example(
                    "Refusals since a cursor, for jq", "/v1/events?types=rejected,broken&after=$CURSOR",
                    accept: "application/x-ndjson"),
                AdminRoute.Example(
                    "What becomes of pushes that wait", "/v1/events?types=notification,completed",
                    accept: "application/x-ndjson"),
                AdminRoute.Example("Who comes and goes", "/v1/events?types=connection", accept: "text/plain"),
                AdminRoute.Example(
                    "Pushes to one device, as lines", "/v1/events?device=$TOKEN&after=0", accept: "text/plain"),
            ]
        ) { call throws(Problem) in .stream(try EventQuestion(call)) }
    ]
}

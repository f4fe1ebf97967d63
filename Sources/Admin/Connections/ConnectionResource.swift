import JSON
import Simulation

/// The connections of the server: handshakes, streams, GOAWAYs and ends.
enum ConnectionResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/connections", .requests, "The connections that are open, and the last that have ended.",
            details: """
                In the order of opening, the newest \(AdminLimits.pageDefault) unless `limit` says otherwise. `state` is \
                `opening` before HTTP begins, `open`, `ended`, or `failed` for a connection that never got as far as HTTP: \
                `failure` has the cause and the sentence for people. The last \(ConnectionStore.endedLimit) connections \
                that have ended are held; `forgotten` counts the others. `tls` is null without TLS; `paused` is true while \
                the peer is not read from, because it does not take its answers. Connections of HTTP/1.1 are known from \
                their first request on, and have no streams. All namespaces share the connections, and no reset forgets \
                them.
                """,
            parameters: [state, limit],
            answers: [
                AdminRoute.Answer(
                    200, "`{\"items\": […], \"matched\": 1, \"returned\": 1, \"opened\": 1, \"forgotten\": 0}`.")
            ],
            examples: [
                AdminRoute.Example("Who is connected, and over which TLS?", "/v1/connections?state=open"),
                AdminRoute.Example("Which handshakes failed, and why?", "/v1/connections?state=failed"),
                AdminRoute.Example("As lines for people", "/v1/connections", accept: "text/plain"),
            ], handler: list),
        AdminRoute(
            .get, "/v1/connections/{id}", .requests, "One connection.",
            details: "`{id}` is what entries have as `connection.id`: `c7`.",
            answers: [
                AdminRoute.Answer(200, "The connection."),
                AdminRoute.Answer(404, "No such connection is held.", .problem),
            ],
            examples: [AdminRoute.Example("How did this connection end?", "/v1/connections/c7")], handler: one),
    ]

    private static let state = Parameter(
        "state", .words(ConnectionRecord.State.allCases.map(\.rawValue)), "How far the connection has come.",
        example: "failed")
    private static let limit = Parameter(
        "limit", .integer(1...AdminLimits.page), "At most so many connections, the newest.", example: "20",
        standard: String(AdminLimits.pageDefault))

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let states = try call.query.values(state.name)
        let limit = try call.query.integer(limit.name) ?? AdminLimits.pageDefault
        let snapshot = call.environment.connections.snapshot
        let matching = snapshot.records.filter { states.isEmpty || states.contains($0.details.state.rawValue) }
        let shown = matching.suffix(limit)
        if call.preference == .text {
            return .now(AdminResponse(text: shown.map { ConnectionWriter.line($0.snapshot) }.joined()))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for record in shown { ConnectionWriter.write(record.snapshot, to: &writer) }
        writer.endArray()
        let counts: [(StaticString, Int)] = [
            ("matched", matching.count), ("returned", shown.count), ("opened", snapshot.opened),
            ("forgotten", snapshot.forgotten),
        ]
        for (name, value) in counts {
            writer.key(name)
            writer.integer(value)
        }
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func one(_ call: AdminCall) throws(Problem) -> Answering {
        let id = call.captures["id"] ?? ""
        let number = UInt64(id.hasPrefix("c") ? id.dropFirst() : id[...])
        guard let record = number.flatMap({ call.environment.connections.record($0) }) else {
            throw Problem(
                .notFound, "No connection \(quoted(id)) is held.",
                hint:
                    "An id is a c and a number, as in `connection.id` of an entry; of the connections that have ended the "
                    + "last \(ConnectionStore.endedLimit) are held.")
        }
        if call.preference == .text { return .now(AdminResponse(text: ConnectionWriter.line(record.snapshot))) }
        var writer = JSONWriter()
        ConnectionWriter.write(record.snapshot, to: &writer)
        return .now(AdminResponse(.json, writer.bytes))
    }
}

import JSON

/// Health checks: no token, no namespace.
enum ProbeResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/livez", .probes, "200 while the server runs.",
            answers: [AdminRoute.Answer(200, "`ok`", .text)],
            examples: [AdminRoute.Example("Alive?", "/livez")], isProbe: true
        ) { _ throws(Problem) in .now(AdminResponse(text: "ok\n")) },
        AdminRoute(
            .get, "/readyz", .probes, "200 once every listener is bound and certificates are loaded.",
            answers: [
                AdminRoute.Answer(200, "`ok`", .text),
                AdminRoute.Answer(503, "`waitingFor` says what is missing.", .problem),
            ],
            examples: [AdminRoute.Example("Ready?", "/readyz")], isProbe: true, handler: ready),
    ]

    private static func ready(_ call: AdminCall) throws(Problem) -> Answering {
        let missing = call.environment.waitingFor()
        if missing.isEmpty { return .now(AdminResponse(text: "ok\n")) }
        var problem = Problem(.notReady, "Waiting for: \(missing.joined(separator: ", ")).")
        problem.members = { writer in
            writer.key("waitingFor")
            writer.beginArray()
            for name in missing { writer.string(name) }
            writer.endArray()
        }
        throw problem
    }
}

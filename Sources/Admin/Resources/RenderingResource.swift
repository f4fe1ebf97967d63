import APNs
import Simulation

/// One entry in the forms in which people pass it on.
enum RenderingResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/requests/{id}/curl", .requests, "The request as a curl command that sends it again.",
            details: """
                To the listener that it came to, or to Apple. The provider token is not in it: set `JWT` to a good one \
                before pasting.
                """,
            parameters: [target],
            answers: [AdminRoute.Answer(200, "The command.", .text)] + refusals,
            examples: [
                AdminRoute.Example("Send it again", "/v1/requests/$ID/curl"),
                AdminRoute.Example("Send it to Apple", "/v1/requests/$ID/curl?target=apple"),
            ], handler: curl),
        AdminRoute(
            .get, "/v1/requests/{id}/apns", .requests, "The push as a file for the iOS Simulator.",
            details: """
                The payload with `Simulator Target Bundle`, for `xcrun simctl push booted FILE` or for dropping on the \
                simulator's window.
                """,
            answers: [AdminRoute.Answer(200, "The file.")] + refusals,
            examples: [AdminRoute.Example("Show it in the simulator", "/v1/requests/$ID/apns")], handler: simulator),
        AdminRoute(
            .get, "/v1/requests/{id}/test", .requests, "An assertion for a test that waits for such a push.",
            details: """
                Of a refused request: one that waits for the refusal. `swift` is for Swift Testing with the library \
                `MockAPNS`; the others ask the admin API at `$MOCK_APNS_ADMIN`.
                """,
            parameters: [language],
            answers: [AdminRoute.Answer(200, "The assertion.", .text)] + refusals,
            examples: [
                AdminRoute.Example("For Swift Testing", "/v1/requests/$ID/test?lang=swift"),
                AdminRoute.Example("For a shell script", "/v1/requests/$ID/test?lang=sh"),
            ], handler: test),
    ]

    private static let target = Parameter(
        "target", .word(CurlRendering.Target.allCases.map(\.rawValue)), "Where the command sends the request.",
        example: "apple", standard: "mock")
    private static let language = Parameter(
        "lang", .word(TestRendering.Language.allCases.map(\.rawValue)), "The language of the test.",
        example: "pytest", standard: "swift")
    private static let refusals = [
        AdminRoute.Answer(404, "No such entry is held.", .problem),
        AdminRoute.Answer(409, "The entry has no such form.", .problem),
    ]

    private static func curl(_ call: AdminCall) throws(Problem) -> Answering {
        let word = try call.query.word(target.name)
        let target = word.flatMap(CurlRendering.Target.init) ?? .mock
        let file = call.environment.info().authorityFile
        let rendering = CurlRendering(
            try request(call), to: target, authorityFile: file.isEmpty ? "certs/ca.pem" : file)
        return .now(AdminResponse(text: rendering.text))
    }

    private static func simulator(_ call: AdminCall) throws(Problem) -> Answering {
        let entry = try request(call)
        guard entry.content.kind == .device, let rendering = SimulatorRendering(entry) else {
            throw Problem(
                .conflict, title: "No push for a simulator",
                "#\(entry.seq) is no push to a device whose payload is a JSON object, and the simulator takes nothing else."
            )
        }
        var response = AdminResponse(.json, rendering.json)
        let name = call.journal.renderer.id(of: entry)
        response.headers.append(("content-disposition", "attachment; filename=\"\(name).apns\""))
        return .now(response)
    }

    private static func test(_ call: AdminCall) throws(Problem) -> Answering {
        let word = try call.query.word(language.name)
        let language = word.flatMap(TestRendering.Language.init) ?? .swift
        return .now(AdminResponse(text: TestRendering(try request(call)).text(language)))
    }

    /// The entry, which must have become a request.
    private static func request(_ call: AdminCall) throws(Problem) -> JournalEntry {
        let entry = try RequestResource.entry(call)
        guard entry.content.outcome != .broken else {
            throw Problem(
                .conflict, title: "No request",
                "#\(entry.seq) is a connection that broke before its first request, so there is nothing to send again.",
                hint: "GET /v1/requests/\(call.journal.renderer.id(of: entry))/raw shows its first bytes.")
        }
        return entry
    }
}

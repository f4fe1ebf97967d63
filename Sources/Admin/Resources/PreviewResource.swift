import JSON
import Simulation

/// What a phone shows because of one entry.
enum PreviewResource {
    /// Its row of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/requests/{id}/preview", .requests, "What the phone shows because of one push.",
            details: """
                `kind` is what there is to see: \(kinds). The texts are those that are read: a `loc-key` is looked up in \
                the `strings` file that the configuration file names for the app, and is the key itself, `missing`, \
                without one. `badge` is what the push asks for, `shownBadge` what then stands on the icon; `below` counts \
                the notifications under it in its thread, `replaces` those of the same collapse id that it took the place \
                of. `activity.state` holds the content state value by value beside what it was `before`. `fate` says why \
                it is shown no more, or never was. The picture is an approximation: Apple says nowhere how a notification \
                is laid out. Looked at are the \(Preview.historyLimit) pushes to the device before and after it.
                """,
            answers: [
                AdminRoute.Answer(200, "The facts of the picture; as text in lines."),
                AdminRoute.Answer(404, "No such entry is held.", .problem),
            ],
            examples: [
                AdminRoute.Example("What does the user see?", "/v1/requests/$ID/preview"),
                AdminRoute.Example("In lines", "/v1/requests/$ID/preview", accept: "text/plain"),
            ], handler: show)
    ]

    private static let kinds = Preview.Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        let entry = try RequestResource.entry(call)
        let preview = Preview(PreviewQuestion(entry, in: call.simulator))
        let answer = PreviewWriter(preview: preview, id: call.journal.renderer.id(of: entry))
        if call.preference == .text { return .now(AdminResponse(text: answer.text)) }
        var writer = JSONWriter()
        answer.write(to: &writer)
        return .now(AdminResponse(.json, writer.bytes))
    }
}

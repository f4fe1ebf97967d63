import APNs
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
            ], handler: show),
        AdminRoute(
            .post, "/v1/preview", .requests, "What the phone would show of a push that nobody sends.",
            details: """
                The body is that of `POST /v1/explain`; the sender counts as one that may send. Nothing is journaled and \
                nothing changes.
                """,
            body: ExplainOrder.requestMembers, answers: [AdminRoute.Answer(200, "As of an entry; `id` is null.")],
            examples: [
                AdminRoute.Example(
                    "How does it look?", "/v1/preview", accept: "text/plain",
                    body:
                        #"{"device": "\#(exampleDevice)", "headers": {"apns-topic": "com.acme.app", "apns-push-type": "alert"}, "#
                        + #""payload": {"aps": {"alert": {"title": "Shipped", "body": "Order 42"}}}}"#)
            ], handler: imagine),
    ]

    private static let exampleDevice = String(repeating: "6f1e", count: 16)

    private static let kinds = Preview.Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")

    private static func show(_ call: AdminCall) throws(Problem) -> Answering {
        let entry = try RequestResource.entry(call)
        let preview = Preview(PreviewQuestion(entry, in: call.simulator))
        return answer(PreviewWriter(preview: preview, id: call.journal.renderer.id(of: entry)), call)
    }

    private static func imagine(_ call: AdminCall) throws(Problem) -> Answering {
        let order = try ExplainOrder(try BodyFields(call.request.body, ExplainOrder.requestMembers), call.request.body)
        let preview = call.simulator.preview(
            order.request, environment: order.environment ?? .sandbox, now: call.simulator.clock.now())
        return answer(PreviewWriter(preview: preview, id: nil), call)
    }

    private static func answer(_ answer: PreviewWriter, _ call: AdminCall) -> Answering {
        if call.preference == .text { return .now(AdminResponse(text: answer.text)) }
        var writer = JSONWriter()
        answer.write(to: &writer)
        return .now(AdminResponse(.json, writer.bytes))
    }
}

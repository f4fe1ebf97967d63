import APNs
import JSON
import Simulation
import TLS

/// Requests judged without being sent.
enum ExplainResource {
    /// Its row of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .post, "/v1/explain", .requests, "What would be answered to a request, and why; nothing is sent.",
            details: """
                Judges a request as if it had come over a new connection: every check in Apple's order with what was \
                expected and found, the answer, the findings, and where the bytes of the payload go. Nothing is journaled \
                and nothing changes: no channel is created, no token counts as used. Without `authorization` among the \
                `headers` the answer is `MissingProviderToken`, unless `assumeSender` or a `certificate` is given. The \
                payload counts as it is written in the body, blanks included; `payloadText` is for what is no JSON. As \
                text the checks are a line each.
                """,
            body: ExplainOrder.members,
            answers: [
                AdminRoute.Answer(200, "The explanation; also of a request that would be refused."),
                AdminRoute.Answer(404, "No certificate has this serial number.", .problem),
            ],
            examples: [
                AdminRoute.Example(
                    "Would this payload be accepted?", "/v1/explain", accept: "text/plain",
                    body:
                        #"{"device": "\#(exampleDevice)", "headers": {"apns-topic": "com.acme.app", "apns-push-type": "alert"}, "#
                        + #""payload": {"aps": {"alert": "Hi", "badge": "1"}}, "assumeSender": true}"#),
                AdminRoute.Example(
                    "A whole request, as JSON", "/v1/explain",
                    body: #"{"path": "/3/device/00", "headers": {"authorization": "bearer x.y.z"}, "payload": {}}"#),
            ], handler: explain)
    ]

    private static let exampleDevice = String(repeating: "6f1e", count: 16)

    private static func explain(_ call: AdminCall) throws(Problem) -> Answering {
        let order = try ExplainOrder(call.request.body)
        var connection = PeerConnection(
            id: 0, peer: "explain", listener: "explain", environment: order.environment ?? .sandbox)
        if let serial = order.certificate { connection.certificate = try certificate(serial, call) }
        let now = call.simulator.clock.now()
        let explanation = call.simulator.explain(
            order.request, from: connection, order.assumesSender ? .assumingSender : .whole, now: now)
        if call.preference == .text { return .now(AdminResponse(text: explanation.text)) }
        var writer = JSONWriter()
        explanation.write(to: &writer)
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func certificate(_ serial: String, _ call: AdminCall) throws(Problem) -> PeerCertificate {
        guard let certificate = call.simulator.certificates.certificate(serial: serial) else {
            throw CertificateResource.missing(serial)
        }
        return certificate
    }
}

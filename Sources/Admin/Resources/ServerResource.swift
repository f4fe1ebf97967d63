import APNs
import JSON
import Simulation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server itself: its facts, its trust root, its end.
enum ServerResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/info", .server, "Version, listeners with their real ports, certificates, limits, counters.",
            answers: [AdminRoute.Answer(200, "The facts.")],
            examples: [AdminRoute.Example("Which port did it get?", "/v1/info")], handler: info),
        AdminRoute(
            .get, "/v1/ca.pem", .server, "The test CA that senders must trust.",
            answers: [
                AdminRoute.Answer(200, "The certificate.", .pem),
                AdminRoute.Answer(503, "The file cannot be read.", .problem),
            ],
            examples: [AdminRoute.Example("Fetch it for --cacert", "/v1/ca.pem")], handler: authority),
        AdminRoute(
            .post, "/v1/shutdown", .server, "Stop: finish what is in flight, answer what waits, flush the log.",
            answers: [AdminRoute.Answer(202, "It has begun.")],
            examples: [AdminRoute.Example("Stop the server", "/v1/shutdown", status: 202)], handler: shutdown),
    ]

    private static func info(_ call: AdminCall) throws(Problem) -> Answering {
        .now(AdminResponse(.json, InfoWriter(call).json))
    }

    private static func authority(_ call: AdminCall) throws(Problem) -> Answering {
        let path = call.environment.info().authorityFile
        guard !path.isEmpty, let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw Problem(.unavailable, "The file of the CA, \(quoted(path)), cannot be read.")
        }
        return .now(AdminResponse(.pem, Array(bytes)))
    }

    private static func shutdown(_ call: AdminCall) throws(Problem) -> Answering {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("stopping")
        writer.boolean(true)
        writer.endObject()
        return .nowThen(AdminResponse(status: 202, .json, writer.bytes), call.environment.shutdown)
    }
}

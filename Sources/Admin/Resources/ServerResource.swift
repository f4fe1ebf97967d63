import APNs
import JSON
import Simulation
import TLS

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
            .get, "/v1/ca.p12", .server, "The test CA as a PKCS #12 trust store, for senders in Java.",
            details:
                "It holds no key. Java: `-Djavax.net.ssl.trustStore=ca.p12 -Djavax.net.ssl.trustStorePassword=mock-apns`.",
            parameters: [trustPassword],
            answers: [
                AdminRoute.Answer(200, "The file.", .pkcs12),
                AdminRoute.Answer(503, "The CA's file cannot be read.", .problem),
            ],
            examples: [AdminRoute.Example("Fetch it for Java", "/v1/ca.p12")], handler: trustStore),
        AdminRoute(
            .post, "/v1/shutdown", .server, "Stop: finish what is in flight, answer what waits, flush the log.",
            answers: [AdminRoute.Answer(202, "It has begun.")],
            examples: [AdminRoute.Example("Stop the server", "/v1/shutdown", status: 202)], handler: shutdown),
    ]

    private static func info(_ call: AdminCall) throws(Problem) -> Answering {
        .now(AdminResponse(.json, InfoWriter(call).json))
    }

    private static let trustPassword = Parameter(
        "password", .text, "The password of the file; Java cannot open one without.", example: "secret",
        standard: ClientIdentity.standardPassword)

    private static func authority(_ call: AdminCall) throws(Problem) -> Answering {
        .now(AdminResponse(.pem, try authorityFile(call).bytes))
    }

    private static func trustStore(_ call: AdminCall) throws(Problem) -> Answering {
        let file = try authorityFile(call)
        let password = try call.query.text(trustPassword.name) ?? ClientIdentity.standardPassword
        do throws(TLSError) {
            let pem = String(decoding: file.bytes, as: UTF8.self)
            return .now(
                AdminResponse(.pkcs12, try TrustStoreFile.pkcs12(pem: pem, source: file.path, password: password)))
        } catch {
            throw Problem(.unavailable, "The trust store cannot be made: \(error.description).")
        }
    }

    private static func authorityFile(_ call: AdminCall) throws(Problem) -> (path: String, bytes: [UInt8]) {
        let path = call.environment.info().authorityFile
        guard !path.isEmpty, let bytes = try? Data(contentsOf: URL(filePath: path)) else {
            throw Problem(.unavailable, "The file of the CA, \(quoted(path)), cannot be read.")
        }
        return (path, Array(bytes))
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

import APNs
import JSON
import Simulation
import TLS

/// Client certificates, by which senders authenticate themselves instead of by provider tokens.
enum CertificateResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/certs", .keys, "The client certificates that this server made.",
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`; as text a line each.")],
            examples: [AdminRoute.Example("Which are there?", "/v1/certs", accept: "text/plain")], handler: list),
        AdminRoute(
            .post, "/v1/certs", .keys, "Issue a client certificate, a good one or a bad one.",
            details: """
                Bad ones are made on purpose: `"validity": "-1d"` has expired, `"revoked": true` is revoked and \
                `"issuer": "stranger"` comes from a CA that nobody trusts. They end the handshake with the alerts \
                `certificate_expired`, `certificate_revoked` and `unknown_ca` (with `--bad-certificates 403` each push gets \
                `BadCertificate`). One whose `environments` lack the listener's gets GOAWAY with \
                `BadCertificateEnvironment` before its first request.
                """,
            body: CertificateOrder.members,
            answers: [
                AdminRoute.Answer(
                    201, "The certificate with `certificate` and `key` as PEM; a file for `pem` and `p12`."),
                AdminRoute.Answer(409, "There are too many certificates.", .problem),
                AdminRoute.Answer(503, "The server has no key of the CA of client certificates.", .problem),
            ],
            examples: [
                AdminRoute.Example("One topic, as JSON", "/v1/certs", body: #"{"topic": "com.acme.app"}"#, status: 201),
                AdminRoute.Example(
                    "An expired one, as a file", "/v1/certs",
                    body: #"{"topic": "com.acme.app", "format": "p12", "validity": "-1d"}"#, status: 201),
            ], handler: issue),
        AdminRoute(
            .patch, "/v1/certs/{serial}", .keys, "Revoke a client certificate, or take that back.",
            details: """
                Counts from the next handshake on, which ends with the alert `certificate_revoked`; on connections that are \
                open the next push gets 403 `BadCertificate`.
                """,
            body: [CertificateOrder.revoked],
            answers: [
                AdminRoute.Answer(200, "The certificate as it is now."),
                AdminRoute.Answer(404, "No such certificate.", .problem),
            ],
            examples: [AdminRoute.Example("Revoke it", "/v1/certs/$SERIAL", body: #"{"revoked": true}"#)],
            handler: change),
    ]

    private static func list(_ call: AdminCall) throws(Problem) -> Answering {
        let records = call.simulator.certificates.all
        if call.preference == .text {
            return .now(AdminResponse(text: records.map { CertificateWriter.line($0) + "\n" }.joined()))
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for record in records { CertificateWriter.write(record, to: &writer) }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }

    private static func issue(_ call: AdminCall) throws(Problem) -> Answering {
        let order = try CertificateOrder(call.request.body, now: call.simulator.clock.now().server / 1000)
        let identity: ClientIdentity
        let file: [UInt8]
        let authority = try authority(order, call)
        do throws(TLSError) {
            identity = try authority.issue(order.request, key: order.key)
            file = order.form == .p12 ? try identity.pkcs12(password: order.password) : []
        } catch {
            throw Problem(.badBody, "The certificate cannot be issued: \(error.description).")
        }
        guard call.simulator.certificates.add(identity.certificate, isRevoked: order.isRevoked) else {
            throw Problem(
                .conflict, "There are \(CertificateRegistry.limit) certificates already; no more are issued.",
                hint: "POST /v1/reset forgets them.")
        }
        var response: AdminResponse
        switch order.form {
        case .p12: response = AdminResponse(status: 201, .pkcs12, file)
        case .pem:
            response = AdminResponse(status: 201, .pem, Array((identity.certificatePEM + identity.keyPEM).utf8))
        case .json:
            var writer = JSONWriter()
            let record = CertificateRegistry.Record(certificate: identity.certificate, isRevoked: order.isRevoked)
            CertificateWriter.write(record, identity, to: &writer)
            response = AdminResponse(status: 201, .json, writer.bytes)
        }
        response.headers.append(("mock-apns-serial", identity.certificate.serial))
        return .now(response)
    }

    private static func authority(_ order: CertificateOrder, _ call: AdminCall) throws(Problem) -> ClientAuthority {
        let authority = call.environment.clientAuthority
        if order.issuer == .stranger, let stranger = try? authority?.stranger() ?? .stranger() { return stranger }
        guard let authority else {
            throw Problem(
                .unavailable, "The server has no client-ca.key in its --certs folder to sign with.",
                hint: "Issue the certificate with the CA whose key you have; --client-ca names it.")
        }
        return authority
    }

    private static func change(_ call: AdminCall) throws(Problem) -> Answering {
        let body = try BodyFields(call.request.body, [CertificateOrder.revoked])
        let serial = (call.captures["serial"] ?? "").uppercased()
        guard let isRevoked = try body.boolean(CertificateOrder.revoked) else {
            throw Problem(.badBody, "The body has no member \"revoked\"; expected true or false.")
        }
        guard let record = call.simulator.certificates.set(revoked: isRevoked, serial: serial) else {
            throw missing(serial)
        }
        if call.preference == .text { return .now(AdminResponse(text: CertificateWriter.line(record) + "\n")) }
        var writer = JSONWriter()
        CertificateWriter.write(record, to: &writer)
        return .now(AdminResponse(.json, writer.bytes))
    }

    /// There is no certificate with the serial number.
    static func missing(_ serial: String) -> Problem {
        Problem(
            .notFound, "There is no certificate with the serial number \(quoted(serial)).",
            hint: "GET /v1/certs lists those that this server made.")
    }
}

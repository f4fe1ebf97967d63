import APNs
import EventLoop
import Foundation
import HTTP2
import Server
import Simulation
import TLS
import TestSupport
import Testing

/// Senders that authenticate themselves by a client certificate, over the wire.
struct CertificateTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#
    private let now = Int64(Date().timeIntervalSince1970)

    /// A connection's options with a certificate of this request.
    private func options(
        _ server: TestServer, by authority: ClientAuthority? = nil,
        _ change: (inout ClientCertificateRequest) -> Void = { _ in }
    ) throws -> (TestConnection.Options, PeerCertificate) {
        var request = ClientCertificateRequest(
            userID: "com.example.app", notBefore: now - 3600, notAfter: now + 3600)
        change(&request)
        let authority = try authority ?? #require(server.server.certificates.clientAuthority)
        let identity = try authority.issue(request, key: .ec)
        let file = server.folder.file(UUID().uuidString + ".pem")
        try (identity.certificatePEM + identity.keyPEM).write(toFile: file, atomically: true, encoding: .utf8)
        return (.with { $0.certificate = file }, identity.certificate)
    }

    private func reason(_ response: HTTP2ClientSession.Response) -> String {
        String(decoding: response.body, as: UTF8.self)
    }

    @Test(arguments: [nil, "garbage", "bearer e30.e30.e30"] as [String?])
    func `a certificate is enough, and a token beside it is not read`(authorization: String?) throws {
        try TestServer.run { server in
            let (options, certificate) = try options(server)
            let fields = server.fields(["authorization": authorization])
            #expect(try server.client(options).request(fields, payload).status == 200)
            let content = try #require(server.entries.last?.content)
            guard case .certificate(let subject) = content.authentication else {
                Issue.record("\(content.authentication)")
                return
            }
            #expect(subject == certificate.subject)
        }
    }

    @Test func `a certificate of one topic needs no apns-topic, one of several does`() throws {
        try TestServer.run { server in
            let fields = server.fields(["authorization": nil, "apns-topic": nil])
            let (one, _) = try options(server) { $0.topics = [] }
            #expect(try server.client(one).request(fields, payload).status == 200)
            #expect(server.entries.last?.content.defaultTopic == "com.example.app")
            let (several, _) = try options(server)
            let response = try server.client(several).request(fields, payload)
            #expect(response.status == 400)
            #expect(reason(response) == #"{"reason":"MissingTopic"}"#)
            let explanation = try #require(server.entries.last?.content.failures.first?.explanation)
            #expect(explanation.contains("com.example.app.voip"))
            #expect(!explanation.contains("token"))
        }
    }

    @Test(arguments: ["com.other.app", "com.example.app.location-query"])
    func `a topic that the certificate does not list is disallowed`(topic: String) throws {
        try TestServer.run { server in
            let (options, _) = try options(server)
            let response = try server.client(options).request(
                server.fields(["authorization": nil, "apns-topic": topic, "apns-push-type": nil]), payload)
            #expect(response.status == 400)
            #expect(reason(response) == #"{"reason":"TopicDisallowed"}"#)
        }
    }

    /// What is wrong with a certificate, and the alert that says so.
    enum Fault: String, CaseIterable {
        case expired, notBegun, revoked, strange

        var alert: String {
            switch self {
            case .expired, .notBegun: "certificate_expired"
            case .revoked: "certificate_revoked"
            case .strange: "unknown_ca"
            }
        }

        var words: String {
            switch self {
            case .expired: "it ended "
            case .notBegun: "it begins in "
            case .revoked: "it was revoked"
            case .strange: "client-ca.pem"
            }
        }
    }

    private func options(
        _ server: TestServer, _ fault: Fault, _ version: TLSVersion = .tls13
    ) throws -> TestConnection.Options {
        var (options, certificate) = try options(server, by: fault == .strange ? .stranger() : nil) {
            if fault == .expired { $0.notAfter = now - 60 }
            if fault == .notBegun { $0.notBefore = now + 600 }
        }
        if fault == .revoked { server.simulator.certificates.add(certificate, isRevoked: true) }
        options.maximum = version
        return options
    }

    @Test(arguments: Fault.allCases, [TLSVersion.tls12, .tls13])
    func `a bad certificate ends the handshake with an alert, and the log says why`(
        fault: Fault, version: TLSVersion
    ) throws {
        try TestServer.run { server in
            let options = try options(server, fault, version)
            let error = #expect(throws: TestConnection.Failure.self) {
                let client = try server.client(options)
                _ = try client.request(server.fields(["authorization": nil]), payload)
            }
            #expect(error?.tls?.explanation.hasSuffix("(alert \(fault.alert))") == true, "\(error?.description ?? "")")
            let content = try #require(server.waitForEntries(1).first?.content)
            #expect(content.outcome == .broken)
            #expect(content.breakage?.cause == "client-certificate")
            #expect(content.breakage?.isHandshake == true)
            let explanation = try #require(content.breakage?.explanation)
            #expect(explanation.contains(fault.words), "\(explanation)")
            #expect(explanation.contains("UID = com.example.app"))
            #expect(content.connection.value.certificate?.userID == "com.example.app")
        }
    }

    @Test(arguments: Fault.allCases) func `the documented answer is a switch away`(fault: Fault) throws {
        try TestServer.run {
            $0.simulation.refusesHandshakes = false
        } _: { server in
            let client = try server.client(options(server, fault))
            let response = try client.request(server.fields(["authorization": nil]), payload)
            #expect(response.status == 403)
            #expect(reason(response) == #"{"reason":"BadCertificate"}"#)
            #expect(server.entries.last?.content.failures.first?.explanation.contains(fault.words) == true)
        }
    }

    @Test(arguments: Fault.allCases) func `in the lenient profile any certificate will do`(fault: Fault) throws {
        try TestServer.run {
            $0.simulation.profile = .lenient
        } _: { server in
            let client = try server.client(options(server, fault))
            #expect(try client.request(server.fields(["authorization": nil]), payload).status == 200)
        }
    }

    @Test func `an open connection goes by the server's clock from push to push`() throws {
        try TestServer.run { server in
            let fields = server.fields(["authorization": nil])
            let (options, _) = try options(server)
            let client = try server.client(options)
            #expect(try client.request(fields, payload).status == 200)
            server.simulator.clock.advance(by: 7_200_000)
            #expect(try reason(client.request(fields, payload)) == #"{"reason":"BadCertificate"}"#)
            #expect(throws: TestConnection.Failure.self) {
                _ = try server.client(options).request(fields, payload)
            }
            server.simulator.clock.advance(by: -7_200_000)
            #expect(try client.request(fields, payload).status == 200)
            #expect(try server.client(options).request(fields, payload).status == 200)
        }
    }

    @Test func `a certificate's dates go by the clock of the namespace that its connection chooses`() throws {
        try TestServer.run { server in
            let suite = try server.server.worlds.add(NamespaceOrder("suite"), now: server.simulator.clock.now().machine)
            suite.simulator.clock.advance(by: 7_200_000)
            let fields = server.fields(["authorization": nil])
            var (options, certificate) = try options(server)
            #expect(try server.client(options).request(fields, payload).status == 200)
            // By server name.
            options.serverName = "suite.apns.localhost"
            #expect(throws: TestConnection.Failure.self) { _ = try server.client(options).request(fields, payload) }
            // The client may see the alert before the entry is there.
            let entries = try server.waitForEntries(1, in: suite.simulator.journal)
            #expect(entries.map(\.content.breakage?.cause) == ["client-certificate"])
            suite.simulator.clock.reset()
            #expect(try server.client(options).request(fields, payload).status == 200)
            // Revoked there, and nowhere else.
            suite.simulator.certificates.add(certificate, isRevoked: true)
            #expect(throws: TestConnection.Failure.self) { _ = try server.client(options).request(fields, payload) }
            suite.simulator.certificates.reset()
            #expect(try server.client(options).request(fields, payload).status == 200)
        }
    }

    @Test func `one stream at first is for provider tokens`() throws {
        try TestServer.run {
            $0.simulation.initialStreams = 1
        } _: { server in
            for (options, limit) in [(TestConnection.Options(), UInt32(1)), (try options(server).0, 1000)] {
                let peer = try server.framePeer(options)
                let settings = try #require(try peer.next()).settings
                #expect(settings.contains(.maxConcurrentStreams(limit)), "\(settings)")
            }
        }
    }

    @Test func `certificates of another CA are good where --client-ca names it`() throws {
        let stranger = try ClientAuthority.stranger()
        let folder = try TemporaryFolder()
        try stranger.certificatePEM.write(toFile: folder.file("ca.pem"), atomically: true, encoding: .utf8)
        try TestServer.run {
            $0.clientAuthority = folder.file("ca.pem")
        } _: { server in
            let fields = server.fields(["authorization": nil])
            let named = try server.client(options(server, by: stranger).0).request(fields, payload)
            #expect(named.status == 200)
            #expect(throws: TestConnection.Failure.self) {
                _ = try server.client(options(server).0).request(fields, payload)
            }
        }
    }

    @Test func `a certificate is revoked while its connection is open`() throws {
        try TestServer.run { server in
            let fields = server.fields(["authorization": nil])
            let (options, certificate) = try options(server)
            server.simulator.certificates.add(certificate, isRevoked: false)
            let client = try server.client(options)
            #expect(try client.request(fields, payload).status == 200)
            #expect(server.simulator.certificates.set(revoked: true, serial: certificate.serial) != nil)
            #expect(try reason(client.request(fields, payload)) == #"{"reason":"BadCertificate"}"#)
            server.simulator.reset()
            #expect(try client.request(fields, payload).status == 200)
        }
    }

    @Test func `a certificate of the other environment is sent away before its first request`() throws {
        try TestServer.run {
            $0.listeners[0].environment = .production
        } _: { server in
            let (options, _) = try options(server) { $0.isProduction = false }
            let client = try server.client(options)
            let goAway = try client.goAway()
            #expect(goAway.lastStream == 0)
            #expect(goAway.code == 0)
            #expect(goAway.debugData == #"{"reason":"BadCertificateEnvironment"}"#)
            try client.waitForEnd()
            let content = try #require(server.entries.last?.content)
            #expect(content.outcome == .broken)
            #expect(content.breakage?.cause == "certificate")
            #expect(content.breakage?.explanation.contains("development certificate") == true)
        }
    }

    @Test func `curl pushes with the certificate of the folder`() throws {
        try TestServer.run { server in
            let certificates = server.server.certificates
            let status = try Tool.run(
                "curl", "-sS", "--http2", "--cacert", certificates.authorityFile,
                "--cert", certificates.clientCertificateFile, "--key", certificates.clientKeyFile,
                "-H", "apns-topic: com.example.app", "-d", payload, "-o", server.folder.file("body"),
                "-w", "%{http_code}", "https://127.0.0.1:\(server.address.port ?? 0)/3/device/\(server.device)")
            #expect(status == "200")
            #expect(server.entries.last?.content.authentication.certificate?.contains("com.example.app") == true)
        }
    }

    @Test func `a PKCS 12 file that the API issued opens in openssl, and curl pushes with it`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            let admin = try #require(server.server.adminAddress)
            let file = server.folder.file("push.p12")
            let created = try Tool.run(
                "curl", "-sS", "-o", file, "-w", "%{http_code} %{content_type}", "-H", "content-type: application/json",
                "-d", #"{"topic":"com.acme.app","kinds":"app","format":"p12","password":"secret"}"#,
                "http://127.0.0.1:\(admin.port ?? 0)/v1/certs")
            #expect(created == "201 application/x-pkcs12")
            let text = try Tool.run("openssl", "pkcs12", "-legacy", "-in", file, "-passin", "pass:secret", "-nodes")
            #expect(text.contains("BEGIN PRIVATE KEY"))
            #expect(text.contains("Apple Push Services: com.acme.app"))
            let status = try Tool.run(
                "curl", "-sS", "--http2", "--cacert", server.authority, "--cert-type", "P12", "--cert",
                file + ":secret", "-d", payload, "-o", server.folder.file("body"), "-w", "%{http_code}",
                "https://127.0.0.1:\(server.address.port ?? 0)/3/device/\(server.device)")
            #expect(status == "200")
            #expect(server.entries.last?.content.defaultTopic == "com.acme.app")
        }
    }
}

/// A program that a test runs to its end.
private enum Tool {
    static func run(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}

import Foundation
import Testing

@testable import TLS

/// Our certificates and sessions as other programs judge them.
@Suite struct OtherProgramsTests {
    let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates.shared.get()
    }

    /// Every standard name, with the wildcard filled in.
    static let names = SubjectName.standard.map { $0.text.replacing("*", with: "ns1") }

    @Test(arguments: names) func `openssl verifies the chain for each name`(name: String) throws {
        let kind = IPAddress(name) == nil ? "-verify_hostname" : "-verify_ip"
        let words = try Command.run(
            "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", certificates.store.authorityFile,
            kind,
            name, certificates.store.serverCertificateFile)
        #expect(words.hasSuffix("server.pem: OK\n"))
    }

    @Test func `openssl verifies the client certificate`() throws {
        let words = try Command.run(
            "openssl", "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", certificates.store.authorityFile,
            certificates.store.clientCertificateFile)
        #expect(words.hasSuffix("client.pem: OK\n"))
    }

    @Test func `the CA can sign for no other name`() throws {
        let authority = try #require(certificates.store.authority)
        let folder = try TemporaryFolder()
        let key = try KeyHandle.generateP256()
        for name in ["www.example.com", "push.apple.com", "8.8.8.8"] {
            let subject = try #require(SubjectName(name))
            let forged = try authority.issueServerCertificate(for: key, names: [subject], now: SystemTime.now)
            let file = try folder.write(forged.pem(), to: name + ".pem")
            let error = #expect(throws: Command.Failure.self) {
                try Command.run("openssl", "verify", "-CAfile", certificates.store.authorityFile, file)
            }
            #expect(error?.description.contains("permitted subtree violation") ?? false)
        }
    }

    @Test(.enabled(if: Command.exists("python3")))
    func `Python's ssl accepts each name over a socket, in its strict mode`() throws {
        let script = """
            import ssl, socket, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            context.set_alpn_protocols(["http/1.1", "h2"])
            for name in sys.argv[3:]:
                with socket.create_connection(("127.0.0.1", int(sys.argv[2]))) as plain:
                    with context.wrap_socket(plain, server_hostname=name) as tls:
                        print(name, tls.recv(2).decode(), tls.selected_alpn_protocol())
            """
        let server = try LoopbackServer(certificates.serverContext(), connections: Self.names.count)
        let arguments = ["-c", script, certificates.store.authorityFile, String(server.port)] + Self.names
        let words = try Command.run("python3", arguments: arguments)
        #expect(words == Self.names.map { "\($0) ok h2\n" }.joined())
        let visits = server.finish()
        #expect(visits.compactMap(\.failure) == [])
        #expect(visits.map(\.serverName) == Self.names.map { IPAddress($0) == nil ? $0 : nil })
    }

    @Test(.enabled(if: Command.exists("python3")), arguments: [TLSVersion.tls12, .tls13])
    func `sessions resume by ticket, the client certificate and its fault included`(version: TLSVersion) throws {
        let now = SystemTime.now
        let identity = try CertificateAuthority.stranger().issueClientCertificate(
            .init(userID: "com.example.app", notBefore: now - 20, notAfter: now + 3600))
        let folder = try TemporaryFolder()
        let file = try folder.write(identity.certificatePEM + identity.keyPEM, to: "client.pem")
        let script = """
            import ssl, socket, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            context.load_cert_chain(sys.argv[2])
            context.maximum_version = getattr(ssl.TLSVersion, sys.argv[4])
            session = None
            for attempt in range(3):
                with socket.create_connection(("127.0.0.1", int(sys.argv[3]))) as plain:
                    with context.wrap_socket(plain, server_hostname="localhost", session=session) as tls:
                        tls.recv(2)
                        session = tls.session
                        print(tls.session_reused)
            """
        let server = try LoopbackServer(certificates.serverContext(), connections: 3)
        let words = try Command.run(
            "python3", "-c", script, certificates.store.authorityFile, file, String(server.port),
            version == .tls12 ? "TLSv1_2" : "TLSv1_3")
        #expect(words == "False\nTrue\nTrue\n")
        let visits = server.finish()
        #expect(visits.map(\.isResumed) == [false, true, true])
        var expected = identity.certificate
        expected.verificationError = "self-signed certificate in certificate chain"
        #expect(visits.map(\.certificate) == [expected, expected, expected])
    }

    @Test(.enabled(if: Command.exists("curl"))) func `curl authenticates itself by the p12 file`() throws {
        let authority = try #require(certificates.store.authority)
        let now = SystemTime.now
        let identity = try authority.issueClientCertificate(
            .init(userID: "com.example.curl", notBefore: now - 60, notAfter: now + 600))
        let folder = try TemporaryFolder()
        let file = folder.path(of: "client.p12")
        try Data(identity.pkcs12(password: "secret")).write(to: URL(fileURLWithPath: file))
        let server = try LoopbackServer(certificates.serverContext(), connections: 1)
        // The server speaks no HTTP, so curl itself fails in the end.
        _ = try? Command.run(
            "curl", "-sS", "--http2", "--cacert", certificates.store.authorityFile, "--cert-type", "P12", "--cert",
            file + ":secret", "https://localhost:\(server.port)/")
        let visit = try #require(server.finish().first)
        #expect(visit.failure == nil)
        #expect(visit.alpn == "h2")
        #expect(visit.certificate == identity.certificate)
    }

    @Test(.enabled(if: Command.exists("curl"))) func `curl without our CA is explained`() throws {
        let server = try LoopbackServer(certificates.serverContext(), connections: 1)
        _ = try? Command.run("curl", "-sS", "https://localhost:\(server.port)/")
        #expect(server.finish().first?.failure?.cause == "unknown_ca")
    }

    @Test(.enabled(if: Command.exists("curl") && Command.exists("python3")))
    func `an address that is not in the certificate is explained`() throws {
        let script = """
            import ssl, socket, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            context.wrap_socket(socket.create_connection(("127.0.0.2", int(sys.argv[2]))), server_hostname="127.0.0.2")
            """
        let authority = certificates.store.authorityFile
        let server = try LoopbackServer(certificates.serverContext(), connections: 3)
        _ = try? Command.run("python3", "-c", script, authority, String(server.port))
        _ = try? Command.run("curl", "-sS", "--cacert", authority, "https://127.0.0.2:\(server.port)/")
        _ = try? Command.run("curl", "-sS", "--cacert", authority, "https://127.0.0.1:\(server.port)/")
        let visits = server.finish()
        #expect(visits.map { $0.failure?.cause } == ["certificate_name", nil, nil])
        #expect(visits[0].failure?.explanation.contains("add --san 127.0.0.2") ?? false)
        // curl looks at names after the handshake.
        #expect(visits.map { $0.nameProblem?.contains("add --san 127.0.0.2") } == [true, true, nil])
    }
}

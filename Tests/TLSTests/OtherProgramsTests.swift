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
            "openssl", "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile",
            certificates.store.clientAuthorityFiles[0],
            certificates.store.clientCertificateFile)
        #expect(words.hasSuffix("client.pem: OK\n"))
    }

    @Test func `a CA with constraints can sign for no other name`() throws {
        let folder = try TemporaryFolder()
        let key = try KeyHandle.generateP256()
        let now = SystemTime.now
        let names = SubjectName.standard
        // The CA, a name, and whether openssl takes a certificate for it.
        for (constraints, name, isGood) in [
            (NameConstraints.all, "www.example.com", false), (.all, "push.apple.com", false), (.all, "8.8.8.8", false),
            (.all, "127.0.0.1", true), (.all, "api.push.apple.com", true), (.dns, "www.example.com", false),
            (.dns, "8.8.8.8", true), (.dns, "localhost", true), (.off, "www.example.com", true),
        ] {
            let authority = try CertificateAuthority.forServer(names: names, constraints: constraints, now: now)
            #expect(authority.certificate.constraints == constraints)
            let subject = try #require(SubjectName(name))
            let issued = try authority.issueServerCertificate(for: key, names: [subject], now: now)
            let file = try folder.write(issued.pem(), to: "server.pem")
            let authorityFile = try folder.write(authority.certificatePEM, to: "ca.pem")
            let verified = Result { try Command.run("openssl", "verify", "-CAfile", authorityFile, file) }
            switch verified {
            case .success: #expect(isGood, "\(constraints) \(name)")
            case .failure(let error):
                #expect(!isGood, "\(constraints) \(name)")
                #expect("\(error)".contains("permitted subtree violation"))
            }
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
    func `sessions resume by ticket, but not those with a client certificate`(version: TLSVersion) throws {
        let now = SystemTime.now
        let identity = try ClientAuthority.stranger().issue(
            .init(userID: "com.example.app", notBefore: now - 20, notAfter: now + 3600))
        let folder = try TemporaryFolder()
        let file = try folder.write(identity.certificatePEM + identity.keyPEM, to: "client.pem")
        let script = """
            import ssl, socket, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            if sys.argv[2]: context.load_cert_chain(sys.argv[2])
            context.maximum_version = getattr(ssl.TLSVersion, sys.argv[4])
            session = None
            for attempt in range(3):
                with socket.create_connection(("127.0.0.1", int(sys.argv[3]))) as plain:
                    with context.wrap_socket(plain, server_hostname="localhost", session=session) as tls:
                        tls.recv(2)
                        session = tls.session
                        print(tls.session_reused)
            """
        for (certificate, later) in [("", true), (file, false)] {
            let server = try LoopbackServer(certificates.serverContext(), connections: 3)
            let words = try Command.run(
                "python3", "-c", script, certificates.store.authorityFile, certificate, String(server.port),
                version == .tls12 ? "TLSv1_2" : "TLSv1_3")
            #expect(words == (later ? "False\nTrue\nTrue\n" : "False\nFalse\nFalse\n"))
            let visits = server.finish()
            #expect(visits.map(\.isResumed) == [false, later, later])
            var expected = identity.certificate
            expected.verificationError = "unable to get local issuer certificate"
            #expect(visits.map(\.certificate) == [PeerCertificate?](repeating: later ? nil : expected, count: 3))
        }
    }

    @Test(.enabled(if: Command.exists("curl"))) func `curl authenticates itself by the p12 file`() throws {
        let authority = try #require(certificates.store.clientAuthority)
        let now = SystemTime.now
        let identity = try authority.issue(
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

import Foundation
import Testing

@testable import TLS

@Suite struct ClientCertificateTests {
    let certificates: TestCertificates
    let server: TLSContext
    let folder: TemporaryFolder
    let now = SystemTime.now

    init() throws {
        certificates = try TestCertificates.shared.get()
        server = try certificates.serverContext()
        folder = try TemporaryFolder()
    }

    func authority() throws -> CertificateAuthority { try #require(certificates.store.authority) }

    func request(
        _ userID: String = "com.example.app", from: Int64 = -60, to: Int64 = 3600
    ) -> CertificateAuthority.ClientCertificateRequest {
        .init(userID: userID, notBefore: now + from, notAfter: now + to)
    }

    /// What the server sees of a client with this certificate.
    func seen(_ identity: CertificateAuthority.Identity, _ version: TLSVersion = .tls13) throws -> PeerCertificate {
        let client = try certificates.clientContext(with: identity, in: folder, maximum: version)
        let pair = try Handshake(server: server, client: client)
        let end = pair.run()
        #expect(end.server == .done)
        #expect(end.client == .done)
        return try #require(pair.server.peerCertificate)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13]) func `a good certificate is read`(version: TLSVersion) throws {
        let identity = try authority().issueClientCertificate(request())
        let seen = try seen(identity, version)
        #expect(seen == identity.certificate)
        #expect(seen.verificationError == nil)
        #expect(seen.userID == "com.example.app")
        #expect(seen.subject == "UID = com.example.app, CN = Apple Push Services: com.example.app")
        #expect(seen.topics == ["com.example.app", "com.example.app.voip", "com.example.app.complication"])
        #expect(seen.listing.map(\.kinds) == [["app"], ["voip"], ["complication"]])
        #expect(seen.isDevelopment)
        #expect(seen.isProduction)
        #expect(seen.notBefore == now - 60)
        #expect(seen.notAfter == now + 3600)
        #expect(seen.serial.count == 32)
        #expect(seen.fingerprint.count == 64)
    }

    @Test func `the certificate made at start is good`() throws {
        let client = try TLSContext(
            clientTrusting: certificates.store.authorityFile, certificate: certificates.store.clientCertificateFile,
            key: certificates.store.clientKeyFile)
        let pair = try Handshake(server: server, client: client)
        #expect(pair.run().server == .done)
        let seen = try #require(pair.server.peerCertificate)
        #expect(seen.verificationError == nil)
        #expect(seen.topics == ["com.example.app", "com.example.app.voip", "com.example.app.complication"])
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `the dates of a certificate are left to the server's clock`(version: TLSVersion) throws {
        for (from, to) in [(Int64(-7200), Int64(-3600)), (3600, 7200)] {
            let seen = try seen(authority().issueClientCertificate(request(from: from, to: to)), version)
            #expect(seen.verificationError == nil)
            #expect(seen.notBefore == now + from)
            #expect(seen.notAfter == now + to)
        }
    }

    @Test func `of several faults the first is told`() throws {
        let other = try #require(try TestCertificates().store.authority)
        let identity = try other.issueClientCertificate(request(from: -7200, to: -3600))
        #expect(try seen(identity).verificationError == "self-signed certificate in certificate chain")
    }

    @Test func `a server's certificate is no client's`() throws {
        let client = try TLSContext(
            clientTrusting: certificates.store.authorityFile, certificate: certificates.store.serverCertificateFile,
            key: certificates.store.serverKeyFile)
        let pair = try Handshake(server: server, client: client)
        #expect(pair.run().server == .done)
        #expect(pair.server.peerCertificate?.verificationError != nil)
    }

    @Test func `a common name like a host name is not held against the CA's limits`() throws {
        var request = request()
        request.commonName = "com.example.app"
        #expect(try seen(authority().issueClientCertificate(request)).verificationError == nil)
    }

    @Test func `environments and the VoIP extension are as requested`() throws {
        var request = request("com.example.calls")
        request.isProduction = false
        request.hasVoIPExtension = true
        request.topics = [PeerCertificate.Topic("com.example.calls.voip", kinds: ["voip"])]
        let seen = try seen(authority().issueClientCertificate(request))
        #expect(seen.isDevelopment)
        #expect(!seen.isProduction)
        #expect(seen.topics == ["com.example.calls", "com.example.calls.voip"])
        request.isDevelopment = false
        request.isProduction = true
        request.topics = []
        request.hasVoIPExtension = false
        let plain = try authority().issueClientCertificate(request).certificate
        #expect(!plain.isDevelopment)
        #expect(plain.isProduction)
        #expect(plain.topics == ["com.example.calls"])
    }

    @Test func `requests that no certificate can hold are refused`() throws {
        let authority = try authority()
        let long = String(repeating: "a", count: CertificateAuthority.maximumUserIDCharacters)
        _ = try authority.issueClientCertificate(request(long))
        for (request, words) in [
            (request(""), "bundle id"), (request(long + "a"), "expected 1 to 256 characters"),
            (request(from: 10, to: 10), "expected an end after the beginning"),
        ] {
            let error = #expect(throws: TLSError.self) { try authority.issueClientCertificate(request) }
            #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
        }
        var named = request()
        named.commonName = String(repeating: "n", count: CertificateAuthority.maximumCommonNameCharacters + 1)
        let error = #expect(throws: TLSError.self) { try authority.issueClientCertificate(named) }
        #expect(error?.description.contains("expected 1 to 64 characters") ?? false)
    }

    @Test(arguments: [CertificateAuthority.Identity.PKCS12Encryption.compatible, .modern])
    func `openssl opens the p12 file with its password only`(
        encryption: CertificateAuthority.Identity.PKCS12Encryption
    ) throws {
        let identity = try authority().issueClientCertificate(request())
        let file = folder.path(of: "client.p12")
        try Data(identity.pkcs12(password: "secret", encryption: encryption)).write(to: URL(fileURLWithPath: file))
        let text = try Command.run("openssl", "pkcs12", "-in", file, "-nodes", "-passin", "pass:secret")
        #expect(text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        let key = try ES256PrivateKey(pem: text)
        #expect(key.pem == identity.keyPEM)
        #expect(throws: Command.Failure.self) {
            try Command.run("openssl", "pkcs12", "-in", file, "-nodes", "-passin", "pass:wrong")
        }
    }

    @Test func `openssl finds Apple's extensions`() throws {
        let file = certificates.store.clientCertificateFile
        let text = try Command.run("openssl", "asn1parse", "-in", file)
        let lines = text.split(separator: "\n")
        for (number, octets) in [
            ("1.2.840.113635.100.6.3.1", "0500"), ("1.2.840.113635.100.6.3.2", "0500"),
            ("1.2.840.113635.100.6.3.6", "30640C0F636F6D2E6578616D706C652E61707030050C036170700C14"),
        ] {
            let index = try #require(lines.firstIndex { $0.hasSuffix(":" + number) })
            #expect(lines[index + 1].contains("[HEX DUMP]:" + octets))
        }
        #expect(text.contains(":userId"))
    }
}

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

    func authority() throws -> ClientAuthority { try #require(certificates.store.clientAuthority) }

    func request(
        _ userID: String = "com.example.app", from: Int64 = -60, to: Int64 = 3600
    ) -> ClientCertificateRequest {
        .init(userID: userID, notBefore: now + from, notAfter: now + to)
    }

    /// What the server sees of a client with this certificate.
    func seen(_ identity: ClientIdentity, _ version: TLSVersion = .tls13) throws -> PeerCertificate {
        let client = try certificates.clientContext(with: identity, in: folder, maximum: version)
        let pair = try Handshake(server: server, client: client)
        let end = pair.run()
        #expect(end.server == .done)
        #expect(end.client == .done)
        return try #require(pair.server.peerCertificate)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13]) func `a good certificate is read`(version: TLSVersion) throws {
        let identity = try authority().issue(request())
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
            let seen = try seen(authority().issue(request(from: from, to: to)), version)
            #expect(seen.verificationError == nil)
            #expect(seen.notBefore == now + from)
            #expect(seen.notAfter == now + to)
        }
    }

    @Test func `of several faults the first is told`() throws {
        let identity = try ClientAuthority.stranger().issue(request(from: -7200, to: -3600), key: .ec)
        #expect(try seen(identity).verificationError == "unable to get local issuer certificate")
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
        #expect(try seen(authority().issue(request)).verificationError == nil)
    }

    @Test func `environments and the VoIP extension are as requested`() throws {
        var request = request("com.example.calls")
        request.isProduction = false
        request.hasVoIPExtension = true
        request.topics = [PeerCertificate.Topic("com.example.calls.voip", kinds: ["voip"])]
        let seen = try seen(authority().issue(request))
        #expect(seen.isDevelopment)
        #expect(!seen.isProduction)
        #expect(seen.topics == ["com.example.calls", "com.example.calls.voip"])
        request.isDevelopment = false
        request.isProduction = true
        request.topics = []
        request.hasVoIPExtension = false
        let plain = try authority().issue(request).certificate
        #expect(!plain.isDevelopment)
        #expect(plain.isProduction)
        #expect(plain.topics == ["com.example.calls"])
    }

    @Test func `requests that no certificate can hold are refused`() throws {
        let authority = try authority()
        let long = String(repeating: "a", count: ClientCertificateRequest.maximumUserIDCharacters)
        _ = try authority.issue(request(long))
        for (request, words) in [
            (request(""), "bundle id"), (request(long + "a"), "expected 1 to 256 characters"),
            (request(from: 10, to: 10), "expected an end after the beginning"),
        ] {
            let error = #expect(throws: TLSError.self) { try authority.issue(request) }
            #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
        }
        var named = request()
        named.commonName = String(repeating: "n", count: ClientCertificateRequest.maximumCommonNameCharacters + 1)
        let error = #expect(throws: TLSError.self) { try authority.issue(named) }
        #expect(error?.description.contains("expected 1 to 64 characters") ?? false)
    }

    /// How often the words stand in the text.
    private func count(_ words: String, in text: String) -> Int { text.components(separatedBy: words).count - 1 }

    @Test(arguments: ClientAuthority.Key.allCases)
    func `a p12 file holds one key and one certificate, in the form that old readers know`(
        key: ClientAuthority.Key
    ) throws {
        let identity = try authority().issue(request(), key: key)
        let file = folder.path(of: "client.p12")
        try Data(identity.pkcs12(password: "secret")).write(to: URL(fileURLWithPath: file))
        let text = try Command.run("openssl", "pkcs12", "-legacy", "-in", file, "-nodes", "-passin", "pass:secret")
        #expect(text.contains(identity.certificatePEM))
        #expect(text.contains(identity.keyPEM))
        #expect(count("BEGIN CERTIFICATE", in: text) == 1)
        #expect(count("BEGIN PRIVATE KEY", in: text) == 1)
        #expect(throws: Command.Failure.self) {
            try Command.run("openssl", "pkcs12", "-legacy", "-in", file, "-nodes", "-passin", "pass:wrong")
        }
        // The names of the algorithms go to standard error.
        let info = try Command.run(
            "sh", "-c", "openssl pkcs12 -legacy -info -noout -in \(file) -passin pass:secret 2>&1")
        #expect(count("pbeWithSHA1And3-KeyTripleDES-CBC, Iteration 2048", in: info) == 2, "\(info)")
        #expect(info.contains("MAC: sha1"))
    }

    @Test func `issued certificates stand alone and share one RSA key, unless another is asked for`() throws {
        let authority = try authority()
        let first = try authority.issue(request())
        let second = try authority.issue(request("com.example.other"))
        #expect(first.keyPEM == second.keyPEM)
        #expect(try first.keyPEM == certificates.folder.text(of: "client.key"))
        #expect(try authority.stranger().issue(request()).keyPEM == first.keyPEM)
        #expect(count("BEGIN CERTIFICATE", in: first.certificatePEM) == 1)
        let own = try authority.issue(request(), key: .rsa)
        #expect(own.keyPEM != first.keyPEM)
        for (identity, kind) in [(first, "RSA"), (own, "RSA"), (try authority.issue(request(), key: .ec), "P-256")] {
            let key = try PEMFile(bytes: Array(identity.keyPEM.utf8), source: "key").privateKey()
            #expect(key.kind == kind)
            #expect(key.isRSA == (kind == "RSA"))
            #expect(try seen(identity).verificationError == nil)
        }
        let words = try Command.run("openssl", "rsa", "-in", certificates.store.clientKeyFile, "-text", "-noout")
        #expect(words.hasPrefix("Private-Key: (2048 bit"))
    }

    @Test(
        arguments: [
            ("com.example.app", 3, "Apple Push Services: com.example.app"),
            ("pass.com.example.card", 1, "Pass Type ID: pass.com.example.card"),
            ("web.com.example", 1, "Website Push ID: web.com.example"),
            ("com.apple.mgmt.External.4f1e2d3c", 1, "APSP:4f1e2d3c"),
            ("passport.example", 3, "Apple Push Services: passport.example"),
        ])
    func `certificates for passes, sites and device management list their UID alone`(
        id: String, topics: Int, name: String
    ) throws {
        let certificate = try authority().issue(request(id)).certificate
        #expect(certificate.topics.count == topics)
        #expect(certificate.listing.first == .init(id, kinds: ["app"]))
        #expect(certificate.userID == id)
        #expect(certificate.subject == "UID = \(id), CN = \(name)")
    }

    /// What the server answers to a certificate that its judge refuses, as rows: the judge's word, the alert.
    @Test(
        arguments: [
            (PeerCertificate.Refusal.Alert.certificateExpired, "certificate_expired"),
            (.certificateRevoked, "certificate_revoked"),
        ], [TLSVersion.tls12, .tls13])
    func `the judge of a certificate ends the handshake with its alert`(
        row: (alert: PeerCertificate.Refusal.Alert, name: String), version: TLSVersion
    ) throws {
        let identity = try authority().issue(request())
        let client = try certificates.clientContext(with: identity, in: folder, maximum: version)
        let pair = try Handshake(server: server, client: client, name: "ns1.apns.localhost")
        var judged: [PeerCertificate] = []
        var name: String?
        pair.server.judgesClient = { [unowned session = pair.server] in
            judged.append($0)
            name = session.serverName
            return .init(row.alert, "because")
        }
        let end = pair.run()
        #expect(end.server.failure?.cause == "client_certificate")
        #expect(end.server.failure?.explanation == "because")
        #expect(judged == [identity.certificate])
        #expect(name == "ns1.apns.localhost")
        #expect(pair.server.peerCertificate == identity.certificate)
        #expect(try alert(of: end.client, pair.client) == row.name)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func `a fault of the chain ends the handshake with its own alert`(version: TLSVersion) throws {
        let identity = try ClientAuthority.stranger().issue(request(), key: .ec)
        let client = try certificates.clientContext(with: identity, in: folder, maximum: version)
        let pair = try Handshake(server: server, client: client)
        pair.server.judgesClient = { $0.verificationError.map { .init(.ofVerification, $0) } }
        let end = pair.run()
        #expect(end.server.failure?.explanation == "unable to get local issuer certificate")
        #expect(try alert(of: end.client, pair.client) == "unknown_ca")
        let good = try certificates.clientContext(with: authority().issue(request()), in: folder, maximum: version)
        let other = try Handshake(server: server, client: good)
        other.server.judgesClient = pair.server.judgesClient
        #expect(other.run().server == .done)
    }

    /// The alert that a client got: in TLS 1.3 it has finished before the server looks, and reads it afterwards.
    private func alert(of end: Handshake.End, _ session: TLSSession) throws -> String {
        var failure = end.failure
        if end == .done {
            var buffer = [UInt8](repeating: 0, count: 100)
            if case .failed(let later) = buffer.withUnsafeMutableBytes({ session.read(into: $0) }) { failure = later }
        }
        let words = try #require(failure).explanation
        return try String(#require(words.firstMatch(of: /alert (\w+)/)).1)
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

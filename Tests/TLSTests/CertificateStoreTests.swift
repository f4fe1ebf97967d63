import Foundation
import Testing

@testable import TLS

@Suite struct CertificateStoreTests {
    static let files = [
        "AuthKey_MOCK000001.p8", "ca.pem", "client-ca.key", "client-ca.pem", "client.key", "client.p12", "client.pem",
        "server.key", "server.pem",
    ]
    /// Those without the client certificate, whose RSA key takes a while to make.
    static let filesWithoutClient = files.filter { !$0.hasPrefix("client.") }
    static let day: Int64 = 86_400
    let folder: TemporaryFolder
    let now = SystemTime.now

    init() throws {
        folder = try TemporaryFolder()
    }

    func open(
        _ subjectNames: [String] = [], after days: Int64 = 0, machine: String? = nil,
        constraints: NameConstraints = .off, makesClient: Bool = false
    ) throws(TLSError) -> CertificateStore {
        try CertificateStore.open(
            directory: folder.path, subjectNames: subjectNames, constraints: constraints, makesClient: makesClient,
            now: now + days * Self.day, machine: machine.flatMap(SubjectName.init))
    }

    /// The client certificate of the shared folder, with its CA.
    func copyClient() throws {
        let other = try TestCertificates.shared.get().folder
        for name in ["client-ca.key", "client-ca.pem", "client.key", "client.pem"] {
            _ = try folder.write(other.text(of: name), to: name)
        }
        for name in ["client-ca.key", "client.key"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path(of: name))
        }
    }

    func contents() throws -> [String: String] {
        try Dictionary(
            uniqueKeysWithValues: folder.names().map { name in
                let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name)))
                return (name, data.base64EncodedString())
            })
    }

    func certificate(_ name: String) throws -> CertificateHandle {
        try PEMFile(path: folder.path(of: name)).certificates()[0]
    }

    func expectError(_ words: String..., in body: () throws -> Void) {
        let error = #expect(throws: TLSError.self) { try body() }
        for word in words { #expect(error?.description.contains(word) ?? false, "\(error?.description ?? "")") }
    }

    @Test func `an empty folder gets everything, keys for their owner only`() throws {
        let path = folder.path(of: "deep/certs")
        let store = try CertificateStore.open(directory: path, subjectNames: [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == Self.files)
        for name in Self.files {
            let isSecret = [".key", ".p8", ".p12"].contains { name.hasSuffix($0) }
            #expect(try folder.mode(of: "deep/certs/" + name) == (isSecret ? 0o600 : 0o644), "\(name)")
        }
        #expect(try folder.mode(of: "deep/certs") == 0o700)
        #expect(try folder.mode(of: "deep") == 0o700)
        #expect(store.made.count == Self.files.count)
        #expect(store.warnings == [])
        #expect(store.senderKeys.map(\.keyID) == ["MOCK000001"])
        #expect(store.senderKeys[0].key.privateKey != nil)
        #expect(store.authorityPEM == (try folder.text(of: "deep/certs/ca.pem")))
        #expect(store.clientAuthority != nil)
    }

    @Test func `a second opening changes nothing`() throws {
        _ = try open(["push.example.test"])
        let before = try contents()
        let store = try open()
        #expect(store.made == [])
        #expect(store.warnings == [])
        #expect(try contents() == before)
        #expect(store.subjectNames.contains("push.example.test"))
    }

    @Test func `what is made serves under all its names`() throws {
        let certificates = try TestCertificates(["push.example.test", "10.1.2.3", "fd00::5", "*.wild.example.test"])
        let server = try certificates.serverContext()
        for name in ["push.example.test", "10.1.2.3", "fd00::5", "a.wild.example.test", "ns1.apns.localhost"] {
            let end = try Handshake(server: server, client: certificates.clientContext(), name: name).run()
            #expect(end.client == .done, "\(name)")
        }
    }

    @Test(arguments: [true, false])
    func `servers that start together end up with the same files`(locks: Bool) async throws {
        let path = folder.path(of: "certs")
        let now = now
        let stores = try await withThrowingTaskGroup(of: CertificateStore.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let opening = CertificateStoreOpening(
                        folder: try CertificateFolder(path, locks: locks), now: now,
                        requested: index % 2 == 0 ? [] : [.host("mock-apns")], machine: nil,
                        makesClient: index % 2 == 0)
                    return try opening.run()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == Self.files)
        let authority = try folder.text(of: "certs/ca.pem")
        let senderKey = try folder.text(of: "certs/AuthKey_MOCK000001.p8")
        for store in stores {
            #expect(store.authorityPEM == authority)
            #expect(store.senderKeys.map { $0.key.privateKey?.pem } == [senderKey])
            #expect(store.warnings == [])
        }
        // Each file was made by one of them; without the lock also each by another.
        #expect(stores.flatMap(\.made).count == Self.files.count)
        let server = try TLSContext(
            serverCertificate: stores[0].serverCertificateFile, key: stores[0].serverKeyFile, clientAuthorities: [])
        let client = try TLSContext(
            clientTrusting: stores[0].authorityFile, certificate: stores[0].clientCertificateFile,
            key: stores[0].clientKeyFile)
        #expect(try Handshake(server: server, client: client).run().client == .done)
    }

    @Test func `the folder is locked while it is opened, and not after`() throws {
        func isFree() -> Bool {
            let descriptor = Foundation.open(folder.path, O_RDONLY)
            defer { close(descriptor) }
            return flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
        try withExtendedLifetime(CertificateFolder(folder.path)) { #expect(!isFree()) }
        _ = try open()
        #expect(isFree())
    }

    @Test func `the pair that ends soon is warned of, and made anew when it has ended`() throws {
        _ = try open()
        let before = try contents()
        #expect(try open(after: 365).warnings == [])
        let soon = try open(after: 367)
        #expect(soon.made == [])
        #expect(soon.warnings.count == 1)
        #expect(soon.warnings[0].contains("server.pem: ends on "))
        #expect(try contents() == before)
        let store = try open(after: 397)
        #expect(store.made.count == 2)
        #expect(store.made[0].contains("server.pem anew, with a new CA, as it ended on"))
        #expect(store.made[1].contains("ca.pem anew: the test CA, which senders must trust from now on"))
        let after = try contents()
        #expect(after.keys.sorted().filter { before[$0] != after[$0] } == ["ca.pem", "server.pem"])
        #expect(try certificate("server.pem").isSigned(by: certificate("ca.pem")))
        #expect(try certificate("server.pem").notAfter > now + 790 * Self.day)
        #expect(try folder.mode(of: "server.pem") == 0o644)
    }

    @Test func `an own CA with its key signs and renews`() throws {
        try writeOwnAuthority(constraints: .off, days: 3000)
        let first = try open(["a.example.test"])
        #expect(first.made.contains { $0.contains("server.pem: the server's certificate") })
        #expect(try open(["a.example.test"]).made == [])
        let more = try open(["b.example.test"])
        #expect(more.made.count == 1)
        #expect(more.made[0].contains("b.example.test was not in it"))
        for name in ["a.example.test", "b.example.test", "localhost"] { #expect(more.subjectNames.contains(name)) }
        #expect(try open(after: 367).made[0].contains("renewed"))
        #expect(try certificate("server.pem").isSigned(by: certificate("ca.pem")))
        expectError("ca.pem: this CA has expired; delete", "ca.key") { _ = try open(after: 3001) }
    }

    /// A CA of a company: its name says nothing of mock-apns.
    private func writeOwnAuthority(constraints: NameConstraints, days: Int64) throws {
        let key = try KeyHandle.generateP256()
        let permitted = constraints.texts(SubjectName.standard + [.host("early.example.test")])
        let template = CertificateTemplate(
            subject: [(NID.organizationalUnit, "Company CA")], notBefore: now - Self.day,
            notAfter: now + days * Self.day,
            extensions: [.known(NID.basicConstraints, "critical,CA:TRUE"), .known(NID.subjectKeyIdentifier, "hash")]
                + (permitted.isEmpty ? [] : [.known(NID.nameConstraints, permitted.joined(separator: ","))]))
        let certificate = try template.sign(for: key, issuer: nil, issuerKey: key)
        _ = try folder.write(certificate.pem(), to: "ca.pem")
        _ = try folder.write(key.privatePEM(), to: "ca.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "ca.key"))
    }

    @Test(arguments: ["late.example.test", "10.9.9.9", "fd00::9", "*.late.example.test"])
    func `a name outside an own CA's constraints is an error that says what to do`(name: String) throws {
        try writeOwnAuthority(constraints: .all, days: 300)
        _ = try open(["early.example.test"])
        let before = try contents()
        expectError("--san \(name): the CA in", "do not permit this name", "delete", "--certs") { _ = try open([name]) }
        #expect(try contents() == before)
    }

    @Test(arguments: ["late.example.test", "10.9.9.9", "fd00::9", "*.late.example.test"])
    func `a further name needs a new CA, and the error says how to get one`(name: String) throws {
        _ = try open(["early.example.test"])
        let before = try contents()
        let files = "delete \(folder.path(of: "ca.pem")) and \(folder.path(of: "server.pem"))"
        expectError("--san \(name): ", "made without this name", "no key any more", files, "--certs") {
            _ = try open([name])
        }
        #expect(try contents() == before)
        try folder.remove("ca.pem", "server.pem")
        let store = try open([name])
        #expect(store.subjectNames.contains(name))
        #expect(store.warnings == [])
    }

    @Test(arguments: ["early.example.test", "EARLY.example.test.", "ns7.apns.localhost", "127.0.0.1"])
    func `a name that the certificate covers needs no new CA`(name: String) throws {
        _ = try open(["early.example.test"])
        let before = try contents()
        #expect(try open([name]).made == [])
        #expect(try contents() == before)
    }

    // MARK: Earlier versions

    /// The folder as the version before made it: one CA for servers and clients, with constraints and its key.
    private func writeEarlierFolder() throws {
        let key = try KeyHandle.generateP256()
        let template = CertificateTemplate(
            subject: [(NID.commonName, CertificateAuthority.commonName)], notBefore: now - Self.day,
            notAfter: now + 3652 * Self.day,
            extensions: [
                .known(NID.basicConstraints, "critical,CA:TRUE,pathlen:0"),
                .known(NID.extendedKeyUsage, "serverAuth,clientAuth"),
                .known(NID.subjectKeyIdentifier, "hash"),
                .known(
                    NID.nameConstraints,
                    "critical," + NameConstraints.all.texts(SubjectName.standard).joined(separator: ",")),
            ])
        let authority = try CertificateAuthority(
            certificate: template.sign(for: key, issuer: nil, issuerKey: key), key: key)
        let serverKey = try KeyHandle.generateP256()
        let server = try authority.issueServerCertificate(for: serverKey, names: SubjectName.standard, now: now)
        let clients = ClientAuthority(authority: authority, sharedKey: SharedKey(nil))
        let client = try clients.issue(
            .init(userID: "com.example.app", notBefore: now - 60, notAfter: now + 300 * Self.day), key: .ec)
        for (name, text) in [
            ("ca.pem", authority.certificatePEM), ("ca.key", try key.privatePEM()),
            ("server.pem", try server.pem() + authority.certificatePEM), ("server.key", try serverKey.privatePEM()),
            ("client.pem", client.certificatePEM + authority.certificatePEM), ("client.key", client.keyPEM),
        ] {
            _ = try folder.write(text, to: name)
            let mode = name.hasSuffix(".key") ? 0o600 : 0o644
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(of: name))
        }
    }

    @Test(arguments: [true, false]) func `a folder of an earlier version serves as it did, and is told of`(
        hasKey: Bool
    ) throws {
        try writeEarlierFolder()
        if !hasKey { try folder.remove("ca.key") }
        let before = try contents()
        let store = try open(makesClient: true)
        let after = try contents()
        #expect(before.allSatisfy { after[$0] == $1 })
        #expect(store.warnings.count == 1)
        let warning = try #require(store.warnings.first)
        for words in ["earlier version", "IP addresses", "BoringSSL", "rustls", "delete", "ca.key", "client.key"] {
            #expect(warning.contains(words), "\(words): \(warning)")
            #expect(words == "earlier version" || store.trustHint.contains(words), "\(words): \(store.trustHint)")
        }
        let server = try TLSContext(
            serverCertificate: store.serverCertificateFile, key: store.serverKeyFile,
            clientAuthorities: store.clientAuthorityFiles, trustHint: store.trustHint)
        let client = try TLSContext(
            clientTrusting: store.authorityFile, certificate: store.clientCertificateFile, key: store.clientKeyFile)
        let pair = try Handshake(server: server, client: client)
        #expect(pair.run().server == .done)
        #expect(pair.server.peerCertificate?.verificationError == nil)
        // A client that refuses the CA is told of its constraints.
        let refused = try Handshake(server: server, client: TLSContext(clientTrusting: nil)).run()
        #expect(refused.server.failure?.explanation.contains("BoringSSL") == true)
    }

    @Test func `what the warning names makes a folder of an earlier version a new one`() throws {
        try writeEarlierFolder()
        try copyClientKeys()
        let warning = try #require(try open().warnings.first)
        let list = try #require(warning.firstMatch(of: /delete (.+), start it again/)).1
        for path in list.replacing(" and ", with: ", ").split(separator: ", ") {
            try FileManager.default.removeItem(atPath: String(path))
        }
        try copyClient()
        let store = try open(makesClient: true)
        #expect(store.warnings == [])
        #expect(try folder.names() == Self.files)
        #expect(!store.trustHint.contains("BoringSSL"))
        #expect(try certificate("ca.pem").constraints == .off)
        #expect(store.clientAuthorityFiles == [folder.path(of: "client-ca.pem")])
    }

    /// So that the test need not make an RSA key.
    private func copyClientKeys() throws {
        let other = try TestCertificates.shared.get().folder
        for name in ["client-ca.key", "client-ca.pem"] { _ = try folder.write(other.text(of: name), to: name) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "client-ca.key"))
    }

    @Test func `without the CA of an earlier version a new one is made, and its client certificate is told of`() throws
    {
        try writeEarlierFolder()
        let key = try folder.text(of: "server.key")
        try folder.remove("ca.pem", "ca.key")
        let store = try open(makesClient: true)
        #expect(store.made.contains { $0.contains("signed by a CA of an earlier version") })
        #expect(try certificate("server.pem").isSigned(by: certificate("ca.pem")))
        #expect(try folder.text(of: "server.key") == key)
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("client.pem: signed by CN = mock-apns TEST CA") == true)
        #expect(store.warnings.first?.contains("delete") == true)
    }

    @Test(arguments: [NameConstraints.dns, .all]) func `constraints are written on request, and told of`(
        constraints: NameConstraints
    ) throws {
        let store = try open(["push.example.test"], constraints: constraints)
        #expect(try certificate("ca.pem").constraints == constraints)
        #expect(store.warnings == [])
        #expect(store.trustHint.contains("rustls"))
        #expect(store.trustHint.contains("BoringSSL") == (constraints == .all))
        #expect(store.trustHint.contains("without --ca-constraints"))
        let server = try TLSContext(
            serverCertificate: store.serverCertificateFile, key: store.serverKeyFile, clientAuthorities: [])
        let client = try TLSContext(clientTrusting: store.authorityFile)
        #expect(try Handshake(server: server, client: client, name: "push.example.test").run().client == .done)
    }

    @Test func `constraints that the CA of the folder lacks are warned of`() throws {
        _ = try open()
        let store = try open(constraints: .dns)
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("--ca-constraints dns: the CA in") == true)
        #expect(try certificate("ca.pem").constraints == .off)
    }

    @Test(arguments: [
        "https://push.example.test", "push.example.test:443", "", "a..b", "-a.test", "1.2.3", "a b", "x,DNS:y",
    ])
    func `what is no name is an error`(name: String) {
        expectError("--san \"\(name)\": expected a host name") { _ = try open([name]) }
    }

    @Test func `the machine's name is in a new certificate, and missing later is told only when it is asked for`()
        throws
    {
        #expect(try open(machine: "container-1").subjectNames.contains("container-1"))
        let before = try contents()
        #expect(try open(machine: "container-2").warnings == [])
        #expect(try contents() == before)
        let store = try open(["container-2"], machine: "container-2")
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("container-2") ?? false)
        #expect(try contents() == before)
    }

    @Test func `an underscore is allowed and warned of`() throws {
        let store = try open(["mock_apns"])
        #expect(store.subjectNames.contains("mock_apns"))
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("underscore") ?? false)
    }

    @Test func `a lost CA is taken from the server's certificate`() throws {
        _ = try open()
        let before = try contents()
        try folder.remove("ca.pem")
        let store = try open()
        #expect(store.made.count == 1)
        #expect(store.made[0].contains("ca.pem: the test CA, which senders must trust"))
        #expect(try contents() == before)
    }

    @Test(arguments: ["ca.pem", "server.pem", "server.key", "client.pem", "client.p12", "AuthKey_MOCK000001.p8"])
    func `a start completes what a crash has left`(missing: String) throws {
        try copyClient()
        _ = try open(makesClient: true)
        try folder.remove(missing)
        let leftover = ".mock-apns-server.key-0123456789abcdef.tmp"
        _ = try folder.write("half", to: leftover)
        let store = try open(makesClient: true)
        #expect(!store.made.isEmpty)
        #expect(store.warnings == [])
        #expect(try folder.names() == Self.files)
        #expect(try certificate("server.pem").isSigned(by: certificate("ca.pem")))
        let server = try TLSContext(
            serverCertificate: store.serverCertificateFile, key: store.serverKeyFile, clientAuthorities: [])
        let client = try TLSContext(clientTrusting: store.authorityFile)
        #expect(try Handshake(server: server, client: client).run().client == .done)
    }

    @Test func `without the key of the CA of clients none are issued, and what is there is trusted`() throws {
        try copyClient()
        _ = try open()
        try folder.remove("client-ca.key")
        let before = try contents()
        let store = try open(makesClient: true)
        #expect(store.clientAuthority == nil)
        #expect(store.made == [])
        #expect(store.warnings == [])
        #expect(try contents() == before)
    }

    @Test func `a pair that does not belong together is an error`() throws {
        _ = try open()
        let other = try TestCertificates.shared.get().folder
        let key = try folder.text(of: "client-ca.key")
        _ = try folder.write(other.text(of: "client-ca.key"), to: "client-ca.key")
        expectError("client-ca.key: this key is not that of", "client-ca.pem", "delete both") { _ = try open() }
        _ = try folder.write(key, to: "client-ca.key")
        _ = try folder.write(key, to: "ca.key")
        expectError("ca.key: this key is not that of", "ca.pem", "delete both") { _ = try open() }
        try folder.remove("ca.key")
        _ = try folder.write(other.text(of: "server.key"), to: "server.key")
        expectError("server.key: this key is not that of", "server.pem") { _ = try open() }
    }

    @Test func `a certificate that somebody put there is used and not renewed`() throws {
        _ = try open()
        let key = folder.path(of: "own.key")
        try Command.run(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
            folder.path(of: "own.pem"),
            "-subj", "/CN=own", "-days", "10")
        let own = try folder.text(of: "own.pem")
        _ = try folder.write(folder.text(of: "own.key"), to: "server.key")
        _ = try folder.write(own, to: "server.pem")
        try folder.remove("own.key", "own.pem")
        let before = try contents()
        let store = try open(["localhost"])
        #expect(try contents() == before)
        #expect(
            store.warnings.contains {
                $0.contains("signed by CN = own") && $0.contains("put that CA's certificate there")
            })
        #expect(store.warnings.contains { $0.contains("ends on") })
        #expect(store.warnings.contains { $0.contains("lacks localhost") })
        #expect(store.trustHint.contains("CN = own"))
        _ = try folder.write(own, to: "ca.pem")
        let whole = try open(after: 1)
        #expect(whole.warnings.count == 1)
        #expect(whole.authorityPEM == own)
        try folder.remove("ca.pem")
        expectError("ca.pem: missing, while", "another CA's certificate") { _ = try open() }
        // A CA of somebody's own is never replaced.
        _ = try folder.write(own, to: "ca.pem")
        try folder.remove("server.pem")
        expectError("server.pem: missing, and without", "ca.key", "delete") { _ = try open() }
        let other = try TestCertificates.shared.get().folder
        for name in ["server.pem", "server.key"] { _ = try folder.write(other.text(of: name), to: name) }
        expectError("ca.pem: is not the CA of", "server.pem", "delete") { _ = try open() }
        #expect(try folder.text(of: "ca.pem") == own)
    }

    @Test(arguments: [
        ("ca.pem", "expected a PEM certificate"), ("ca.key", "expected a PEM private key"),
        ("client-ca.pem", "expected a PEM certificate"), ("client-ca.key", "expected a PEM private key"),
        ("server.pem", "expected a PEM certificate"), ("server.key", "expected a PEM private key"),
        ("AuthKey_MOCK000001.p8", "expected a PEM private key"),
        ("AuthKey_ABCDE12345.p8", "expected a PEM private key"),
    ])
    func `a broken file is an error that names it`(name: String, words: String) throws {
        _ = try open()
        for text in ["", "hello", "-----BEGIN DH PARAMETERS-----\nAAAA\n-----END DH PARAMETERS-----\n"] {
            _ = try folder.write(text, to: name)
            expectError("\(folder.path)/\(name): \(words)", "found") { _ = try open() }
        }
    }

    @Test(arguments: ["ca.pem", "server.pem", "server.key", "client-ca.pem", "client-ca.key"])
    func `half a file is an error that names it`(name: String) throws {
        _ = try open()
        let text = try folder.text(of: name)
        _ = try folder.write(String(text.prefix(text.count / 3)), to: name)
        expectError("\(folder.path)/\(name): ") { _ = try open() }
    }

    @Test func `a server's certificate in the place of the CA's is an error`() throws {
        _ = try open()
        _ = try folder.write(folder.text(of: "server.pem"), to: "ca.pem")
        expectError("ca.pem: expected the certificate of a CA, found one that may not sign") { _ = try open() }
    }

    @Test func `a broken client certificate is a warning`() throws {
        _ = try open()
        _ = try folder.write("x", to: "client.pem")
        let store = try open()
        #expect(store.warnings.count == 1)
        #expect(store.warnings[0].contains("client.pem: expected a PEM certificate"))
        #expect(try folder.text(of: "client.pem") == "x")
    }

    @Test func `pipes and folders in the place of files are errors, not waits`() throws {
        try Command.run("mkfifo", folder.path(of: "ca.pem"))
        expectError("ca.pem: cannot be read: not a file") { _ = try open() }
        try folder.remove("ca.pem")
        try FileManager.default.createDirectory(atPath: folder.path(of: "ca.pem"), withIntermediateDirectories: false)
        expectError("ca.pem: cannot be read: not a file") { _ = try open() }
    }

    @Test func `a file larger than any certificate is an error`() throws {
        _ = try folder.write(String(repeating: "x", count: FileBytes.maximum + 1), to: "ca.pem")
        expectError("ca.pem: cannot be read: 1048577 bytes, more than 1048576") { _ = try open() }
    }

    @Test func `a folder that cannot be is an error`() throws {
        let file = try folder.write("x", to: "file")
        for path in [file, file + "/certs", "/proc/none/certs", ""] {
            expectError("--certs") { _ = try CertificateStore.open(directory: path, subjectNames: []) }
        }
    }

    @Test func `keys that others can read are warned of`() throws {
        try copyClient()
        _ = try open()
        for name in ["client-ca.key", "server.key", "client.key", "AuthKey_MOCK000001.p8"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path(of: name))
        }
        let store = try open()
        #expect(store.warnings.count == 4)
        #expect(store.warnings.allSatisfy { $0.contains("others can read this key (mode 640): chmod 600 ") })
    }

    @Test func `every sender key is found, private or public, and odd names are told`() throws {
        _ = try open()
        let key = try ES256PrivateKey()
        _ = try folder.write(key.pem, to: "AuthKey_ABC123DEFG.p8")
        _ = try folder.write(key.publicKey.pem(), to: "AuthKey_PUBLIC0001.p8")
        for name in [
            "AuthKey_abc123defg.p8", "AuthKey_SHORT.p8", "authkey_ABC123DEFG.P8", "sender.p8", "AuthKey_X.pem",
        ] {
            _ = try folder.write(key.pem, to: name)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path(of: "AuthKey_ABC123DEFG.p8"))
        let store = try open()
        #expect(store.senderKeys.map(\.keyID) == ["ABC123DEFG", "MOCK000001", "PUBLIC0001"])
        #expect(store.senderKeys.map { $0.key.privateKey != nil } == [true, true, false])
        #expect(store.senderKeys[0].file == folder.path(of: "AuthKey_ABC123DEFG.p8"))
        let signature = try key.sign([1, 2, 3])
        for index in [0, 2] {
            #expect(store.senderKeys[index].key.publicKey.verifies(signature: signature, of: [1, 2, 3]))
        }
        #expect(store.warnings.count == 5)
        #expect(store.warnings.allSatisfy { $0.contains("a sender's key is called AuthKey_<KEYID>.p8") })
    }
}

import Foundation
import Testing

@testable import TLS

@Suite struct CertificateStoreTests {
    static let files = [
        "AuthKey_MOCK000001.p8", "ca.key", "ca.pem", "client.key", "client.pem", "server.key", "server.pem",
    ]
    static let day: Int64 = 86_400
    let folder: TemporaryFolder
    let now = SystemTime.now

    init() throws {
        folder = try TemporaryFolder()
    }

    func open(
        _ subjectNames: [String] = [], after days: Int64 = 0, machine: String? = nil
    ) throws(TLSError) -> CertificateStore {
        try CertificateStore.open(
            directory: folder.path, subjectNames: subjectNames, now: now + days * Self.day,
            machine: machine.flatMap(SubjectName.init))
    }

    func contents() throws -> [String: String] {
        try Dictionary(uniqueKeysWithValues: folder.names().map { ($0, try folder.text(of: $0)) })
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
            let isSecret = name.hasSuffix(".key") || name.hasSuffix(".p8")
            #expect(try folder.mode(of: "deep/certs/" + name) == (isSecret ? 0o600 : 0o644), "\(name)")
        }
        #expect(try folder.mode(of: "deep/certs") == 0o700)
        #expect(try folder.mode(of: "deep") == 0o700)
        #expect(store.made.count == Self.files.count)
        #expect(store.warnings == [])
        #expect(store.senderKeys.map(\.keyID) == ["MOCK000001"])
        #expect(store.senderKeys[0].key.privateKey != nil)
        #expect(store.authorityPEM == (try folder.text(of: "deep/certs/ca.pem")))
        #expect(store.authority != nil)
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
                        requested: index % 2 == 0 ? [] : [.host("mock-apns")], machine: nil)
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
            serverCertificate: stores[0].serverCertificateFile, key: stores[0].serverKeyFile, clientAuthority: nil)
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

    @Test func `a certificate near its end is renewed under the same CA`() throws {
        _ = try open()
        let before = try contents()
        #expect(try open(after: 365).made == [])
        let store = try open(after: 367)
        #expect(store.made.count == 1)
        #expect(store.made[0].contains("renewed"))
        let after = try contents()
        #expect(Self.files.filter { before[$0] != after[$0] } == ["server.pem"])
        #expect(try certificate("server.pem").isSigned(by: certificate("ca.pem")))
        #expect(try certificate("server.pem").notAfter > now + 700 * Self.day)
        #expect(try folder.mode(of: "server.pem") == 0o644)
    }

    @Test func `no server certificate is valid longer than Apple allows, nor longer than its CA`() throws {
        _ = try open()
        let first = try certificate("server.pem")
        #expect(first.notAfter - first.notBefore == 397 * Self.day)
        _ = try open(after: 3600)
        #expect(try certificate("server.pem").notAfter == certificate("ca.pem").notAfter)
    }

    @Test func `a CA at its end is an error that says what to do`() throws {
        _ = try open()
        expectError("ca.pem: this CA has expired; delete", "ca.key") { _ = try open(after: 3660) }
    }

    @Test func `a name that the CA permits is added, and others stay`() throws {
        _ = try open(["a.example.test", "b.example.test"])
        let server = try folder.text(of: "server.pem")
        #expect(try open(["b.example.test"]).made == [])
        #expect(try folder.text(of: "server.pem") == server)
        let store = try open(["sub.a.example.test"])
        #expect(store.made.count == 1)
        #expect(store.made[0].contains("sub.a.example.test was not in it"))
        for name in ["a.example.test", "b.example.test", "sub.a.example.test", "localhost"] {
            #expect(store.subjectNames.contains(name))
        }
    }

    @Test(arguments: ["late.example.test", "10.9.9.9", "fd00::9", "*.late.example.test"])
    func `a name outside the CA is an error that says what to do`(name: String) throws {
        _ = try open(["early.example.test"])
        let before = try contents()
        expectError("--san \(name): the CA in", "made without this name", "delete", "--certs") { _ = try open([name]) }
        #expect(try contents() == before)
    }

    @Test(arguments: [
        "https://push.example.test", "push.example.test:443", "", "a..b", "-a.test", "1.2.3", "a b", "x,DNS:y",
    ])
    func `what is no name is an error`(name: String) {
        expectError("--san \"\(name)\": expected a host name") { _ = try open([name]) }
    }

    @Test func `the machine's name is wanted where the CA permits it`() throws {
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

    @Test func `without a CA a new one is made and the server's certificate renewed`() throws {
        _ = try open()
        let key = try folder.text(of: "server.key")
        try folder.remove("ca.pem", "ca.key")
        let store = try open()
        #expect(store.made.count == 3)
        #expect(store.made.last?.contains("signed by an earlier CA") ?? false)
        #expect(try certificate("server.pem").isSigned(by: certificate("ca.pem")))
        #expect(try folder.text(of: "server.key") == key)
    }

    @Test(arguments: ["ca.pem", "server.pem", "server.key", "client.pem", "AuthKey_MOCK000001.p8"])
    func `a start completes what a crash has left`(missing: String) throws {
        _ = try open()
        try folder.remove(missing)
        let leftover = ".mock-apns-server.key-0123456789abcdef.tmp"
        _ = try folder.write("half", to: leftover)
        let store = try open()
        #expect(!store.made.isEmpty)
        #expect(store.warnings == [])
        #expect(try folder.names() == Self.files)
        let server = try TLSContext(
            serverCertificate: store.serverCertificateFile, key: store.serverKeyFile, clientAuthority: nil)
        let client = try TLSContext(clientTrusting: store.authorityFile)
        #expect(try Handshake(server: server, client: client).run().client == .done)
    }

    @Test func `without the CA's key what is there serves`() throws {
        _ = try open()
        try folder.remove("ca.key")
        let before = try contents()
        let store = try open()
        #expect(store.authority == nil)
        #expect(store.made == [])
        #expect(store.warnings == [])
        #expect(try open(["new.example.test"], after: 380).warnings.count == 2)
        #expect(try contents() == before)
        try folder.remove("server.pem")
        expectError("server.pem: missing, and without", "ca.key") { _ = try open() }
    }

    @Test func `a pair that does not belong together is an error`() throws {
        _ = try open()
        let other = try TestCertificates.shared.get().folder
        let key = try folder.text(of: "ca.key")
        _ = try folder.write(other.text(of: "ca.key"), to: "ca.key")
        expectError("ca.key: this key is not that of", "ca.pem", "delete both") { _ = try open() }
        _ = try folder.write(key, to: "ca.key")
        try folder.remove("ca.key")
        _ = try folder.write(other.text(of: "server.key"), to: "server.key")
        expectError("server.key: this key is not that of", "server.pem") { _ = try open() }
    }

    @Test func `a certificate that somebody put there is used and not renewed`() throws {
        let other = try TestCertificates.shared.get().folder
        _ = try open()
        let key = folder.path(of: "own.key")
        try Command.run(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
            folder.path(of: "own.pem"),
            "-subj", "/CN=own", "-days", "10")
        _ = try folder.write(folder.text(of: "own.key"), to: "server.key")
        _ = try folder.write(folder.text(of: "own.pem"), to: "server.pem")
        try folder.remove("own.key", "own.pem")
        let before = try contents()
        let store = try open(["localhost"])
        #expect(try contents() == before)
        #expect(store.warnings.contains { $0.contains("signed by CN = own") })
        #expect(store.warnings.contains { $0.contains("ends on") })
        #expect(store.warnings.contains { $0.contains("lacks localhost") })
        try folder.remove("ca.pem", "ca.key")
        expectError("ca.pem: missing, while", "another CA's certificate") { _ = try open() }
        _ = other
    }

    @Test(arguments: [
        ("ca.pem", "expected a PEM certificate"), ("ca.key", "expected a PEM private key"),
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

    @Test(arguments: ["ca.pem", "server.pem", "ca.key", "server.key"])
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
        #expect(try open(after: 400).warnings.count == 1)
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
        _ = try open()
        for name in ["ca.key", "server.key", "client.key", "AuthKey_MOCK000001.p8"] {
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

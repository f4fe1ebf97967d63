import Foundation
import Testing

@testable import TLS

@Suite struct CertificateStoreTests {
    static let files = [
        "AuthKey_MOCK000001.p8", "ca.key", "ca.pem", "client.key", "client.pem", "server.key", "server.pem",
    ]
    static let day: Int64 = 86_400

    @Test func `an empty folder gets everything, keys for their owner only`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "deep/certs")
        let store = try CertificateStore.open(directory: path, subjectNames: [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == Self.files)
        for name in Self.files {
            let isSecret = name.hasSuffix(".key") || name.hasSuffix(".p8")
            #expect(try folder.mode(of: "deep/certs/" + name) == (isSecret ? 0o600 : 0o644), "\(name)")
        }
        #expect(try folder.mode(of: "deep/certs") == 0o700)
        #expect(store.made.count == Self.files.count)
        #expect(store.warnings == [])
        #expect(store.senderKeys.map(\.keyID) == ["MOCK000001"])
        #expect(store.senderKeys[0].key.privateKey != nil)
        #expect(store.authorityPEM == (try folder.text(of: "deep/certs/ca.pem")))
        #expect(store.authority != nil)
    }

    @Test func `a second opening changes nothing`() throws {
        let folder = try TemporaryFolder()
        _ = try CertificateStore.open(directory: folder.path, subjectNames: ["push.example.test"])
        let before = try Self.files.map(folder.text)
        let store = try CertificateStore.open(directory: folder.path, subjectNames: [])
        #expect(store.made == [])
        #expect(store.warnings == [])
        #expect(try Self.files.map(folder.text) == before)
        #expect(store.subjectNames.contains("push.example.test"))
    }

    @Test func `what is made serves`() throws {
        let certificates = try TestCertificates(["push.example.test", "10.1.2.3", "fd00::5", "*.wild.example.test"])
        let server = try certificates.serverContext()
        for name in ["push.example.test", "10.1.2.3", "fd00::5", "a.wild.example.test", "ns1.apns.localhost"] {
            let pair = try Handshake(server: server, client: certificates.clientContext(), name: name)
            let end = pair.run()
            #expect(end.client == .done, "\(name)")
        }
    }
}

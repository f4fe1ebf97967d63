import APNs
package import EventLoop
import Foundation
import HTTP2
package import Server
package import Simulation
import TLS

/// A live server on free ports for one test, with what a sender needs to reach it.
package final class TestServer: Sendable {
    /// The certificates that all test servers of this process share; making them anew for each would cost most of its time.
    private static let shared = Result { try TemporaryFolder() }

    /// The server.
    package let server: MockServer
    /// A folder for the files of this test; the log is `log.ndjson` there.
    package let folder: TemporaryFolder
    /// A device token that no other test uses.
    package let device = TestServer.randomDevice()
    /// `bearer` and a good provider token; one for all pushes, as a connection may not change it.
    package let bearer: String

    /// Starts a server with an ephemeral configuration after the test's changes.
    package init(_ change: (inout Configuration) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        var configuration = Configuration.ephemeral
        configuration.certificates = try Self.shared.get().path + "/certs"
        configuration.log = folder.file("log.ndjson")
        configuration.seed = 1
        configuration.admin = nil  // Tests that ask it switch it on.
        change(&configuration)
        server = try MockServer.start(configuration)
        guard let key = server.certificates.announcedKey else {
            throw TestConnection.Failure("the folder of certificates has no key to sign with")
        }
        bearer = try Self.bearer(keyFile: key.file, keyID: key.keyID, teamID: configuration.team)
    }

    /// `bearer` and a provider token issued now.
    package static func bearer(keyFile: String, keyID: String, teamID: String) throws -> String {
        let key = try ES256PrivateKey(pem: String(contentsOfFile: keyFile, encoding: .utf8))
        let now = Int64(Date().timeIntervalSince1970)
        return try "bearer " + ProviderTokenMaker(key: key, keyID: keyID, teamID: teamID).token(issuedAt: now)
    }

    deinit {
        server.stop()
    }

    /// Runs the test with a live server, and stops it whatever comes.
    package static func run(
        _ change: (inout Configuration) -> Void = { _ in }, _ body: (TestServer) throws -> Void
    ) throws {
        let server = try TestServer(change)
        defer { server.server.stop() }
        try body(server)
    }

    /// The first APNs listener.
    package var address: SocketAddress { server.listeners[0].address }
    /// The rules, the journal and the clock.
    package var simulator: Simulator { server.simulator }
    /// The certificate that senders must trust.
    package var authority: String { server.certificates.authorityFile }

    /// A connection to the first listener.
    package func client(_ options: TestConnection.Options = .init()) throws -> TestClient {
        try TestClient(address, trusting(options))
    }

    /// A connection in clear text to the same listener, before the first byte of HTTP/2.
    package func clearTextConnection() throws -> TestConnection {
        guard let address = server.address(.h2c) else { throw TestConnection.Failure("there is no --h2c-listen") }
        return try TestConnection(address, .with { $0.isClearText = true })
    }

    /// A connection in clear text to the listener for HTTP/2 with prior knowledge.
    package func clearTextClient() throws -> TestClient {
        guard let address = server.address(.h2c) else { throw TestConnection.Failure("there is no --h2c-listen") }
        return try TestClient(address, .with { $0.isClearText = true })
    }

    /// A connection to the listener for HTTP/1.1.
    package func http1Client() throws -> TestHTTP1Client {
        guard let address = server.address(.http1) else { throw TestConnection.Failure("there is no --http1-listen") }
        return try TestHTTP1Client(address)
    }

    /// A connection to the first listener that has finished the TLS handshake and nothing else.
    package func connection(_ options: TestConnection.Options = .init()) throws -> TestConnection {
        try TestConnection(address, trusting(options))
    }

    /// A connection to the first listener for frames made by hand.
    package func framePeer(_ options: TestConnection.Options = .init()) throws -> FramePeer {
        try FramePeer(address, trusting(options))
    }

    private func trusting(_ options: TestConnection.Options) -> TestConnection.Options {
        guard case .server = options.trust else { return options }
        var options = options
        options.trust = .authority(authority)
        return options
    }

    /// The header fields of a good push, changed as the test likes.
    package func fields(_ changes: [String: String?] = [:]) -> [(String, String)] {
        var fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", "/3/device/\(device)"),
            ("authorization", bearer), ("apns-topic", "com.example.app"), ("apns-push-type", "alert"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            fields.removeAll { $0.0 == name }
            guard let value else { continue }
            if name.hasPrefix(":") { fields.insert((name, value), at: 0) } else { fields.append((name, value)) }
        }
        return fields
    }

    /// All entries of the journal.
    package var entries: [JournalEntry] { Array(simulator.journal.snapshot().entries) }

    /// A random device token.
    package static func randomDevice() -> String {
        (0..<4).map { _ in
            let word = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }
}

extension TestServer {
    /// The key that client certificates share, made once for all programs that tests of this process start.
    private static let clientKey = Result {
        try ClientAuthority.stranger().issue(ClientCertificateRequest(userID: "x", notBefore: 0, notAfter: 1)).keyPEM
    }

    /// Puts that key into the folder of certificates of a program to be started, unless it has one: making it would take most of the start.
    package static func provideClientKey(in folder: TemporaryFolder) throws {
        let path = folder.file("certs/client.key")
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.createDirectory(
            atPath: folder.file("certs"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try clientKey.get().write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Waits until the journal, the default namespace's unless another is given, holds so many entries, and returns them.
    package func waitForEntries(_ count: Int, in other: Journal? = nil) throws -> [JournalEntry] {
        let journal = other ?? simulator.journal
        let arrived = DispatchSemaphore(value: 0)
        let (follower, snapshot) = try journal.follow(after: 0, matching: Matcher()) { _ in arrived.signal() }
        defer { journal.unfollow(follower) }
        for _ in snapshot.entries.count..<max(count, snapshot.entries.count) {
            guard arrived.wait(timeout: .now() + 30) == .success else {
                throw TestConnection.Failure(
                    "waited for \(count) entries, there are \(journal.snapshot().entries.count)")
            }
        }
        return Array(journal.snapshot().entries)
    }
}

import APNs
import EventLoop
import Server
import Simulation
import TLS

/// A stand-in for Apple's Push Notification service inside this process, for Swift tests.
///
/// ```swift
/// let apns = try await MockAPNS.start()
/// // Point the sender at apns.host and apns.port, let it trust apns.authorityFile and sign with apns.signingKey.
/// let push = try await apns.notification(to: device, within: .seconds(5))
/// #expect(push.title == "Shipped")
/// await apns.stop()
/// ```
///
/// Servers are cheap and know nothing of each other: give each test its own.
public final class MockAPNS: Sendable {
    /// The key that the sender under test signs its provider tokens with.
    public struct SigningKey: Sendable {
        /// The key id, for `kid`.
        public let keyID: String
        /// The team id, for `iss`.
        public let teamID: String
        /// The private key as in a `.p8` file.
        public let pem: String
        /// The `.p8` file.
        public let file: String
    }

    /// The host to connect to, as the certificate names it: `127.0.0.1`.
    public let host: String
    /// The port to connect to.
    public let port: Int
    /// The base URL of the admin API, for tools: `http://127.0.0.1:50123`.
    public let adminURL: String
    /// The PEM file with the certificate that the sender must trust.
    public let authorityFile: String
    /// The certificate that the sender must trust, as PEM.
    public let authorityPEM: String
    /// The key to sign provider tokens with.
    public let signingKey: SigningKey

    let server: MockServer
    let admin: (host: String, port: UInt16)
    private let folder: TemporaryFolder?

    /// The base URL of the APNs listener: `https://127.0.0.1:50122`.
    public var url: String { "https://\(host):\(port)" }

    /// Starts a server on free loopback ports; it is ready when this returns.
    public static func start(_ configuration: Configuration = Configuration()) async throws -> MockAPNS {
        try await OwnThread.run("mock-apns-start") { try MockAPNS(configuration) }
    }

    /// Starts a server, runs the body, and stops the server whatever comes.
    public static func withServer<Result: Sendable>(
        _ configuration: Configuration = Configuration(), _ body: @Sendable (MockAPNS) async throws -> Result
    ) async throws -> Result {
        let apns = try await start(configuration)
        do {
            let result = try await body(apns)
            await apns.stop()
            return result
        } catch {
            await apns.stop()
            throw error
        }
    }

    private init(_ configuration: Configuration) throws {
        folder = configuration.certificates == nil ? try TemporaryFolder() : nil
        let certificates = configuration.certificates ?? folder?.path ?? "certs"
        server = try MockServer.start(configuration.whole(certificates: certificates))
        guard case .ip(let host, let port)? = server.listeners.first?.address,
            case .ip(let adminHost, let adminPort)? = server.adminAddress,
            let key = server.certificates.announcedKey, let privateKey = key.key.privateKey
        else { throw Failure("the server did not start as a server of tests") }
        self.host = host
        self.port = Int(port)
        admin = (adminHost, adminPort)
        adminURL = "http://\(adminHost):\(adminPort)"
        authorityFile = server.certificates.authorityFile
        authorityPEM = server.certificates.authorityPEM
        signingKey = SigningKey(
            keyID: key.keyID, teamID: server.configuration.team, pem: privateKey.pem, file: key.file)
    }

    /// Stops the server: its connections get GOAWAY with `Shutdown`, requests in flight are answered. May be called again.
    public func stop() async {
        await withCheckedContinuation { continuation in
            OwnThread.detach("mock-apns-stop") { [server] in
                server.stop()
                continuation.resume()
            }
        }
    }

    /// A random device token.
    public func randomDevice() -> String {
        (0..<32).map { _ in
            let byte = String(UInt8.random(in: .min ... .max), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }

    /// The number of the newest entry: take it before acting, and wait for what comes after it.
    public var cursor: UInt64 { server.simulator.journal.cursor }

    /// Forgets everything that was seen.
    public func reset() {
        server.simulator.reset()
    }

    deinit {
        server.stop()
    }
}

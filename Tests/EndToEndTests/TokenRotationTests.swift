import APNs
import HTTP2
import Server
import Simulation
import TLS
import TestSupport
import Testing

/// Provider tokens that grow old and are renewed, by moving the clock instead of waiting.
struct TokenRotationTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    /// A token of the built-in key, issued at the server's present time.
    private func bearer(_ server: TestServer) throws -> String {
        let key = try #require(server.server.certificates.announcedKey)
        let maker = ProviderTokenMaker(
            key: try #require(key.key.privateKey), keyID: key.keyID, teamID: server.server.configuration.team)
        return try "bearer " + maker.token(issuedAt: server.simulator.clock.now().server / 1000)
    }

    private func push(_ client: TestClient, _ server: TestServer, _ bearer: String) throws -> String {
        let response = try client.request(server.fields(["authorization": bearer]), payload)
        return response.status == 200 ? "200" : "\(response.status) " + String(decoding: response.body, as: UTF8.self)
    }

    private func run(_ body: (TestServer, TestClient) throws -> Void) throws {
        try TestServer.run {
            $0.clock = .frozen(1_767_225_600_000)
        } _: { server in
            try body(server, try server.client())
        }
    }

    @Test func `a token is renewed after 20 minutes and not sooner`() throws {
        try run { server, client in
            let first = try bearer(server)
            #expect(try push(client, server, first) == "200")
            server.simulator.clock.advance(by: 1_199_000)
            let second = try bearer(server)
            #expect(try push(client, server, second) == #"429 {"reason":"TooManyProviderTokenUpdates"}"#)
            #expect(try push(client, server, first) == "200")
            #expect(try push(server.client(), server, second) == "200", "a new connection starts afresh")
            server.simulator.clock.advance(by: 1000)
            #expect(try push(client, server, second) == "200")
            server.simulator.clock.advance(by: 1_200_000)
            #expect(try push(client, server, bearer(server)) == "200")
        }
    }

    @Test func `a token of 61 minutes has expired, and its successor is good on the same connection`() throws {
        try run { server, client in
            let first = try bearer(server)
            #expect(try push(client, server, first) == "200")
            server.simulator.clock.advance(by: 3_600_000)
            #expect(try push(client, server, first) == "200")
            server.simulator.clock.advance(by: 60_000)
            #expect(try push(client, server, first) == #"403 {"reason":"ExpiredProviderToken"}"#)
            #expect(server.entries.last?.content.failures.first?.explanation.contains("61 min 00 s") == true)
            #expect(try push(client, server, bearer(server)) == "200")
        }
    }

    @Test func `a key that is revoked ends its tokens on open connections`() throws {
        try run { server, client in
            let token = try bearer(server)
            #expect(try push(client, server, token) == "200")
            #expect(server.simulator.keys.update("MOCK000001") { $0.isRevoked = true } != nil)
            #expect(try push(client, server, token) == #"403 {"reason":"InvalidProviderToken"}"#)
            server.simulator.keys.reset()
            #expect(try push(client, server, token) == "200")
            #expect(server.simulator.keys.update("MOCK000001") { $0.topics = ["com.other.*"] } != nil)
            #expect(try push(client, server, token) == #"400 {"reason":"TopicDisallowed"}"#)
            #expect(server.simulator.keys.update("MOCK000001") { $0.environments = [.production] } != nil)
            #expect(try push(client, server, token) == #"403 {"reason":"BadEnvironmentKeyInToken"}"#)
        }
    }
}

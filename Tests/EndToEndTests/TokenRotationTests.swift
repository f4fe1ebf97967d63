import APNs
import EventLoop
import Foundation
import HTTP2
import Server
import Simulation
import TLS
import TestFixtures
import TestSupport
import Testing

/// Provider tokens that grow old and are renewed, over the wire; the clock is moved through the admin API.
struct TokenRotationTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    /// A sender with a key of its own.
    private struct Sender {
        let server: TestServer
        let keyID: String
        let teamID: String
        let key: ES256PrivateKey

        /// A token issued at the server's present time.
        func bearer() throws -> String {
            try "bearer "
                + ProviderTokenMaker(key: key, keyID: keyID, teamID: teamID)
                .token(issuedAt: server.simulator.clock.now().server / 1000)
        }
    }

    private func push(_ client: TestClient, _ server: TestServer, _ bearer: String) throws -> String {
        let response = try client.request(server.fields(["authorization": bearer]), payload)
        return response.status == 200 ? "200" : "\(response.status) " + String(decoding: response.body, as: UTF8.self)
    }

    /// Asks the admin API for a change.
    private func ask(_ server: TestServer, _ method: String, _ target: String, _ body: String) throws -> [String: Any] {
        guard case .ip(let host, let port) = try #require(server.server.adminAddress) else {
            throw TestConnection.Failure("the admin API has no port")
        }
        let response = try HTTP1Client.send(
            method: method, host: host, port: port, target: target, headers: [("content-type", "application/json")],
            body: Array(body.utf8), timeoutMilliseconds: 30_000)
        #expect((200..<300).contains(response.status), "\(String(decoding: response.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    private func advance(_ server: TestServer, _ duration: String) throws {
        _ = try ask(server, "POST", "/v1/clock", #"{"advance": "\#(duration)"}"#)
    }

    /// A sender whose key the admin API makes.
    private func sender(_ server: TestServer, team: String) throws -> Sender {
        let key = try ask(server, "POST", "/v1/keys", #"{"teamId": "\#(team)"}"#)
        return Sender(
            server: server, keyID: try #require(key["keyId"] as? String), teamID: team,
            key: try ES256PrivateKey(pem: #require(key["p8"] as? String)))
    }

    private func run(_ body: (TestServer, TestClient, Sender) throws -> Void) throws {
        try TestServer.run {
            $0.clock = .frozen(1_767_225_600_000)
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            try body(server, try server.client(), try sender(server, team: "FIRSTTEAM1"))
        }
    }

    @Test func `a token is renewed after 20 minutes and not sooner`() throws {
        try run { server, client, sender in
            let first = try sender.bearer()
            #expect(try push(client, server, first) == "200")
            try advance(server, "1199s")
            let second = try sender.bearer()
            #expect(try push(client, server, second) == #"429 {"reason":"TooManyProviderTokenUpdates"}"#)
            #expect(try push(client, server, first) == "200")
            #expect(try push(server.client(), server, second) == "200", "a new connection starts afresh")
            try advance(server, "1s")
            #expect(try push(client, server, second) == "200")
            try advance(server, "20m")
            #expect(try push(client, server, sender.bearer()) == "200")
        }
    }

    @Test func `a token of 61 minutes has expired, and its successor is good on the same connection`() throws {
        try run { server, client, sender in
            let first = try sender.bearer()
            #expect(try push(client, server, first) == "200")
            try advance(server, "60m")
            #expect(try push(client, server, first) == "200")
            try advance(server, "1m")
            #expect(try push(client, server, first) == #"403 {"reason":"ExpiredProviderToken"}"#)
            let entries = try ask(server, "POST", "/v1/requests/query", #"{"match": {"outcome": "rejected"}}"#)
            let rejection = (entries["items"] as? [[String: Any]])?.last?["rejection"] as? [String: Any]
            #expect((rejection?["explanation"] as? String)?.contains("61 min 00 s") == true)
            #expect(try push(client, server, sender.bearer()) == "200")
        }
    }

    @Test func `two teams have a connection each, and renew their tokens apart`() throws {
        try run { server, client, sender in
            let other = try self.sender(server, team: "SECONDTEAM")
            let (first, second) = (try sender.bearer(), try other.bearer())
            #expect(try push(client, server, first) == "200")
            #expect(try push(client, server, second) == #"403 {"reason":"InvalidProviderToken"}"#)
            let otherClient = try server.client()
            #expect(try push(otherClient, server, second) == "200")
            #expect(try push(otherClient, server, first) == #"403 {"reason":"InvalidProviderToken"}"#)
            try advance(server, "20m")
            #expect(try push(client, server, sender.bearer()) == "200")
            #expect(try push(otherClient, server, second) == "200")
            try advance(server, "41m")
            #expect(try push(otherClient, server, second) == #"403 {"reason":"ExpiredProviderToken"}"#)
            #expect(try push(otherClient, server, other.bearer()) == "200")
            #expect(try push(client, server, other.bearer()) == #"403 {"reason":"InvalidProviderToken"}"#)
        }
    }

    @Test func `a key that is revoked or limited counts at once on open connections`() throws {
        try run { server, client, sender in
            let token = try sender.bearer()
            let path = "/v1/keys/" + sender.keyID
            #expect(try push(client, server, token) == "200")
            _ = try ask(server, "PATCH", path, #"{"revoked": true}"#)
            #expect(try push(client, server, token) == #"403 {"reason":"InvalidProviderToken"}"#)
            _ = try ask(server, "PATCH", path, #"{"revoked": false}"#)
            #expect(try push(client, server, token) == "200")
            _ = try ask(server, "PATCH", path, #"{"topics": ["com.other.*"]}"#)
            #expect(try push(client, server, token) == #"400 {"reason":"TopicDisallowed"}"#)
            _ = try ask(server, "PATCH", path, #"{"environments": ["production"]}"#)
            #expect(try push(client, server, token) == #"403 {"reason":"BadEnvironmentKeyInToken"}"#)
        }
    }
}

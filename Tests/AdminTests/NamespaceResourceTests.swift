import APNs
import Admin
import Foundation
import Simulation
import TestFixtures
import Testing

/// The namespaces as guests of the admin API see them.
struct NamespaceResourceTests {
    private let harness = AdminHarness()

    private func make(_ body: String, on harness: AdminHarness? = nil) -> AdminResponse {
        (harness ?? self.harness).send("/v1/namespaces", method: "POST", json: body)
    }

    private func namespace(_ name: String) throws -> Namespace {
        try #require(harness.worlds.namespace(named: name))
    }

    // MARK: Making

    @Test func `a namespace is made, shown, listed and deleted`() throws {
        let made = make(
            #"{"name": "suite", "ttl": "10m", "key": true, "profile": "live", "seed": 7, "topics": ["com.acme.*"], "devices": 2}"#
        )
        #expect(made.status == 201)
        #expect(made.string("base") == "http://127.0.0.1:2198/v1/ns/suite")
        #expect(made.string("profile") == "live" && made.number("seed") == 7)
        #expect(made.string("hostName") == "suite.apns.localhost")
        let key = try #require(made.object["key"] as? [String: Any])
        #expect((key["p8"] as? String)?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
        #expect(made.object["keyIds"] as? [String] == [key["keyId"] as? String ?? ""])
        #expect((made.object["devices"] as? [String])?.count == 2)
        #expect(harness.send("/v1/ns/suite/devices").items.count == 2 && harness.send("/v1/devices").items.isEmpty)
        #expect(harness.send("/v1/ns/suite/reset", method: "POST").status == 200)
        #expect(harness.send("/v1/ns/suite/devices").items.count == 2)
        #expect((made.object["expiresAt"] as? String)?.isEmpty == false)

        let shown = harness.send("/v1/namespaces/suite")
        #expect(shown.status == 200 && shown.object["key"] == nil)
        #expect(harness.send("/v1/namespaces").items.map { $0["name"] as? String } == ["default", "suite"])
        #expect(harness.send("/v1/namespaces", accept: "text/plain").text.contains("suite  http://127.0.0.1:2198"))

        let removed = harness.send("/v1/namespaces/suite", method: "DELETE")
        #expect(removed.status == 200 && removed.string("removed") == "suite")
        #expect(harness.send("/v1/namespaces/suite").status == 404)
        #expect(harness.worlds.isSingle)
    }

    @Test func `without a name it gets one`() throws {
        let made = make("{}")
        #expect(made.status == 201 && made.string("name").hasPrefix("ns-"))
        #expect(Namespace.isName(made.string("name")))
    }

    @Test(arguments: [
        (#"{"name": "a b"}"#, 400, "a b"), (#"{"nmae": "x"}"#, 400, "Did you mean \"name\"?"),
        (#"{"ttl": "25h"}"#, 400, "at most"), (#"{"ttl": 0}"#, 400, "ttl"), (#"{"port": 70000}"#, 400, "65535"),
        (#"{"profile": "strickt"}"#, 400, "Did you mean \"strict\"?"), (#"{"key": "yes"}"#, 400, "true or false"),
        (#"{"name": "default"}"#, 409, "taken"), (#"{"name": "suite"}"#, 409, "taken"),
        (#"{"topics": "com.acme.*"}"#, 409, "suite"), (#"{"port": 0}"#, 503, "no APNs listeners"),
    ])
    func `what cannot be is refused, and nothing is made`(body: String, status: Int, words: String) {
        #expect(make(#"{"name": "suite", "topics": "com.acme.*"}"#).status == 201)
        let call = harness.start("/v1/namespaces", method: "POST", json: body)
        harness.loop.run()
        #expect(call.response?.status == status)
        #expect(call.response?.text.replacing("\\", with: "").contains(words) == true)
        #expect(harness.worlds.others.map(\.name) == ["suite"])
    }

    @Test func `a listener of its own is opened and closed`() throws {
        let closed = Collected<String>()
        let asked = Collected<NamespaceListeners.Ports>()
        let harness = AdminHarness(
            listeners: NamespaceListeners(
                open: { _, ports, done in
                    asked.append(ports)
                    done(.success(.init(host: "127.0.0.1", port: ports.tls.map { $0 + 49_213 }, http1Port: 49_215)))
                },
                close: { closed.append($0.name) }))
        let call = harness.start("/v1/namespaces", method: "POST", json: #"{"name": "suite", "port": 0}"#)
        #expect(call.response == nil)
        harness.loop.run()
        let response = try #require(call.response)
        #expect(response.status == 201)
        #expect(
            response.object["apns"] as? NSDictionary
                == ["host": "127.0.0.1", "port": 49_213, "h2cPort": NSNull(), "http1Port": 49_215])
        #expect(
            harness.send("/v1/namespaces/suite", accept: "text/plain").text.contains("  port 49213  http1Port 49215"))
        #expect(
            harness.send("/v1/namespaces/suite").object["apns"] as? NSDictionary == response.object["apns"]
                as? NSDictionary)
        #expect(harness.send("/v1/namespaces/suite", method: "DELETE").status == 200)
        #expect(closed.all == ["suite"])
        _ = harness.start("/v1/namespaces", method: "POST", json: #"{"h2cPort": 7, "http1Port": 8}"#)
        var second = NamespaceListeners.Ports()
        (second.h2c, second.http1) = (7, 8)
        #expect(asked.all.last == second)
        #expect(asked.all.first?.tls == 0 && asked.all.first?.h2c == nil && asked.all.first?.http1 == nil)
    }

    @Test func `it ends by itself when its time is over`() throws {
        #expect(make(#"{"name": "short", "ttl": "2s"}"#).status == 201)
        #expect(make(#"{"name": "long"}"#).status == 201)
        harness.loop.advance(1_500)
        #expect(harness.send("/v1/namespaces/short").status == 200)
        harness.loop.advance(600)
        #expect(harness.send("/v1/namespaces/short").status == 404)
        #expect(harness.send("/v1/namespaces/long").status == 200)
        // One that was deleted and made again has its own time.
        #expect(make(#"{"name": "short", "ttl": "2s"}"#).status == 201)
        #expect(harness.send("/v1/namespaces/short", method: "DELETE").status == 200)
        #expect(make(#"{"name": "short", "ttl": "1h"}"#).status == 201)
        harness.loop.advance(3_000)
        #expect(harness.send("/v1/namespaces/short").status == 200)
    }

    // MARK: Routes under /v1/ns

    @Test func `every route acts on the namespace of its path`() throws {
        _ = make(#"{"name": "suite", "profile": "live"}"#)
        let suite = try namespace("suite")
        harness.push()
        harness.push(in: suite)
        harness.push(in: suite)
        #expect(harness.send("/v1/notifications").items.count == 1)
        let items = harness.send("/v1/ns/suite/notifications").items
        #expect(items.map { $0["namespace"] as? String } == ["suite", "suite"])
        let link = try #require((items[0]["links"] as? [String: String])?["self"])
        #expect(harness.send(link).string("id") == items[0]["id"] as? String)
        #expect(harness.send("/v1/ns/suite/cursor").header("mock-apns-cursor") == "2")
        #expect(harness.send("/v1/cursor").header("mock-apns-cursor") == "1")
        #expect(harness.send("/v1/ns/suite/info").string("profile") == "live")
        #expect(harness.send("/v1/ns/suite/clock", method: "POST", json: #"{"advance": "1h"}"#).status == 200)
        #expect(harness.send("/v1/ns/suite/clock").string("mode") == "offset")
        #expect(harness.send("/v1/clock").string("mode") == "real")
        #expect(harness.send("/v1/ns/suite/keys", method: "POST", json: #"{"keyId": "SUITEKEY01"}"#).status == 201)
        #expect(harness.send("/v1/ns/suite/keys/SUITEKEY01").status == 200)
        #expect(harness.send("/v1/keys/SUITEKEY01").status == 404)
    }

    @Test func `an unknown namespace is 404 with the nearest name`() {
        _ = make(#"{"name": "OrderTests.shipped"}"#)
        let response = harness.send("/v1/ns/OrderTest.shipped/cursor")
        #expect(response.status == 404 && response.string("type") == "urn:mock-apns:unknown-namespace")
        #expect(response.string("hint") == #"Did you mean "OrderTests.shipped"?"#)
        #expect(harness.send("/v1/namespaces/zzzzzz").string("hint") == "GET /v1/namespaces lists all.")
    }

    /// Two suites that reset as they like, interleaved at random: each sees exactly what it sent since its own last reset.
    @Test(arguments: 0..<8)
    func `interleaved resets of two namespaces`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for name in ["a", "b"] { _ = make(#"{"name": "\#(name)"}"#) }
        var expected = ["a": 0, "b": 0, "default": 0]
        for _ in 0..<200 {
            let name = try #require(expected.keys.sorted().randomElement(using: &generator))
            if Int.random(in: 0..<5, using: &generator) == 0 {
                #expect(harness.send("/v1/ns/\(name)/reset", method: "POST").status == 200)
                expected[name] = 0
            } else {
                harness.push(in: try namespace(name))
                expected[name, default: 0] += 1
            }
            for (name, count) in expected {
                #expect(
                    harness.send("/v1/ns/\(name)/notifications?exactly=\(count)&limit=1").status == 200,
                    "seed \(seed), namespace \(name)")
            }
        }
    }

    @Test func `calls that wait in a namespace end with it`() throws {
        _ = make(#"{"name": "suite"}"#)
        let inside = harness.start("/v1/ns/suite/notifications?wait=10s")
        let outside = harness.start("/v1/notifications?wait=10s")
        #expect(harness.send("/v1/namespaces/suite", method: "DELETE").status == 200)
        harness.loop.run()
        #expect(inside.response?.status == 410)
        #expect(inside.response?.string("detail").contains("was deleted") == true)
        #expect(outside.response == nil)
    }

    // MARK: The end

    @Test func `a clean verdict is 200 with a summary`() throws {
        _ = make(#"{"name": "suite"}"#)
        harness.push(in: try namespace("suite"))
        let response = harness.send("/v1/namespaces/suite?verdict=clean", method: "DELETE")
        #expect(response.status == 200)
        #expect(response.number("accepted") == 1 && response.object["clean"] as? Bool == true)
    }

    @Test func `a refused push makes the verdict 417, and says which`() throws {
        _ = make(#"{"name": "suite"}"#)
        let failure = CheckFailure(
            .topicPresent, .missingTopic, expected: "a topic", actual: "none", explanation: "There is no apns-topic.")
        for _ in 0..<5 { harness.push(topic: nil, failure: failure, in: try namespace("suite")) }
        let response = harness.send("/v1/namespaces/suite?verdict=clean", method: "DELETE")
        #expect(response.status == 417 && response.string("type") == "urn:mock-apns:unclean")
        #expect(response.number("unexpectedRefusals") == 5)
        #expect((response.object["refused"] as? [[String: Any]])?.count == 3)
        #expect(response.string("hint") == "There is no apns-topic.")
        #expect(harness.worlds.isSingle)
        // Without a verdict it is no failure, and in words it says the same.
        _ = make(#"{"name": "suite"}"#)
        harness.push(topic: nil, failure: failure, in: try namespace("suite"))
        let text = harness.send("/v1/namespaces/suite", method: "DELETE", accept: "text/plain")
        #expect(text.status == 200 && text.text.contains("not clean: rejected: 1 refused"))
    }

    @Test func `a rule that never fired makes the verdict 417, and is named`() throws {
        _ = make(#"{"name": "suite"}"#)
        let rule = #"{"id": "idle", "then": {"reason": "Shutdown"}}"#
        #expect(harness.send("/v1/ns/suite/rules", method: "POST", json: rule).status == 201)
        let response = harness.send("/v1/namespaces/suite?verdict=clean", method: "DELETE")
        #expect(response.status == 417)
        #expect(response.object["unusedRules"] as? [String] == ["idle"])
        #expect(response.number("unusedRuleCount") == 1)
    }

    @Test func `the default namespace stays`() {
        harness.push()
        #expect(harness.send("/v1/namespaces/default", method: "DELETE").status == 409)
        #expect(harness.send("/v1/notifications").items.count == 1)
    }
}

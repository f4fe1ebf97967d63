import APNs
import Foundation
import HTTP
import Locking
import Simulation
import TLS
import Testing

@testable import Admin

/// `POST /v1/send`: what is sent, who signs it, and what is said of it.
struct SendTests {
    private let key: ES256PrivateKey
    private let harness: AdminHarness

    init() throws {
        key = try ES256PrivateKey()
        harness = AdminHarness(keys: [
            .init(keyID: "MOCK000001", teamID: "MOCKTEAM01", key: key.publicKey, privateKey: key),
            .init(keyID: "PUBLIC0001", teamID: "MOCKTEAM01", key: try ES256PrivateKey().publicKey),
        ])
        harness.server.value.withLock { $0.info.keyID = "MOCK000001" }
    }

    private func send(_ body: String, path: String = "/v1/send", accept: String? = nil) throws -> AdminResponse {
        let call = harness.start(path, method: "POST", accept: accept, json: body)
        harness.loop.advance(0)
        return try #require(call.response)
    }

    private func sent() throws -> PushOrder {
        try #require(harness.server.value.withLock { $0.sent.last })
    }

    private func fields(_ order: PushOrder) -> [String] { order.fields.map { "\($0.0): \($0.1)" } }

    @Test func `a push is sent as the body says, signed by the server's key`() throws {
        let answer = try send(
            #"{"device":"6f1e","headers":{"apns-topic":"com.acme.app","apns-priority":5},"payload":{ "aps": {} }}"#)
        #expect(answer.status == 200)
        #expect(answer.number("status") == 200)
        #expect(answer.string("apnsId") == "EC1BF194-B3B2-424A-8912-1A2B3C4D5E6F")
        #expect(answer.object["failure"] is NSNull)
        let order = try sent()
        #expect(
            fields(order) == [
                ":method: POST", ":scheme: https", ":authority: localhost", ":path: /3/device/6f1e",
                "apns-topic: com.acme.app",
                "apns-priority: 5",
            ])
        #expect(String(decoding: order.body, as: UTF8.self) == #"{ "aps": {} }"#)
        #expect(order.signer?.keyID == "MOCK000001")
        #expect(order.signer?.teamID == "MOCKTEAM01")
        #expect(order.signer?.now == harness.simulator.clock.now().server / 1000)
    }

    @Test func `the environment is decided by Apple's host`() throws {
        _ = try send(#"{"device":"6f1e","environment":"production","payload":{}}"#)
        #expect(fields(try sent()).contains(":authority: api.push.apple.com"))
    }

    @Test func `a token of one's own is left alone`() throws {
        _ = try send(#"{"device":"6f1e","headers":{"authorization":"bearer a.b.c"},"payload":{}}"#)
        #expect(try sent().signer == nil)
        #expect(fields(try sent()).contains("authorization: bearer a.b.c"))
    }

    @Test func `a namespace is named where nothing else chooses it`() throws {
        _ = try harness.worlds.add(NamespaceOrder("suite"), now: 0)
        _ = try send(#"{"device":"6f1e","payload":{}}"#, path: "/v1/ns/suite/send")
        #expect(fields(try sent()).contains("mock-apns-namespace: suite"))
        _ = try send(#"{"device":"6f1e","payload":{}}"#)
        #expect(!fields(try sent()).contains { $0.hasPrefix("mock-apns-namespace") })
    }

    @Test func `the entry of the push is named in the answer`() throws {
        harness.push(apnsID: "00000000-0000-4000-8000-000000000000")
        let call = harness.start("/v1/send", method: "POST", json: #"{"device":"6f1e","payload":{}}"#)
        harness.push(apnsID: "EC1BF194-B3B2-424A-8912-1A2B3C4D5E6F")
        harness.loop.advance(0)
        #expect(call.response?.status == 200)
        // The fake sender answers before the push is there, and then no entry is named.
        #expect(call.response?.object["id"] is NSNull)
    }

    @Test func `an entry is sent again as it came, with a token made anew`() throws {
        let payload = #"{"aps":{"alert":"Hi"},  "n":1e2}"#
        let entry = harness.push(payload: payload, headers: [(.apnsCollapseID, "c"), (.host, "elsewhere")])
        let answer = try send(#"{"replay":"\#(harness.journal.renderer.id(of: entry))"}"#, accept: "text/plain")
        #expect(answer.text == "200 apns-id EC1BF194-B3B2-424A-8912-1A2B3C4D5E6F\n")
        let order = try sent()
        #expect(order.body == Array(payload.utf8))
        #expect(order.signer?.keyID == "MOCK000001")
        #expect(fields(order).contains("apns-collapse-id: c"))
        #expect(fields(order).contains(":authority: api.sandbox.push.apple.com"))
        #expect(!fields(order).contains { $0.hasPrefix("host") || $0.hasPrefix("authorization") })
    }

    @Test(arguments: [
        (#"{"replay":"999"}"#, 404, "no entry"), (#"{"replay":"1","device":"6f1e"}"#, 400, "both"),
        (#"{"device":"6f1e","keyId":"PUBLIC0001","payload":{}}"#, 409, "PUBLIC0001"),
        (#"{"device":"6f1e","keyId":"NOBODY0001","payload":{}}"#, 409, "NOBODY0001"),
        (#"{"payload":{}}"#, 400, "device"), (#"{"device":"6f1e","assumeSender":true}"#, 400, "assumeSender"),
    ]) func `what cannot be sent is refused`(_ body: String, _ status: Int, _ words: String) throws {
        harness.push()
        let answer = try send(body)
        #expect(answer.status == status)
        #expect(answer.text.contains(words), "\(answer.text)")
        #expect(harness.server.value.withLock { $0.sent.isEmpty })
    }

    @Test func `a broken connection cannot be sent again`() throws {
        let entry = harness.breakConnection()
        #expect(try send(#"{"replay":"\#(entry.seq)"}"#).status == 409)
    }

    @Test func `a preview of a push that nobody sends changes nothing`() {
        harness.request(
            "POST", "/3/device/\(AdminHarness.device)", [(.apnsTopic, "com.acme.app")],
            #"{"aps":{"alert":"1","thread-id":"t"}}"#)
        let body =
            #"{"device":"\#(AdminHarness.device)","headers":{"apns-topic":"com.acme.app"},"#
            + #""payload":{"aps":{"alert":{"title":"Shipped"},"thread-id":"t","badge":2}}}"#
        let preview = harness.send("/v1/preview", method: "POST", json: body).object
        #expect(preview["kind"] as? String == "alert")
        #expect(preview["id"] is NSNull)
        #expect(preview["shownBadge"] as? Int == 2)
        #expect(preview["below"] as? Int == 1)
        #expect(harness.journal.cursor == 1)
    }
}

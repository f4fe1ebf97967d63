import APNs
import Foundation
import Locking
import Simulation
import TLS
import Testing

@testable import Admin

/// Routes found, not found, and what every answer has.
struct RoutingTests {
    private let harness = AdminHarness()

    @Test(arguments: [
        ("/v1/notification", "GET /v1/notifications"), ("/notifications", "GET /v1/notifications"),
        ("/v1/requests/n_1/rwa", "GET /v1/requests/{id}/raw"), ("/v1/curser", "GET /v1/cursor"),
        ("/v1/ca.crt", "GET /v1/ca.pem"), ("/health", nil), ("/ready", "GET /readyz"), ("/v1/info/x", "GET /v1/info"),
    ])
    func `an unknown path is 404 with the nearest route`(path: String, nearest: String?) {
        let response = harness.send(path)
        #expect(response.status == 404)
        #expect(response.string("type") == "urn:mock-apns:unknown-route")
        if let nearest { #expect(response.string("hint").hasPrefix("Did you mean \(nearest)?"), "\(response.text)") }
        #expect(response.string("hint").hasSuffix("GET / lists all routes."))
    }

    @Test func `an unknown method is 405 with Allow`() {
        let response = harness.send("/v1/requests", method: "PUT")
        #expect(response.status == 405)
        #expect(response.header("allow") == "GET, DELETE, HEAD, OPTIONS")
        #expect(harness.send("/v1/reset").header("allow") == "POST, OPTIONS")
        #expect(harness.send("/v1/reset", method: "HEAD").status == 405)
        #expect(harness.send("/v1/cursor", method: "BREW").status == 405)
    }

    @Test(arguments: [
        (
            "/v1/fail-next", "POST", #"{"reason":"TooManyRequests","reason":"Unregistered"}"#,
            #"The member "reason" stands twice in this body; expected once."#
        ),
        ("/v1/fail-next", "POST", #"{"fault":"hang","f\u0061ult":null}"#, #""fault" stands twice"#),
        ("/v1/rules", "POST", #"{"then":{"reason":"Shutdown","reason":"Shutdown"}}"#, "then.reason stands twice"),
        (
            "/v1/rules", "POST", #"{"match":{"topic":"a","topic":"b"},"then":{"reason":"Shutdown"}}"#,
            "match.topic stands there twice"
        ),
        ("/v1/rules", "PUT", #"{"items":[],"items":[]}"#, #""items" stands twice"#),
        ("/v1/state", "PUT", #"{"seed":1,"seed":1}"#, #""seed" stands twice"#),
        (
            "/v1/state", "PUT", #"{"rules":[{"id":"x","id":"y","then":{}}]}"#, "stands twice"
        ),
        ("/v1/clock", "PUT", #"{"offset":"1h","offset":"2h"}"#, #""offset" stands twice"#),
        ("/v1/import", "POST", #"{"entries":[],"entries":[]}"#, #""entries" stands twice"#),
    ])
    func `a member that stands twice in a body is refused`(path: String, method: String, body: String, words: String) {
        let response = harness.send(path, method: method, json: body)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
    }

    @Test func `OPTIONS says what is allowed`() {
        let response = harness.send("/v1/requests", method: "OPTIONS")
        #expect(response.status == 204)
        #expect(response.header("allow") == "GET, DELETE, HEAD, OPTIONS")
    }

    @Test func `HEAD is answered where GET is`() {
        let get = harness.send("/v1/cursor")
        let head = harness.send("/v1/cursor", method: "HEAD")
        #expect(head.status == 200)
        #expect(head.body == get.body)
        #expect(head.header("content-type") == get.header("content-type"))
    }

    @Test func `every answer carries cursor and instance`() {
        harness.push()
        for (target, method) in [
            ("/v1/notifications", "GET"), ("/v1/nothing", "GET"), ("/v1/cursor", "PUT"), ("/livez", "GET"),
            ("/v1/notifications?count=5", "GET"), ("/", "HEAD"), ("/v1/notifications?x=1", "GET"),
        ] {
            let response = harness.send(target, method: method)
            #expect(response.header("mock-apns-cursor") == "1", "\(target)")
            #expect(response.header("mock-apns-instance") == "test", "\(target)")
            #expect(response.header("cache-control") == "no-store")
            #expect(response.header("x-content-type-options") == "nosniff")
        }
    }

    @Test func `the default namespace has its own path, others do not exist`() {
        harness.push()
        #expect(harness.send("/v1/ns/default/notifications").items.count == 1)
        #expect(harness.send("/v1/ns/default/requests/1").status == 200)
        let other = harness.send("/v1/ns/other/notifications")
        #expect(other.status == 404)
        #expect(other.string("type") == "urn:mock-apns:unknown-namespace")
        #expect(other.string("detail").contains(#""other""#))
        #expect(harness.send("/v1/ns/other/reset", method: "POST").status == 404)
        #expect(harness.journal.statistics.entries == 1)
        #expect(harness.send("/v1/ns/default").status == 404)
        #expect(harness.send("/v1/ns/default/livez").status == 404)
    }

    @Test func `a slash at the end does not matter, two do`() {
        #expect(harness.send("/v1/cursor/").status == 200)
        #expect(harness.send("/v1//cursor").status == 404)
        #expect(harness.send("//").status == 404)
    }

    @Test(arguments: ["/%", "/v1/%zz", "/v1/%FF", "*", ""])
    func `broken paths are 404`(path: String) {
        #expect(harness.send(path).status == 404)
    }

    @Test func `escapes in a path are decoded after it is split`() {
        harness.push()
        #expect(harness.send("/v1/requests/%31").status == 200)
        #expect(harness.send("/v1%2Frequests/1").status == 404)
    }

    @Test func `an error is text for those who want text`() {
        let response = harness.send("/v1/notifications?devise=1", accept: "text/plain")
        #expect(response.status == 400)
        #expect(response.header("content-type") == "text/plain; charset=utf-8")
        #expect(
            response.text == """
                400 Unknown query parameter
                "devise" is not a parameter of GET /v1/notifications.
                hint: Did you mean "device"?

                """)
    }

    @Test(arguments: [
        (nil, ContentPreference.json), ("*/*", .json), ("text/plain", .text), ("text/plain, */*;q=0.1", .text),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", .html),
        ("application/json, text/plain;q=0.5", .json), ("text/plain;q=0.5, application/json;q=0.9", .json),
        ("application/problem+json", .json), ("image/png", .json), ("text/plain;q=0", .json), ("TEXT/PLAIN", .text),
        (";;,,q=;", .json), ("text/plain;q=x", .text),
    ])
    func `the form of an answer follows Accept`(accept: String?, preference: ContentPreference) {
        #expect(ContentPreference(accept: accept) == preference)
    }

    @Test func `no two routes have the same method and path`() {
        let names = AdminApplication.table.routes.map { "\($0.method.rawValue) \($0.pattern)" }
        #expect(Set(names).count == names.count)
    }

    @Test func `the index lists every route, as text and as HTML`() {
        let harness = AdminHarness(hasPage: false)
        let text = harness.send("/").text
        let page = harness.send("/", accept: "text/html,*/*;q=0.8")
        #expect(page.header("content-type") == "text/html; charset=utf-8")
        #expect(page.header("content-security-policy")?.hasPrefix("default-src 'none'") == true)
        for route in AdminApplication.table.routes {
            #expect(text.contains("\(route.method.rawValue) \(route.pattern)"))
            #expect(page.text.contains("\(route.method.rawValue) \(route.pattern)"))
        }
    }

    /// Every example of the reference, called as it stands against a server with one push, one channel and one device.
    @Test(arguments: AdminApplication.table.routes.flatMap { route in route.examples.map { (route, $0) } })
    func `every example does what it says`(route: AdminRoute, example: AdminRoute.Example) throws {
        let key = try ES256PrivateKey()
        let authority = try ClientAuthority.stranger()
        let harness = AdminHarness(
            keys: [.init(keyID: "MOCK000001", teamID: "MOCKTEAM01", key: key.publicKey, privateKey: key)],
            authority: authority)
        harness.simulator.certificates.add(PeerCertificate(subject: "CN = test", serial: "4D0C"), isRevoked: false)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(authority.certificatePEM.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        harness.server.value.withLock { $0.info.authorityFile = file.path }
        let entry = harness.push()
        _ = try harness.simulator.channels.create(
            Channel.App(.sandbox, "com.acme.app"), .mostRecent, id: "dHN0LXNyY2gtY2hubA==", now: 0)
        _ = try harness.simulator.devices.register([Device(token: AdminHarness.device, now: 0)])
        #expect(
            harness.send("/v1/rules", method: "POST", json: #"{"id": "flaky-429", "then": {"reason": "Shutdown"}}"#)
                .status == 201)
        _ = try harness.worlds.add(NamespaceOrder("suite"), now: 0)
        let target = example.target.replacing("$TOKEN", with: AdminHarness.device).replacing("$CURSOR", with: "0")
            .replacing("$SERIAL", with: "4D0C").replacing("$KEY_ID", with: "MOCK000001")
            .replacing("$RULE_ID", with: "flaky-429").replacing("$NAMESPACE", with: "suite")
            .replacing("$ID", with: harness.journal.renderer.id(of: entry))
        let call = harness.start(target, method: route.method.rawValue, accept: example.accept, json: example.body)
        harness.loop.advance(10_000)
        let response = try #require(call.response)
        #expect(response.status == example.status, "\(response.text)")
        #expect(
            route.answers.contains { $0.status == response.status }, "the status is not among the route's answers")
    }
}

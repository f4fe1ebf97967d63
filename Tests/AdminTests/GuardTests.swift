import Locking
import Simulation
import Testing

@testable import Admin

/// What may not come in, seen by what it did not change.
struct GuardTests {
    private func harness() -> AdminHarness {
        let harness = AdminHarness(allowedHosts: ["mock.example.com", "*.ci.example.org"])
        harness.push()
        return harness
    }

    /// Every route that changes something, called as a page or a stranger would.
    private static let changes: [(method: String, target: String)] = AdminApplication.table.routes
        .filter { $0.method != .get }.map { ($0.method.rawValue, $0.pattern.description) }

    private func expectUntouched(_ harness: AdminHarness, _ comment: Comment? = nil) {
        #expect(harness.journal.statistics.entries == 1, comment)
        #expect(harness.server.value.withLock { $0.shutdowns } == 0, comment)
    }

    @Test(arguments: changes)
    func `a foreign Origin changes nothing`(method: String, target: String) {
        for origin in ["https://evil.example", "null", "http://127.0.0.1:9999", "http://127.0.0.1.evil.example:2198"] {
            let harness = harness()
            let response = harness.send(target, method: method, headers: [("origin", origin)])
            #expect(response.status == 403)
            #expect(response.string("type") == "urn:mock-apns:foreign-origin")
            expectUntouched(harness, "\(origin)")
        }
    }

    @Test(arguments: changes)
    func `a foreign Host changes nothing`(method: String, target: String) {
        for host in [
            "evil.example", "evil.example:2198", "127.0.0.1.evil.example", "localhost.evil.example", "[::1", "a.b",
        ] {
            let harness = harness()
            let response = harness.send(target, method: method, headers: [("host", host)])
            #expect(response.status == 403)
            #expect(response.string("type") == "urn:mock-apns:foreign-host")
            expectUntouched(harness, "\(host)")
        }
    }

    @Test(arguments: changes)
    func `a missing or wrong admin token changes nothing`(method: String, target: String) {
        for field in [nil, "Bearer wrong", "Basic c2VjcmV0", "Bearer secre", "Bearer secrett", "Bearer", "secret"] {
            let harness = AdminHarness(adminToken: "secret")
            harness.push()
            let headers = field.map { [(name: "authorization", value: $0)] } ?? []
            let response = harness.send(target, method: method, headers: headers)
            #expect(response.status == 401)
            #expect(response.header("www-authenticate") == #"Bearer realm="mock-apns""#)
            #expect(response.string("hint").contains("--admin-token"))
            expectUntouched(harness, "\(field ?? "none")")
        }
    }

    @Test(arguments: changes)
    func `a body that is not declared as JSON changes nothing`(method: String, target: String) {
        for type in [nil, "application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
            let harness = harness()
            let headers = type.map { [(name: "content-type", value: $0)] } ?? []
            let response = harness.send(target, method: method, headers: headers, body: Array("{}".utf8))
            #expect(response.status == 415)
            #expect(response.string("hint").contains("--json"))
            expectUntouched(harness, "\(type ?? "none")")
        }
    }

    @Test(arguments: changes)
    func `a body above the limit changes nothing`(method: String, target: String) {
        let harness = harness()
        let response = harness.send(
            target, method: method, headers: [("content-type", "application/json")],
            body: [UInt8](repeating: 0x20, count: AdminLimits.bodyBytes + 1))
        #expect(response.status == 413)
        expectUntouched(harness)
    }

    @Test func `a body of the largest size is read`() {
        let body = Array("{}".utf8) + [UInt8](repeating: 0x20, count: AdminLimits.bodyBytes - 2)
        let response = harness().send(
            "/v1/reset", method: "POST", headers: [("content-type", "application/json; charset=utf-8")], body: body)
        #expect(response.status == 200)
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:2198", "[::1]:2198", "[::1]", "[fe80::1]", "localhost", "LOCALHOST:1", "a.localhost",
        "mock-apns:2198", "host.docker.internal", "mock.example.com", "Mock.Example.Com:80", "x.ci.example.org",
        "localhost.", "192.168.1.7:2198",
    ])
    func `names of this machine and allowed names pass`(host: String) {
        #expect(harness().send("/v1/cursor", headers: [("host", host)]).status == 200)
    }

    @Test(arguments: ["ci.example.org.evil", "example.org", "", ":2198", "[evil.example]", "::1", "1.2.3.4.5"])
    func `other names do not`(host: String) {
        #expect(harness().send("/v1/cursor", headers: [("host", host)]).status == 403)
    }

    @Test func `the same origin passes`() {
        let harness = harness()
        for (origin, host) in [
            ("http://127.0.0.1:2198", "127.0.0.1:2198"), ("https://mock.example.com", "mock.example.com"),
            ("http://LocalHost:2198", "localhost:2198"),
        ] {
            let response = harness.send("/v1/cursor", headers: [("origin", origin), ("host", host)])
            #expect(response.status == 200)
            #expect(response.header("access-control-allow-origin") == nil)
        }
    }

    @Test func `requests that a page of another site makes without an Origin do not pass`() {
        let harness = harness()
        let script = harness.send(
            "/v1/requests", headers: [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")])
        #expect(script.status == 403)
        let link = harness.send("/", headers: [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")])
        #expect(link.status == 200)
        #expect(
            harness.send("/", headers: [("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")]).status == 200)
    }

    @Test func `the allowed origin passes and may read the answer`() {
        let harness = AdminHarness(corsOrigin: "https://ui.example")
        let response = harness.send("/v1/cursor", headers: [("origin", "https://ui.example")])
        #expect(response.status == 200)
        #expect(response.header("access-control-allow-origin") == "https://ui.example")
        #expect(response.header("vary") == "Origin")
        #expect(harness.send("/v1/cursor", headers: [("origin", "https://ui.example.evil")]).status == 403)
        #expect(harness.send("/v1/cursor").header("access-control-allow-origin") == nil)
    }

    @Test func `a preflight of the allowed origin is answered without a token`() {
        let harness = AdminHarness(adminToken: "secret", corsOrigin: "https://ui.example")
        let preflight = harness.send(
            "/v1/reset", method: "OPTIONS",
            headers: [("origin", "https://ui.example"), ("access-control-request-method", "POST")])
        #expect(preflight.status == 204)
        #expect(preflight.header("access-control-allow-methods")?.contains("POST") == true)
        let foreign = harness.send(
            "/v1/reset", method: "OPTIONS",
            headers: [("origin", "https://evil.example"), ("access-control-request-method", "POST")])
        #expect(foreign.status == 403)
        #expect(harness.send("/v1/reset", method: "OPTIONS").status == 401)
    }

    @Test func `the admin token opens everything, and probes need none`() {
        let harness = AdminHarness(adminToken: "secret")
        #expect(harness.send("/v1/cursor", headers: [("authorization", "Bearer secret")]).status == 200)
        #expect(harness.send("/v1/cursor", headers: [("authorization", "bearer  secret ")]).status == 200)
        #expect(harness.send("/livez").status == 200)
        #expect(harness.send("/readyz").status == 200)
        #expect(harness.send("/livez", method: "HEAD").status == 200)
        #expect(harness.send("/nowhere").status == 401)
        #expect(harness.send("/v1/info").status == 401)
        // The page asks people for the token itself.
        #expect(harness.send("/", accept: "text/html").status == 200)
        #expect(harness.send("/ui/main.js").status == 200)
    }

    @Test func `secrets are compared whole`() {
        #expect(ConstantTime.equal("secret", "secret"))
        for other in ["", "s", "secre", "secrett", "Secret", "secreT", "secretsecret"] {
            #expect(!ConstantTime.equal(other, "secret"), "\(other)")
        }
        #expect(ConstantTime.equal("", ""))
        #expect(!ConstantTime.equal("secret", ""))
    }
}

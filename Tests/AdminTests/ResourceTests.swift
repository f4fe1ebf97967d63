import APNs
import Foundation
import HTTP
import Locking
import Simulation
import Testing

@testable import Admin

/// The routes besides lists.
struct ResourceTests {
    private let harness = AdminHarness()

    // MARK: - One entry

    @Test func `one entry is found by id and by number`() {
        let entry = harness.push()
        for name in ["n_test_1", "1"] {
            let response = harness.send("/v1/requests/\(name)")
            #expect(response.status == 200)
            #expect(response.string("id") == harness.journal.renderer.id(of: entry))
        }
        #expect(harness.send("/v1/requests/1?fields=seq").object as NSDictionary == ["seq": 1])
        #expect(harness.send("/v1/requests/1", accept: "text/plain").text.contains("Shipped - Order 42"))
    }

    @Test(arguments: ["n_test_2", "n_other_1", "0", "-1", "x", "n_test_", "18446744073709551616"])
    func `an unknown id is 404 and says what is held`(id: String) {
        harness.push()
        for suffix in ["", "/raw"] {
            let response = harness.send("/v1/requests/\(id)\(suffix)")
            #expect(response.status == 404)
            #expect(response.string("type") == "urn:mock-apns:not-found")
            #expect(response.string("hint").hasPrefix("It holds #1 to #1;"))
        }
    }

    @Test func `a refused request explains itself`() {
        harness.push(
            topic: nil,
            failure: CheckFailure(
                .topicPresent, .missingTopic, expected: "a topic", actual: "none",
                explanation: "There is no apns-topic."
            ))
        let rejection = harness.send("/v1/requests/1").object["rejection"] as? [String: Any]
        #expect(rejection?["explanation"] as? String == "There is no apns-topic.")
        #expect((rejection?["checks"] as? [Any])?.isEmpty == false)
    }

    @Test func `raw is the exact fields and bytes`() {
        let payload = "{\"aps\":\u{0020}{\"alert\":\"é\\u00e9\"}}\r\n"
        harness.push("AB", payload: payload, headers: [(.other, "x"), (.authorization, "bearer e30.e30.c2ln")])
        let response = harness.send("/v1/requests/1/raw")
        #expect(response.header("content-type") == "text/plain; charset=utf-8")
        #expect(
            response.text
                == ":method: POST\n:scheme: https\n:path: /3/device/AB\napns-topic: com.acme.app\napns-push-type: alert\n"
                + ": x\nauthorization: bearer e30.e30.c2ln\n\n" + payload)
    }

    @Test func `raw of a broken connection is its first bytes`() {
        harness.breakConnection(firstBytes: [0x16, 0x03, 0x01, 0x00])
        let response = harness.send("/v1/requests/1/raw")
        #expect(response.header("content-type") == "application/octet-stream")
        #expect(response.body == [0x16, 0x03, 0x01, 0x00])
    }

    // MARK: - Deleting and resetting

    @Test func `deleting forgets what matches and nothing else`() {
        harness.push()
        harness.push(String(repeating: "ab", count: 32))
        let response = harness.send("/v1/requests?device=6f1e*", method: "DELETE")
        #expect(response.status == 200)
        #expect(response.object as NSDictionary == ["removed": 1, "cursor": 2])
        #expect(harness.send("/v1/requests").items.map { $0["seq"] as? Int } == [2])
        #expect(harness.send("/v1/requests", method: "DELETE").number("removed") == 1)
        harness.push()
        #expect(harness.send("/v1/requests").items.map { $0["seq"] as? Int } == [3])
    }

    @Test func `a misspelt filter deletes nothing`() {
        harness.push()
        #expect(harness.send("/v1/requests?devise=x", method: "DELETE").status == 400)
        #expect(harness.send("/v1/requests?limit=1", method: "DELETE").status == 400)
        #expect(harness.journal.statistics.entries == 1)
    }

    @Test func `a reset forgets the journal and keeps counting`() {
        harness.push()
        let response = harness.send("/v1/reset", method: "POST")
        #expect(
            response.object as NSDictionary
                == [
                    "reset": ["journal", "keys", "certs", "devices", "channels", "rules", "clock"], "kept": [String](),
                    "cursor": 1,
                ])
        #expect(harness.send("/v1/requests").items.isEmpty)
        #expect(harness.push().seq == 2)
    }

    @Test func `a reset puts the clock back`() {
        harness.simulator.clock.freeze(at: 0)
        _ = harness.send("/v1/reset?keep=clock", method: "POST")
        #expect(harness.simulator.clock.mode == .frozen)
        _ = harness.send("/v1/reset?keep=journal", method: "POST")
        #expect(harness.simulator.clock.mode == .real)
    }

    @Test(arguments: [
        ("?keep=journal,keys", nil as String?), ("", #"{"keep":["journal","keys"]}"#),
        ("?keep=keys", #"{"keep":"journal"}"#),
    ])
    func `a reset keeps what it is told to`(query: String, body: String?) {
        harness.push()
        let response = harness.send("/v1/reset\(query)", method: "POST", json: body)
        #expect(response.object["kept"] as? [String] == ["journal", "keys"])
        #expect(harness.journal.statistics.entries == 1)
    }

    @Test(
        arguments: [
            ("?keep=jurnal", nil, #"Did you mean "journal"?"#),
            ("", #"{"keep":["jurnal"]}"#, #"Did you mean "journal"?"#),
            ("", #"{"kep":[]}"#, #"Did you mean "keep"?"#), ("", #"{"x":1}"#, "It knows keep."), ("", "[]", nil),
            ("", #"{"keep":[1]}"#, nil), ("", "{", nil), ("", "{\"keep\":[]}x", nil),
        ] as [(String, String?, String?)])
    func `a reset that is not understood changes nothing`(query: String, body: String?, hint: String?) {
        harness.push()
        let response = harness.send("/v1/reset\(query)", method: "POST", json: body)
        #expect(response.status == 400)
        #expect(response.object["hint"] as? String == hint)
        #expect(harness.journal.statistics.entries == 1)
    }

    // MARK: - The server

    @Test func `the cursor as JSON and as a shell wants it`() {
        harness.push()
        #expect(harness.send("/v1/cursor").object as NSDictionary == ["cursor": 1])
        #expect(harness.send("/v1/cursor", accept: "text/plain").text == "1\n")
    }

    @Test func `info tells the facts`() throws {
        harness.server.value.withLock { server in
            server.info.version = "1.2.3"
            server.info.pid = 4242
            server.info.seed = UInt64.max
            server.info.listeners = [.init(kind: "apns", address: "127.0.0.1:49213", environment: "sandbox")]
            server.info.authorityFile = "certs/ca.pem"
            server.info.keyID = "MOCK000001"
        }
        harness.push()
        let info = harness.send("/v1/info").object
        #expect(info["version"] as? String == "1.2.3")
        #expect(info["pid"] as? Int == 4242)
        #expect(info["seed"] as? UInt64 == UInt64.max)
        #expect(info["profile"] as? String == "lenient")
        #expect(info["logFile"] is NSNull)
        #expect(
            info["listeners"] as? NSArray
                == [["kind": "apns", "address": "127.0.0.1:49213", "environment": "sandbox"]])
        #expect((info["ca"] as? [String: Any])?["file"] as? String == "certs/ca.pem")
        let limits = try #require(info["limits"] as? [String: Any])
        #expect(limits["journalEntries"] as? Int == 10_000)
        let journal = try #require(info["journal"] as? [String: Any])
        #expect(journal["cursor"] as? Int == 1)
        #expect(journal["accepted"] as? Int == 1)
    }

    @Test func `the CA is served from its file, and a missing file is said`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        harness.server.value.withLock { $0.info.authorityFile = file.path }
        let missing = harness.send("/v1/ca.pem")
        #expect(missing.status == 503)
        #expect(missing.string("detail").contains(file.path))
        try Data("-----BEGIN CERTIFICATE-----\n".utf8).write(to: file)
        let response = harness.send("/v1/ca.pem")
        #expect(response.status == 200)
        #expect(response.header("content-type") == "application/x-pem-file")
        #expect(response.text == "-----BEGIN CERTIFICATE-----\n")
    }

    @Test func `shutdown answers before it stops`() {
        let response = harness.send("/v1/shutdown", method: "POST")
        #expect(response.status == 202)
        #expect(harness.server.value.withLock { $0.shutdowns } == 1)
    }

    @Test func `ready says what is missing`() {
        #expect(harness.send("/readyz").text == "ok\n")
        harness.server.value.withLock { $0.waitingFor = ["apns listener", "certificates"] }
        let response = harness.send("/readyz")
        #expect(response.status == 503)
        #expect(response.object["waitingFor"] as? [String] == ["apns listener", "certificates"])
        #expect(harness.send("/livez").status == 200)
    }

    @Test func `the catalogue of reasons has every reason`() throws {
        let items = harness.send("/v1/reasons").items
        #expect(items.count == Reason.allCases.count)
        let item = try #require(items.first { $0["reason"] as? String == "Unregistered" })
        #expect(item["status"] as? Int == 410)
        for name in ["meaning", "cause", "fix", "retry", "source"] {
            #expect((item[name] as? String)?.isEmpty == false, "\(name)")
        }
    }

    @Test func `the catalogue of findings has every code once`() {
        let codes = harness.send("/v1/findings").items.compactMap { $0["code"] as? String }
        #expect(!codes.isEmpty)
        #expect(Set(codes).count == codes.count)
    }
}

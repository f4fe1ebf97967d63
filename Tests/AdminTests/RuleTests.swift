import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// Rules, their shorthands and magic tokens through the API.
struct RuleTests {
    private let harness = AdminHarness()
    private var script: Script { harness.simulator.script }

    private func post(_ json: String, to path: String = "/v1/rules") -> AdminResponse {
        harness.send(path, method: "POST", json: json)
    }

    /// A push arrives and is decided.
    private func decide(_ device: String = AdminHarness.device) -> UInt16 {
        let decision = harness.request(
            "POST", "/3/device/\(device)", [(.apnsTopic, "com.acme.app"), (.apnsPushType, "alert")],
            #"{"aps":{"alert":"hi"}}"#)
        return decision.response.status
    }

    @Test func `a rule is added, shown, counted and removed`() {
        let made = post(
            #"{"id": "flaky", "match": {"topic": "com.acme.*"}, "when": {"per": "device", "times": 2}, "#
                + #""then": {"reason": "TooManyRequests"}, "note": "n"}"#)
        #expect(made.status == 201)
        #expect(made.string("id") == "flaky")
        #expect(made.number("hits") == 0)
        #expect(made.number("remaining") == 2)
        #expect(made.number("seed") == 0)
        #expect(made.string("stage") == "afterValidation")
        #expect((made.object["match"] as? [String: Any])?["topic"] as? String == "com.acme.*")
        #expect(decide() == 429)
        let shown = harness.send("/v1/rules/flaky")
        #expect(shown.number("hits") == 1)
        let last = shown.object["lastHit"] as? [String: Any]
        #expect(last?["id"] as? String == "n_test_1")
        #expect(harness.send("/v1/rules", accept: "text/plain").text.hasPrefix("flaky  hits 1  left 2 per device  "))
        #expect(harness.send("/v1/requests?rule=flaky").items.count == 1)
        #expect(harness.send("/v1/rules/flaky", method: "DELETE").string("removed") == "flaky")
        #expect(decide() == 200)
        #expect(harness.send("/v1/rules/flaky").status == 404)
    }

    @Test func `what is refused says why`() {
        #expect(post(#"{"id": "a", "then": {"reason": "Shutdown"}}"#).status == 201)
        #expect(post(#"{"id": "a", "then": {"reason": "Shutdown"}}"#).status == 409)
        let unknown = post(#"{"thn": {}}"#)
        #expect(unknown.status == 400)
        #expect(unknown.string("hint") == "Did you mean \"then\"?")
        #expect(post("nonsense").status == 400)
        #expect(post("[]").status == 400)
        #expect(harness.send("/v1/rules/b", method: "DELETE").string("hint") == "Did you mean a?")
        #expect(
            harness.send("/v1/rules", method: "PUT", json: #"[{"then": {"accept": true}}, {"then": 1}]"#)
                .string("detail").hasPrefix("$[1].then is 1"))
        #expect(script.rules(now: 0).map(\.id) == ["a"])
    }

    @Test func `PUT replaces all, and takes what GET gives`() {
        #expect(post(#"{"id": "a", "then": {"reason": "Shutdown"}}"#).status == 201)
        #expect(
            post(#"{"id": "b", "priority": 5, "ttl": "1h", "then": {"fault": "goaway", "reason": "x"}}"#).status == 201)
        #expect(decide() == 200)  // The GOAWAY of b comes with an answer.
        let text = harness.send("/v1/rules").text
        #expect(harness.send("/v1/rules", method: "PUT", json: "[]").items.isEmpty)
        #expect(!script.isActive)
        let again = harness.send("/v1/rules", method: "PUT", json: text)
        #expect(again.status == 200)
        #expect(again.items.map { $0["id"] as? String } == ["b", "a"])
        #expect(again.items.map { $0["hits"] as? Int } == [0, 0])
        let twice = harness.send(
            "/v1/rules", method: "PUT",
            json: #"[{"id": "x", "then": {"accept": true}}, {"id": "x", "then": {"accept": true}}]"#)
        #expect(twice.status == 409)
        #expect(script.rules(now: 0).count == 2)
    }

    @Test func `PATCH changes what it names and keeps the counters`() {
        #expect(post(#"{"id": "a", "when": {"times": 2}, "then": {"reason": "Shutdown"}}"#).status == 201)
        #expect(decide() == 503)
        let changed = harness.send("/v1/rules/a", method: "PATCH", json: #"{"then": {"reason": "ServiceUnavailable"}}"#)
        #expect(changed.status == 200)
        #expect(changed.number("hits") == 1)
        #expect(changed.number("remaining") == 1)
        #expect(decide() == 503)
        #expect(decide() == 200)
        #expect(harness.send("/v1/rules/a", method: "PATCH", json: #"{"id": "b"}"#).status == 400)
        #expect(harness.send("/v1/rules/a", method: "PATCH", json: #"{"when": {"time": 1}}"#).status == 400)
        #expect(
            harness.send("/v1/rules/a", method: "PATCH", json: #"{"then": {"fault": "refuse-connect"}}"#)
                .string("stage") == "connection")
    }

    @Test func `a rule that never fired tells what came nearest`() throws {
        #expect(
            post(#"{"id": "a", "match": {"topic": "com.other", "kind": "device"}, "then": {"fault": "hang"}}"#).status
                == 201)
        #expect(harness.send("/v1/rules/a").object["nearest"] == nil)
        #expect(decide() == 200)
        let nearest = try #require(harness.send("/v1/rules/a").object["nearest"] as? [String: Any])
        #expect(nearest["id"] as? String == "n_test_1")
        #expect(nearest["agree"] as? [String] == ["kind"])
        let differ = try #require((nearest["differ"] as? [[String: Any]])?.first)
        #expect(differ["field"] as? String == "topic")
        #expect(differ["actual"] as? String == "com.acme.app")
        #expect(post(#"{"id": "b", "when": {"skip": 5}, "then": {"fault": "hang"}}"#).status == 201)
        let why = (harness.send("/v1/rules/b").object["nearest"] as? [String: Any])?["why"] as? String
        #expect(why?.contains("first 5") == true)
    }

    @Test func `fail-next is a rule in one line`() {
        let made = post(#"{"reason": "TooManyRequests", "times": 2, "device": "6f1e*"}"#, to: "/v1/fail-next")
        #expect(made.status == 201)
        #expect(made.string("id") == "fail-next-1")
        #expect(made.string("madeBy") == "fail-next")
        #expect(decide(String(repeating: "ab", count: 32)) == 200)
        #expect(decide() == 429)
        #expect(decide() == 429)
        #expect(decide() == 200)
        #expect(post("{}", to: "/v1/fail-next").status == 400)
        #expect(post(#"{"reson": "Shutdown"}"#, to: "/v1/fail-next").string("hint") == "Did you mean \"reason\"?")
        #expect(post(#"{"reason": "Shutdown"}"#, to: "/v1/fail-next").string("id") == "fail-next-2")
        #expect(harness.send("/v1/rules").items.count == 1)
    }

    @Test func `chaos is a set of rules that can be read and ended`() {
        #expect(harness.send("/v1/chaos").object["active"] as? Bool == false)
        #expect(post(#"{"id": "own", "then": {"delay": 1}}"#).status == 201)
        let on = harness.send(
            "/v1/chaos", method: "PUT",
            json:
                #"{"rejectPercent": 100, "reasons": ["Shutdown"], "latency": "1ms", "dropPercent": 0, "goawayEvery": 200}"#
        )
        #expect(on.status == 200)
        #expect(on.object["rules"] as? [String] == ["chaos-latency", "chaos-goaway", "chaos-reject-1"])
        #expect(harness.send("/v1/rules").items.count == 4)
        #expect(harness.send("/v1/rules/own", method: "DELETE").status == 200)
        #expect(decide() == 503)
        #expect(harness.send("/v1/chaos", accept: "text/plain").text.contains("rejectPercent"))
        #expect(harness.send("/v1/chaos", method: "PUT", json: #"{"rejectPercent": 101}"#).status == 400)
        #expect(
            harness.send("/v1/chaos", method: "PUT", json: #"{"reasons": ["Shutdwn"]}"#).string("hint").contains(
                "Shutdown"))
        #expect(harness.send("/v1/chaos", method: "DELETE").object["active"] as? Bool == false)
        #expect(decide() == 200)
    }

    @Test func `what is silently discarded is accepted, and never shown by the device`() {
        #expect(post(#"{"when": {"times": 1}, "then": {"fault": "silently-discard"}}"#).status == 201)
        #expect(decide() == 200)
        let inbox = harness.send("/v1/devices/\(AdminHarness.device)/inbox").object
        #expect((inbox["dropped"] as? [[String: Any]])?.first?["why"] as? String == "discarded by a script", "\(inbox)")
        #expect(harness.send("/v1/notifications").items.count == 1)
    }

    @Test func `explain tells which rule would fire, and changes nothing`() {
        #expect(post(#"{"id": "flaky", "when": {"times": 1}, "then": {"reason": "Shutdown"}}"#).status == 201)
        for _ in 1...2 {
            let told = post(
                #"{"device": "\#(AdminHarness.device)", "headers": {"apns-topic": "com.acme.app", "#
                    + #""apns-push-type": "alert"}, "payload": {"aps": {"alert": "hi"}}}"#,
                to: "/v1/explain")
            #expect(told.status == 200, "\(told.text)")
            #expect((told.object["rule"] as? [String: Any])?["id"] as? String == "flaky", "\(told.text)")
        }
        #expect(harness.send("/v1/rules/flaky").number("hits") == 0)
        #expect(decide() == 503)
        #expect(decide() == 200)
    }

    @Test func `a reset forgets the rules unless they are kept`() {
        #expect(post(#"{"id": "a", "then": {"reason": "Shutdown"}}"#).status == 201)
        _ = harness.send("/v1/reset?keep=rules", method: "POST")
        #expect(decide() == 503)
        _ = harness.send("/v1/reset", method: "POST")
        #expect(decide() == 200)
    }

    @Test func `tokens that spell an outcome are made and listed`() throws {
        let made = post(
            #"{"reason": "TooManyRequests", "failFirst": 2, "delay": "1500ms", "count": 2}"#, to: "/v1/tokens")
        #expect(made.status == 201)
        let tokens = try #require(made.object["tokens"] as? [String])
        #expect(tokens.count == 2 && tokens[0] != tokens[1])
        #expect(tokens.allSatisfy { $0.hasPrefix("6d6f636b0429020201500000") })
        #expect(made.string("token") == tokens[0])
        #expect((1...3).map { _ in decide(tokens[0]) } == [429, 429, 200])
        #expect(post(#"{"failFirst": 2}"#, to: "/v1/tokens").status == 400)
        #expect(
            post(#"{"reason": "Unregistred"}"#, to: "/v1/tokens").string("hint") == "Did you mean \"Unregistered\"?")
        #expect(post(#"{"delay": "2m"}"#, to: "/v1/tokens").status == 400)
        let table = harness.send("/v1/tokens").items
        #expect(table.first { $0["reason"] as? String == "Unregistered" }?["prefix"] as? String == "6d6f636b041001")
    }
}

import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// `POST /v1/verify` over a real journal and a clock moved by hand.
struct VerifyTests {
    private let harness = AdminHarness()
    private let other = String(repeating: "ab", count: 32)

    private static let activity = """
        "expect": [
          {"name": "start", "match": {"device": "6f1e*", "pushType": "liveactivity", "aps.event": "start"}, "exactly": 1},
          {"name": "update", "match": {"device": "6f1e*", "aps.event": "update"}, "count": 2},
          {"name": "end", "match": {"device": "6f1e*", "aps.event": "end"}, "exactly": 1}]
        """

    private func start(_ json: String, accept: String? = nil) -> AdminHarness.Call {
        harness.start("/v1/verify", method: "POST", accept: accept, json: json)
    }

    private func verify(_ json: String, accept: String? = nil) -> AdminResponse {
        start(json, accept: accept).response ?? AdminResponse(status: 0)
    }

    private func push(_ event: String) {
        harness.push(type: .liveactivity, payload: #"{"aps":{"event":"\#(event)"}}"#)
    }

    private func refuse(_ device: String = AdminHarness.device) {
        harness.push(
            device,
            failure: CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: "a", actual: "b",
                explanation: "The token is registered for com.acme.app."))
    }

    private func failures(_ response: AdminResponse?) -> [[String: Any]] {
        response?.object["failed"] as? [[String: Any]] ?? []
    }

    private func count(_ name: String, _ response: AdminResponse?) -> Int? {
        (response?.object[name] as? [String: Any])?["count"] as? Int
    }

    @Test func `an ordered verification passes the instant its quiet is over`() {
        let call = start(
            #"{"after": "now", "wait": "5s", "ordered": true, "noOthers": true, "noRejections": true, \#(Self.activity)}"#
        )
        for event in ["start", "update", "update"] { push(event) }
        harness.loop.advance(400)
        #expect(call.response == nil)
        push("end")
        harness.loop.advance(199)
        #expect(call.response == nil)
        harness.loop.advance(1)
        #expect(call.response?.status == 200)
        #expect(call.response?.object["pass"] as? Bool == true)
        #expect(call.response?.number("cursor") == 4)
        #expect(call.response?.number("waitedMs") == 600)
        let matched = call.response?.object["matched"] as? [String: [String]]
        #expect(matched == ["start": ["n_test_1"], "update": ["n_test_2", "n_test_3"], "end": ["n_test_4"]])
        #expect(harness.application.waiters == 0)
        #expect(harness.journal.statistics.followers == 0)
    }

    @Test func `without a wait it is judged at once`() {
        for event in ["start", "update", "update", "end"] { push(event) }
        #expect(verify("{\(Self.activity)}").status == 200)
        #expect(verify(#"{"after": 4, \#(Self.activity)}"#).status == 417)
        #expect(verify("{\(Self.activity)}", accept: "text/plain").text == "verified: start 1, update 2, end 1\n")
    }

    @Test func `what is missing is named, with near misses`() throws {
        let call = start(#"{"wait": "5s", \#(Self.activity)}"#)
        for event in ["start", "update"] { push(event) }
        harness.push(other, type: .liveactivity, payload: #"{"aps":{"event":"end"}}"#)
        harness.loop.advance(5000)
        let response = try #require(call.response)
        #expect(response.status == 417)
        #expect(response.string("type") == "urn:mock-apns:expectation-unmet")
        #expect(response.string("title") == "2 of 3 expectations not met")
        #expect(response.object["pass"] as? Bool == false)
        #expect(response.object["timedOut"] as? Bool == true)
        let failures = failures(response)
        #expect(failures.map { $0["name"] as? String } == ["update", "end"])
        #expect(failures.map { $0["matched"] as? Int } == [1, 0])
        #expect(failures[1]["title"] as? String == "1 of 1 expected notification did not arrive within 5 s")
        let misses = failures[1]["nearMisses"] as? [[String: Any]]
        #expect(misses?.compactMap { $0["seq"] as? Int } == [2, 1, 3])
        #expect(count("others", response) == 0)
    }

    @Test func `the text has a section for each failure`() {
        push("start")
        harness.push(other, type: .liveactivity, payload: #"{"aps":{"event":"end"}}"#)
        refuse()
        let text = verify(
            #"{"ordered": true, "noOthers": true, "noRejections": true, \#(Self.activity)}"#, accept: "text/plain"
        ).text
        #expect(
            text.hasPrefix(
                "verification failed: 2 of 3 expectations not met, 1 unexpected push, 1 unexpected refusal"))
        #expect(text.contains("update: 2 notifications, got 0"))
        #expect(text.contains("device     NO   wanted 6f1e*   got abab"), "\(text)")
        #expect(text.contains("others, which no expectation means: 1\n"))
        #expect(text.contains("refusals: 1\n"))
        #expect(text.contains("DeviceTokenNotForTopic"))
        #expect(text.contains("\nhint: "))
    }

    @Test func `one too many ends it at once`() {
        let call = start(#"{"wait": "5s", \#(Self.activity)}"#)
        push("start")
        push("start")
        harness.loop.run()
        #expect(call.response?.status == 417)
        #expect(call.response?.object["timedOut"] as? Bool == false)
        #expect(
            failures(call.response).first?["title"] as? String == "2 notifications arrived where exactly 1 was expected"
        )
    }

    @Test func `another push ends it at once when nothing else may come, and the answer shows three and the number`() {
        let call = start(#"{"wait": "5s", "noOthers": true, "expect": [{"match": {"device": "6f1e*"}}]}"#)
        harness.push()
        harness.loop.advance(50)
        harness.push(other)
        harness.loop.run()
        #expect(call.response?.status == 417)
        #expect(call.response?.string("title") == "1 unexpected push")
        for _ in 1...8 { harness.push(other) }
        let response = verify(#"{"noOthers": true, "expect": [{"match": {"device": "6f1e*"}}]}"#)
        #expect(count("others", response) == 9)
        #expect((response.object["others"] as? [String: Any]).flatMap { $0["items"] as? [Any] }?.count == 3)
        #expect(response.string("hint").contains("scope"))
    }

    @Test func `a scope leaves others' pushes out`() {
        harness.push()
        harness.push(other)
        refuse(other)
        let rest =
            #""noOthers": true, "noRejections": true, "expect": [{"match": {"topic": "com.acme.app"}, "exactly": 1}]"#
        #expect(verify(#"{"scope": {"device": "6f1e*"}, \#(rest)}"#).status == 200)
        #expect(verify("{\(rest)}").status == 417)
    }

    @Test func `a refusal fails it, unless it is expected`() {
        harness.push()
        refuse()
        let response = verify(#"{"noRejections": true}"#)
        #expect(response.status == 417)
        #expect(response.string("title") == "1 unexpected refusal")
        #expect(response.string("hint").hasSuffix("The token is registered for com.acme.app."))
        #expect(
            verify(
                #"{"noRejections": true, "expect": [{"match": {"reason": "DeviceTokenNotForTopic"}, "exactly": 1}]}"#
            )
            .status == 200)
        #expect(verify(#"{"expect": [{"match": {"device": "6f1e*"}, "exactly": 1}]}"#).status == 200)
        #expect(
            verify(#"{"expect": [{"match": {"outcome": {"in": ["accepted", "rejected"]}}, "exactly": 2}]}"#).status
                == 200)
    }

    @Test func `a finding that is not allowed fails it`() {
        harness.request(
            "POST", "/3/device/" + AdminHarness.device, [(.apnsTopic, "com.acme.app")],
            #"{"aps":{"alert":"x","bagde":1}}"#)
        let codes = harness.journal.snapshot().entries.first?.content.findings.map(\.code.code.description) ?? []
        #expect(codes.contains("L014"), "\(codes)")
        let response = verify(#"{"noFindings": ["L014", "P001"], "expect": [{"match": {}}]}"#)
        #expect(response.status == 417)
        #expect(response.string("title") == "1 entry with a finding that is not allowed")
        #expect(count("findings", response) == 1)
        #expect(verify(#"{"noFindings": ["P001"], "expect": [{"match": {}}]}"#).status == 200)
    }

    @Test func `a finding about conduct over time fails it too, at once`() {
        let call = start(#"{"wait": "5s", "noFindings": ["L004", "L005"]}"#)
        refuse()
        harness.loop.run()
        #expect(call.response == nil)
        refuse()
        harness.loop.run()
        #expect(call.response?.status == 417)
        #expect(call.response?.string("title") == "1 entry with a finding that is not allowed")
        #expect(verify(#"{"noFindings": ["L005"]}"#).status == 200)
    }

    @Test func `what came at the wrong place is shown in two columns`() {
        for event in ["start", "update", "end", "update"] { push(event) }
        let response = verify(#"{"ordered": true, \#(Self.activity)}"#)
        #expect(response.status == 417)
        #expect(response.string("title") == "1 of 3 expectations not met, #3 is out of order")
        #expect(
            response.string("order") == """
                expected   arrived
                start      #1 start
                update     #2 update
                end        #3 end   <- out of order
                """)
        #expect(response.string("detail").contains("#3 is end, and came before what must stand in front of it"))
        #expect(verify("{\(Self.activity)}").status == 200)
    }

    @Test func `nothing for the whole wait`() {
        let call = start(#"{"after": "now", "wait": "1s", "expect": [{"match": {"device": "6f1e*"}, "exactly": 0}]}"#)
        harness.push(other)
        harness.loop.advance(999)
        #expect(call.response == nil)
        harness.loop.advance(1)
        #expect(call.response?.status == 200)
        let bad = start(#"{"after": "now", "wait": "1s", "noOthers": true}"#)
        harness.push(other)
        harness.loop.run()
        #expect(bad.response?.status == 417)
    }

    // MARK: - Eviction, reset, stop

    @Test func `a verification of evicted entries never passes`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2))
        for _ in 1...5 { harness.push() }
        for wait in ["", #""wait": "1s", "#] {
            for expect in [
                #"{"match": {}}"#, #"{"match": {}, "exactly": 2}"#, #"{"match": {"topic": "x"}, "exactly": 0}"#,
            ] {
                let response = harness.send("/v1/verify", method: "POST", json: "{\(wait)\"expect\": [\(expect)]}")
                #expect(response.status == 417, "\(expect)")
                #expect(response.string("type") == "urn:mock-apns:journal-truncated")
                #expect(response.object["truncated"] as? Bool == true)
                #expect(response.object["pass"] as? Bool == false)
            }
        }
        let json = #"{"after": 3, "expect": [{"match": {}, "exactly": 2}]}"#
        #expect(harness.send("/v1/verify", method: "POST", json: json).status == 200)
    }

    @Test func `eviction during the wait loses nothing`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2))
        let call = harness.start(
            "/v1/verify", method: "POST",
            json: #"{"wait": "5s", "expect": [{"match": {"device": "6f1e*"}, "exactly": 1}]}"#)
        harness.push()
        for _ in 1...20 { harness.push(other) }
        harness.loop.advance(200)
        #expect(call.response?.status == 200)
    }

    @Test func `reset ends it with 410, stopping with 503, and a guest that leaves is forgotten`() {
        let json = #"{"wait": "5s", "expect": [{"match": {}}]}"#
        let reset = start(json)
        harness.journal.reset()
        harness.loop.run()
        #expect(reset.response?.status == 410)
        let left = start(json)
        harness.leave(left)
        let stopped = start(json)
        harness.application.close()
        #expect(stopped.response?.status == 503)
        harness.push()
        harness.loop.advance(6000)
        #expect(left.response == nil)
        #expect(harness.journal.statistics.followers == 0)
    }

    // MARK: - What is understood

    @Test(
        arguments: [
            ("{}", "nothing to verify", nil), (#"{"expcet": []}"#, "expcet", "expect"),
            (#"{"expect": {}}"#, "expect", nil),
            (#"{"expect": [{}]}"#, #"expect[0] has no "match""#, nil), (#"{"expect": [1]}"#, "expect[0] is 1", nil),
            (#"{"expect": [{"match": {}, "excatly": 1}]}"#, "expect[0]", "exactly"),
            (#"{"expect": [{"match": {"devise": 1}}]}"#, "expect[0].match.devise", "device"),
            (#"{"expect": [{"match": {}, "count": 1, "exactly": 1}]}"#, "both", nil),
            (#"{"expect": [{"match": {}, "count": 0}]}"#, "count", nil),
            (#"{"expect": [{"match": {}, "name": "a"}, {"match": {}, "name": "a"}]}"#, "another one", nil),
            (#"{"expect": [{"match": {}, "name": ""}]}"#, "0 characters", nil),
            (#"{"ordered": "yes"}"#, "ordered", nil),
            (#"{"noFindings": ["L014", "X1"]}"#, "X1", nil), (#"{"noFindings": ["L041"]}"#, "L041", "L001"),
            (#"{"noOthers": true, "settle": "1s"}"#, "settle", nil),
            (#"{"noOthers": true, "wait": "2h"}"#, "wait", nil),
            (#"{"scope": []}"#, "scope is []", nil),
        ] as [(String, String, String?)])
    func `what cannot be understood is 400`(json: String, words: String, suggestion: String?) {
        let response = verify(json)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
        if let suggestion { #expect(response.string("hint") == "Did you mean \"\(suggestion)\"?") }
    }

    @Test func `expectations are bounded`() {
        let body = { (count: Int) in
            #"{"expect": ["# + (0..<count).map { _ in #"{"match": {}, "exactly": 0}"# }.joined(separator: ",") + "]}"
        }
        #expect(verify(body(AdminLimits.expectations)).status == 200)
        #expect(verify(body(AdminLimits.expectations + 1)).status == 400)
    }

    /// Verifications of exact devices are told of those pushes alone.
    @Test func `a push to another device wakes nobody`() throws {
        let question = try VerifyQuestion(
            AdminCall(
                request: AdminRequest(
                    method: "POST", path: "/v1/verify",
                    body: Array(#"{"expect": [{"match": {"device": "\#(other)"}}]}"#.utf8)),
                query: try Query("", of: VerifyResource.routes[0]), captures: [:], preference: .json,
                worlds: harness.worlds, namespace: harness.worlds.main,
                environment: AdminEnvironment(info: { .init() }, waitingFor: { [] }, shutdown: {}), waiters: 0))
        #expect(question.followed.matches(harness.push(other)))
        #expect(!question.followed.matches(harness.push()))
    }
}

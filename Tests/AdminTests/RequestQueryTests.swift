import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// `POST /v1/requests/query`: the list with a matcher object.
struct RequestQueryTests {
    private let harness = AdminHarness()

    private func query(_ json: String, accept: String? = nil) -> AdminResponse {
        harness.send("/v1/requests/query", method: "POST", accept: accept, json: json)
    }

    @Test func `the answer is that of GET`() {
        for number in 1...3 { harness.push(payload: #"{"aps":{"badge":\#(number)}}"#) }
        let response = query(
            #"{"match":{"aps.badge":{"gte":2}},"order":"desc","limit":1,"fields":["seq","payload.aps"]}"#)
        #expect(response.status == 200)
        #expect(response.number("matched") == 2)
        #expect(response.items.map { $0["seq"] as? Int } == [3])
        #expect(Set(response.items[0].keys) == ["seq", "payload"])
        #expect(query("{}").items.count == 3)
        #expect(query(#"{"after":2}"#).items.count == 1)
        #expect(query(#"{"after":"now"}"#).items.isEmpty)
        #expect(harness.send("/v1/requests/query", method: "POST").items.count == 3)
    }

    @Test func `refused requests are found, with what they are asked for`() {
        harness.push()
        harness.push(
            failure: CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: "a", actual: "b", explanation: "Not for this topic."))
        #expect(query(#"{"match":{"outcome":"rejected","status":{"gte":400}}}"#).items.map { $0["seq"] as? Int } == [2])
        #expect(query(#"{"match":{"not":{"outcome":"accepted"}}}"#).number("matched") == 1)
    }

    @Test func `it waits, and an unmet expectation names the nearest`() {
        let met = harness.start(
            "/v1/requests/query", method: "POST", json: #"{"match":{"aps.badge":{"gt":1}},"exactly":1,"wait":"5s"}"#)
        let unmet = harness.start(
            "/v1/requests/query", method: "POST", json: #"{"match":{"aps.badge":{"gt":5}},"count":2,"wait":1000}"#)
        harness.push(payload: #"{"aps":{"badge":2}}"#)
        harness.loop.advance(1000)
        #expect(met.response?.status == 200)
        #expect(met.response?.number("waitedMs") == 200)
        #expect(unmet.response?.status == 417)
        #expect(unmet.response?.number("waitedMs") == 1000)
        let differ = ((unmet.response?.object["nearMisses"] as? [[String: Any]])?.first?["differ"]) as? [[String: Any]]
        #expect(differ?.first?["field"] as? String == "aps.badge")
        #expect(differ?.first?["expected"] as? String == #"{"gt":5}"#)
        #expect(differ?.first?["actual"] as? String == "2")
    }

    @Test(
        arguments: [
            (#"{"match":{"devise":"x"}}"#, "match.devise", "device"), (#"{"macth":{}}"#, "macth", "match"),
            (#"{"match":{"aps.badge":{"gtr":1}}}"#, "gtr", "gt"), (#"{"limit":0}"#, "limit", nil),
            (#"{"wait":"61s"}"#, "wait", nil), (#"{"wait":true}"#, "wait", nil), (#"{"after":-1}"#, "after", nil),
            (#"{"after":5}"#, "after", nil), (#"{"order":"desk"}"#, "order", "desc"),
            (#"{"fields":["divice"]}"#, "fields", "device"),
            (#"{"count":1,"exactly":1}"#, "count", nil), (#"{"settle":"1s"}"#, "settle", nil), ("[]", "array", nil),
            ("{", "not JSON", nil),
        ] as [(String, String, String?)])
    func `what cannot be understood is 400`(json: String, words: String, suggestion: String?) {
        let response = query(json)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
        if let suggestion { #expect(response.string("hint") == "Did you mean \"\(suggestion)\"?") }
    }

    @Test func `query parameters are refused`() {
        #expect(harness.send("/v1/requests/query?device=x", method: "POST", json: "{}").status == 400)
    }
}

import APNs
import Foundation
import HTTP
import JSON
import Simulation
import Testing

/// The matcher object: every operator, what combines them, and what is refused.
struct MatcherObjectTests {
    private static let payload = #"""
        {"aps":{"alert":{"title":"Shipped"},"badge":3,"sound":"3","mutable":null,"content-available":1},
         "order":{"id":42,"text":"42","express":true,"star":"a*b","empty":"","list":[1]}}
        """#

    private static let push = JournalEntry(
        JournalFixture.content(
            headers: [(.apnsCollapseID, "apns-collapse-id", "order-42"), (.other, "x-try", "2")], payload: payload))

    private func matcher(_ json: String) throws -> Matcher {
        var document = JSONDocument()
        if let fault = document.parse(Array(json.utf8)) {
            Issue.record("\(json): \(fault.message)")
        }
        return try Matcher(document, document.root, path: "match", now: 1_768_469_410_123)
    }

    @Test(arguments: [
        // Bare values.
        (#"{}"#, true), (#"{"device":"6f1e*"}"#, true), (#"{"device":"6F1E*"}"#, true),
        (#"{"topic":"com.acme.app"}"#, true),
        (#"{"topic":"com.other"}"#, false), (#"{"pushType":"alert"}"#, true), (#"{"type":"alert"}"#, true),
        (#"{"environment":"sandbox"}"#, true), (#"{"priority":10}"#, true), (#"{"priority":5}"#, false),
        (#"{"priority":"10"}"#, true), (#"{"status":200,"outcome":"accepted"}"#, true),
        (#"{"topic":["x","com.*"]}"#, true),
        (#"{"topic":["x","y"]}"#, false), (#"{"collapseId":null}"#, false), (#"{"channel":null}"#, true),
        (#"{"aps.badge":3}"#, true), (#"{"aps.badge":3.0}"#, true), (#"{"aps.badge":"3"}"#, true),
        (#"{"aps.sound":3}"#, false), (#"{"aps.sound":"3"}"#, true), (#"{"payload.order.express":true}"#, true),
        (#"{"payload.order.express":false}"#, false), (#"{"aps.mutable":null}"#, true),
        (#"{"aps.missing":null}"#, true),
        (#"{"aps.badge":null}"#, false), (#"{"payload.order.star":"a*"}"#, true),
        (#"{"payload.order.star":"a\\*b"}"#, true),
        (#"{"payload.order.empty":""}"#, true), (#"{"aps.alert.title":""}"#, false), (#"{"aps.badge":[1,2,3]}"#, true),
        (#"{"header.x-try":2}"#, true), (#"{"header.X-Try":"2"}"#, true), (#"{"since":"11s"}"#, true),
        (#"{"until":"11s"}"#, false), (#"{"q":"shipped !is:rejected"}"#, true), (#"{"q":"lost"}"#, false),
        // Operators.
        (#"{"payload.order.star":{"equals":"a*b"}}"#, true), (#"{"payload.order.star":{"equals":"a*"}}"#, false),
        (#"{"aps.badge":{"equals":3}}"#, true), (#"{"aps.badge":{"equals":"3"}}"#, false),
        (#"{"aps.sound":{"equals":"3"}}"#, true), (#"{"aps.mutable":{"equals":null}}"#, true),
        (#"{"topic":{"equals":"com.acme.app"}}"#, true), (#"{"topic":{"equals":"com.acme.*"}}"#, false),
        (#"{"device":{"equals":"6F1E2D3C4B5A69788796A5B4C3D2E1F06F1E2D3C4B5A69788796A5B4C3D2E1F0"}}"#, true),
        (#"{"pushType":{"equals":"alert"}}"#, true), (#"{"priority":{"equals":10}}"#, true),
        (#"{"topic":{"glob":"com.*"}}"#, true), (#"{"pushType":{"glob":"al*"}}"#, true),
        (#"{"payload.order.id":{"regex":"^4"}}"#, true), (#"{"payload.order.id":{"regex":"^2"}}"#, false),
        (#"{"topic":{"regex":"^com\\.(acme|other)\\."}}"#, true), (#"{"aps.missing":{"regex":""}}"#, false),
        (#"{"aps.alert.title":{"contains":"ipp"}}"#, true), (#"{"aps.alert.title":{"contains":"IPP"}}"#, false),
        (#"{"device":{"contains":"F1E2"}}"#, true), (#"{"header.apns-collapse-id":{"exists":true}}"#, true),
        (#"{"header.apns-collapse-id":{"exists":false}}"#, false), (#"{"aps.missing":{"exists":false}}"#, true),
        (#"{"aps.badge":{"gt":2}}"#, true), (#"{"aps.badge":{"gt":3}}"#, false), (#"{"aps.badge":{"gte":3}}"#, true),
        (#"{"aps.badge":{"lt":3}}"#, false), (#"{"aps.badge":{"lte":3}}"#, true),
        (#"{"aps.badge":{"gt":2,"lt":3}}"#, false),
        (#"{"aps.badge":{"gt":2.5,"lt":3.5}}"#, true), (#"{"aps.missing":{"lt":3}}"#, false),
        (#"{"aps.alert.title":{"gt":0}}"#, false), (#"{"status":{"gte":200,"lt":300}}"#, true),
        (#"{"topic":{"in":["com.other","com.acme.app"]}}"#, true), (#"{"aps.badge":{"in":[1,"x",null]}}"#, false),
        (#"{"pushType":{"in":["voip","alert"]}}"#, true), (#"{"topic":{"not":"com.other"}}"#, true),
        (#"{"topic":{"not":{"glob":"com.*"}}}"#, false), (#"{"aps.missing":{"not":"x"}}"#, true),
        (#"{"topic":{"not":["com.other","com.acme.app"]}}"#, false),
        // Combinations.
        (#"{"not":{"topic":"com.other"}}"#, true), (#"{"not":{}}"#, false),
        (#"{"not":{"topic":"com.acme.app","priority":5}}"#, true),
        (#"{"anyOf":[{"topic":"com.other"},{"aps.badge":{"gt":2}}]}"#, true),
        (#"{"anyOf":[{"topic":"com.other"},{"aps.badge":{"gt":3}}]}"#, false),
        (#"{"topic":"com.other","anyOf":[{}]}"#, false),
        (#"{"not":{"anyOf":[{"topic":"com.other"},{"not":{"pushType":"alert"}}]}}"#, true),
    ])
    func `what a matcher means`(json: String, isMeant: Bool) throws {
        #expect(try matcher(json).matches(Self.push) == isMeant)
    }

    @Test(
        arguments: [
            (#"[]"#, "match is [];", nil), (#"{"devise":"x"}"#, "match.devise is no field", "device"),
            (#"{"pushTyp":"alert"}"#, "match.pushTyp is no field", "pushType"),
            (#"{"enviroment":"x"}"#, "match.enviroment is no field", "environment"),
            (#"{"asp.badge":1}"#, "match.asp.badge is no field", "aps.badge"),
            (#"{"anyof":[{}]}"#, "match.anyof is no field", "anyOf"),
            (#"{"aps.badge":{"gtt":1}}"#, "match.aps.badge has no operator gtt", "gt"),
            (#"{"aps.badge":{"equal":1}}"#, "has no operator equal", "equals"),
            (#"{"aps.badge":{}}"#, "match.aps.badge has no operator;", nil),
            (#"{"aps.badge":{"gt":"1"}}"#, "match.aps.badge.gt is \"1\"; expected a number", nil),
            (#"{"topic":{"exists":1}}"#, "expected true or false", nil),
            (#"{"topic":{"regex":"("}}"#, "match.topic.regex is no regular expression", nil),
            (#"{"topic":{"regex":4}}"#, "expected a regular expression", nil),
            (#"{"topic":{"in":"x"}}"#, "match.topic.in is \"x\"; expected an array", nil),
            (#"{"topic":{"in":[]}}"#, "an empty array", nil), (#"{"topic":[]}"#, "an empty array", nil),
            (#"{"topic":{"in":[{}]}}"#, "match.topic.in[0] is {}", nil),
            (#"{"topic":{"equals":{}}}"#, "match.topic.equals is {}", nil),
            (#"{"topic":{"glob":1}}"#, "expected a text with", nil),
            (#"{"pushType":"alrt"}"#, "match.pushType cannot be read", "alert"),
            (#"{"pushType":{"equals":"alrt"}}"#, "match.pushType.equals cannot be read", "alert"),
            (#"{"priority":"high"}"#, "is not a whole number", nil), (#"{"since":5}"#, "match.since is 5", nil),
            (#"{"since":"yesterday"}"#, "is no time", nil), (#"{"q":"larger:x"}"#, "is no size", nil),
            (#"{"not":"x"}"#, "match.not is \"x\"", nil), (#"{"not":{"devise":"x"}}"#, "match.not.devise", "device"),
            (#"{"anyOf":{}}"#, "match.anyOf is {}", nil), (#"{"anyOf":[]}"#, "match.anyOf is []", nil),
            (#"{"anyOf":[{},{"devise":1}]}"#, "match.anyOf[1].devise", "device"),
            (#"{"topic":"a","topic":"b"}"#, "match.topic stands there twice", nil),
        ] as [(String, String, String?)])
    func `what cannot be understood is refused with its place`(json: String, words: String, suggestion: String?) {
        let error = #expect(throws: MatcherError.self) { try matcher(json) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.suggestion == suggestion)
    }

    @Test func `depth and number of conditions are bounded`() {
        let nested = { (depth: Int) in
            String(repeating: #"{"not":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        }
        #expect(throws: Never.self) { try matcher(nested(Matcher.depthLimit)) }
        #expect(throws: MatcherError.self) { try matcher(nested(Matcher.depthLimit + 1)) }
        let many = { (count: Int) in
            "{" + (0..<count).map { #""aps.k\#($0)":{"exists":false}"# }.joined(separator: ",") + "}"
        }
        #expect(throws: Never.self) { try matcher(many(Matcher.conditionLimit)) }
        #expect(throws: MatcherError.self) { try matcher(many(Matcher.conditionLimit + 1)) }
    }

    @Test func `a comparison shows conditions as they were written`() throws {
        let matcher = try matcher(#"{"topic":"com.*","aps.badge":{"gt": 5},"not":{"priority":10}}"#)
        let comparison = matcher.compare(Self.push)
        #expect(comparison.agree == ["topic"])
        #expect(comparison.differ.map(\.field) == ["aps.badge", "not"])
        #expect(comparison.differ.map(\.expected) == [#"{"gt": 5}"#, #"{"priority":10}"#])
        #expect(comparison.differ.first?.actual == "3")
    }

    @Test func `a matcher says whether it asks for outcomes, wherever it does`() throws {
        #expect(try !matcher(#"{"topic":"com.*","not":{"priority":10}}"#).asksForOutcome)
        for json in [
            #"{"outcome":"rejected"}"#, #"{"anyOf":[{"not":{"status":{"gt":399}}}]}"#, #"{"q":"is:rejected"}"#,
        ] {
            #expect(try matcher(json).asksForOutcome, "\(json)")
        }
    }

    @Test func `matchers are put together`() throws {
        let one = try matcher(#"{"topic":"com.acme.app"}"#)
        let other = try matcher(#"{"priority":5}"#)
        #expect(Matcher.any(of: [other, one]).matches(Self.push))
        #expect(!Matcher.any(of: [other]).matches(Self.push))
        #expect(!one.and(other).matches(Self.push))
        #expect(one.and(Matcher()).matches(Self.push))
    }
}

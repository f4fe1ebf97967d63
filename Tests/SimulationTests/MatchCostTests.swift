import APNs
import HTTP
import JSON
import Testing

@testable import Simulation

/// What matching costs is counted, bounded and known beforehand; numbers compare exactly.
struct MatchCostTests {
    private static let long = String(repeating: "a", count: 4000)
    private static let push = JournalEntry(
        JournalFixture.content(
            headers: [(.apnsID, "apns-id", "EC1BF194-B3B2-424A-8912-1A2B3C4D5E6F"), (.other, "x-try", "")],
            payload: #"{"aps":{"alert":{"title":"\#(long)","subtitle":""},"badge":9007199254740993},"text":"5","#
                + #""big":1e2,"huge":1e999999999999,"zero":-0.0,"tiny":0.10}"#))

    private func matcher(_ json: String) throws -> Matcher {
        var document = JSONDocument()
        #expect(document.parse(Array(json.utf8)) == nil, "\(json)")
        return try Matcher(document, document.root, path: "match", now: 0)
    }

    private static func list(_ count: Int, _ text: (Int) -> String) -> String {
        "[" + (0..<count).map { "\"\(text($0))\"" }.joined(separator: ",") + "]"
    }

    @Test(arguments: [
        #"{"aps.alert.title": {"regex": "(a?){490}b"}}"#, #"{"aps.alert.title": {"regex": "^(a+)+$"}}"#,
        #"{"aps.alert.title": {"regex": "a.{12}b"}}"#, #"{"aps.alert.title": {"regex": "(a|aa|aaa){50}x"}}"#,
        #"{"aps.alert.title": {"contains": "\#(String(repeating: "a", count: 900))b"}}"#,
        #"{"aps.alert.title": \#(list(15) { "*\(String(repeating: "a", count: 900 + $0))b*" })}"#,
        #"{"aps.alert.title": {"in": \#(list(2000) { "value \($0)" })}}"#, #"{"device": \#(list(1500) { "*\($0)*" })}"#,
        #"{"q": "\#((0..<200).map { "!w\($0)" }.joined(separator: " "))"}"#, #"{"header.x-try": "*x*y*"}"#, "{}",
    ])
    func `no push takes more steps than a matcher is reckoned with`(json: String) throws {
        let matcher = try matcher(json)
        let scratch = MatchScratch()
        _ = matcher.matches(Self.push, scratch: scratch)
        #expect(scratch.steps <= matcher.cost + MatchCost.bodyBytes, "\(scratch.steps) of \(matcher.cost)")
    }

    @Test(arguments: [
        "^4", "order-\\d+", "(?i)shipped", "^com\\.acme\\.(app|beta)$", "\\bfox\\b", "[0-9]{3}-[0-9]{4}", "foo|bar|baz",
        "^\\w+@\\w+\\.com$", "Your (order|parcel) .* is (here|late)", "^(a+)+$", "(a?){40}b",
    ])
    func `an ordinary expression looks at each character once`(source: String) throws {
        let expression = try RegularExpression(source)
        #expect(expression.isTable)
        #expect(expression.cost(bytes: 4096) == 4097)
        #expect(expression.preparation < 30_000)
    }

    @Test(arguments: [
        "(((((){1000}){1000}){1000}){1000})", "((((a?){9}){99}){99}){99}", "(()|()|()){1000}{2}", "((){999}){999}",
    ])
    func `what repeats nothing counts as well, and is refused at once`(source: String) {
        #expect(throws: RegularExpression.Fault.self) { try RegularExpression(source) }
    }

    @Test func `a list of thousands costs no more than one value`() throws {
        #expect(try matcher(#"{"topic": {"in": \#(Self.list(2000) { "com.acme.\($0)" })}}"#).cost < 600)
    }

    @Test func `a spent budget matches nothing, also what is turned round`() throws {
        let scratch = MatchScratch(limit: 100)
        #expect(try !matcher(#"{"not": {"aps.alert.title": {"contains": "b"}}}"#).matches(Self.push, scratch: scratch))
        #expect(scratch.isSpent)
    }

    @Test(arguments: [
        (#"{"aps.badge": 9007199254740993}"#, true), (#"{"aps.badge": 9007199254740992}"#, false),
        (#"{"aps.badge": {"gt": 9007199254740992}}"#, true), (#"{"aps.badge": {"lt": 9007199254740993}}"#, false),
        (#"{"aps.badge": {"in": [1, 9007199254740993.0]}}"#, true), (#"{"aps.badge": "9007199254740992"}"#, false),
        (#"{"payload.text": {"gt": 1}}"#, false), (#"{"payload.text": {"lt": 9}}"#, false),
        (#"{"payload.text": "5"}"#, true),
        (#"{"payload.big": 100}"#, true), (#"{"payload.big": "100"}"#, true),
        (#"{"payload.big": {"equals": 1.0e+2}}"#, true),
        (#"{"payload.huge": {"gt": 1e999999999998}}"#, true), (#"{"payload.huge": {"lt": 1e1000000000000}}"#, true),
        (#"{"payload.zero": 0}"#, true), (#"{"payload.zero": {"lt": 0}}"#, false), (#"{"payload.tiny": 0.1}"#, true),
        (#"{"payload.tiny": {"gt": 0.09999999999999999999}}"#, true), (#"{"payload.tiny": {"lt": -0.5}}"#, false),
        (#"{"status": {"gte": 200}}"#, true), (#"{"header.x-try": ""}"#, true), (#"{"header.x-none": ""}"#, false),
        (#"{"aps.alert.subtitle": ""}"#, true), (#"{"topic!": "com.other"}"#, true), (#"{"topic!": "com.*"}"#, false),
        (#"{"collapseId!": "*"}"#, true), (#"{"aps.badge!": {"gt": 5}}"#, false), (#"{"outcome": "acc*"}"#, true),
        (#"{"status": "2*"}"#, true), (#"{"reason": "Missing*"}"#, false), (#"{"reason!": "*"}"#, true),
        (#"{"header.apns-id": "ec1bf194-b3b2-424a-8912-1a2b3c4d5e6f"}"#, true),
        (#"{"apnsId": {"equals": "ec1bf194-B3B2-424a-8912-1a2b3c4d5e6f"}}"#, false),
    ])
    func `values compare exactly`(json: String, isMeant: Bool) throws {
        #expect(try matcher(json).matches(Self.push) == isMeant, "\(json)")
    }

    @Test(arguments: [
        (#"{"device": ""}"#, "has no value"), (#"{"device": ["a", ""]}"#, "empty value among others"),
        (#"{"since!": "1s"}"#, "cannot be negated"), (#"{"reason": "Missng*"}"#, "describes none of"),
        (#"{"status": "4x*"}"#, "is not a whole number"), (#"{"priority": ""}"#, "has no value"),
    ])
    func `what cannot hold is refused`(json: String, words: String) {
        let error = #expect(throws: MatcherError.self) { try matcher(json) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    // MARK: Rules

    @Test(arguments: [
        (#"{"match": {"reason": "BadDeviceToken"}, "then": {"accept": true}}"#, RuleStage.beforeValidation),
        (#"{"match": {"outcome": "rejected"}, "then": {"fault": "hang"}}"#, .beforeValidation),
        (#"{"match": {"status!": 200}, "then": {"accept": true}}"#, .beforeValidation),
        (#"{"match": {"device": "6f*"}, "then": {"fault": "stall-writes"}}"#, .afterValidation),
        (#"{"then": {"fault": "stall-writes"}, "when": {"per": "device"}}"#, .afterValidation),
        (#"{"then": {"fault": "stall-writes"}}"#, .connection),
        (#"{"then": {"reason": "Shutdown"}}"#, .afterValidation),
    ])
    func `a rule gets the stage in which it can fire`(json: String, stage: RuleStage) throws {
        #expect(try ScriptTests.rule(json).stage == stage)
    }

    @Test(arguments: [
        (
            #"{"match": {"reason": "BadDeviceToken"}, "stage": "afterValidation", "then": {"accept": true}}"#,
            "match can hold of no valid"
        ),
        (#"{"match": {"status": 201}, "then": {"accept": true}}"#, "match can hold of no valid request"),
        (#"{"match": {"outcome": "broken"}, "then": {"accept": true}}"#, "match can hold of no"),
        (#"{"match": {"outcome": "accepted", "reason": "*"}, "then": {"accept": true}}"#, "match can hold of no"),
        (#"{"match": {"rule": "x"}, "then": {"accept": true}}"#, "match can hold of no"),
        (#"{"match": {"until": "1970-01-02T00:00:00Z"}, "then": {"accept": true}}"#, "match can hold of no"),
        (#"{"match": {"device": "6f*"}, "then": {"fault": "refuse-connect"}}"#, "match can hold of no connection"),
        (#"{"match": {"aps.badge": {"gt": 1}}, "then": {"fault": "drop-after", "requests": 1}}"#, "of no connection"),
        (#"{"when": {"probability": 0, "times": 2}, "then": {"accept": true}}"#, "would never fire"),
        (#"{"ttl": 0, "then": {"accept": true}}"#, "ttl is 0"),
        (#"{"when": {"between": ["2h", "1h"]}, "then": {"accept": true}}"#, "ends before it begins"),
        (#"{"when": {"between": [null, "-1h"]}, "then": {"accept": true}}"#, "is over by the server's clock"),
    ])
    func `a rule that can never fire is refused`(json: String, words: String) {
        let error = #expect(throws: RuleError.self) { try ScriptTests.rule(json) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `rules that could hold up a push are refused when they are added`() throws {
        let script = Script()
        let dear = try ScriptTests.rule(
            #"{"id": "dear", "match": {"aps.alert.title": {"regex": "(a?){490}b.{9}c"}}, "then": {"reason": "Shutdown"}}"#
        )
        #expect(throws: Script.Refusal.self) { try script.add(dear) }
        #expect(!script.isActive)
        let rules = try (0..<100).map { number in
            try ScriptTests.rule(
                #"{"id": "r\#(number)", "match": {"aps.alert.title": {"contains": "x"}}, "then": {"reason": "Shutdown"}}"#
            )
        }
        var count = 0
        do throws(Script.Refusal) {
            for rule in rules {
                try script.add(rule)
                count += 1
            }
        } catch {
            guard case .tooCostly(let cost) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cost.rule == "r\(count)" && cost.all > MatchCost.ruleLimit && cost.words.contains("250000"))
        }
        #expect(count > 15 && count < 30)
    }

    @Test func `dear followers look for themselves`() throws {
        let journal = Journal(limits: .init(), log: nil, renderer: EntryRenderer(instance: "t", adminBase: nil))
        let dear = try matcher(
            #"{"aps.alert.title": \#(Self.list(9) { "*\(String(repeating: "a", count: 900 + $0))b*" })}"#)
        #expect(try journal.follow(after: 0, matching: dear) { _ in }.0.asksItself)
        var cheap = 0
        for _ in 0..<200 {
            if try !journal.follow(after: 0, matching: try matcher(#"{"topic": "com.acme.app"}"#), { _ in }).0
                .asksItself
            {
                cheap += 1
            }
        }
        #expect(cheap == 200)
    }
}

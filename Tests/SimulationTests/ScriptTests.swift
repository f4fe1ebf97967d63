import APNs
import Foundation
import HTTP
import JSON
import TLS
import Testing

@testable import Simulation

/// Rules, asked by `decide`: who is touched, how often, by which chance, and what is told of it.
struct ScriptTests {
    /// A sender whose server has these rules.
    private func sender(_ rules: String..., seed: UInt64 = 7) throws -> PushSender {
        let script = Script(seed: seed, rules: try rules.enumerated().map { try Self.rule($1, id: "r\($0 + 1)") })
        var configuration = Simulator.Configuration()
        // The sender makes a new token whenever its time moves.
        configuration.limitsTokenRefresh = false
        return try PushSender(configuration, script: script)
    }

    /// A rule from its JSON.
    static func rule(_ text: String, id: String = "r", now: Int64 = PushSender.start) throws -> Rule {
        var document = JSONDocument()
        #expect(document.parse(Array(text.utf8)) == nil, "\(text)")
        return try RuleReader(now: now).rule(document, document.root, id: id)
    }

    private func device(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    private func push(_ sender: inout PushSender, to device: String) throws -> Decision {
        try sender.decide { $0[":path"] = "/3/device/\(device)" }
    }

    // MARK: Counting

    @Test func `without rules nothing is scripted`() throws {
        var sender = try sender()
        let decision = try sender.decide()
        #expect(decision.entry.content.rule == nil)
        guard case .respond = decision.action else { return #expect(Bool(false)) }
    }

    @Test func `the first two tries of every device fail`() throws {
        var sender = try sender(#"{"when": {"per": "device", "times": 2}, "then": {"reason": "TooManyRequests"}}"#)
        for attempt in 1...3 {
            for number in 1...2 {
                let decision = try push(&sender, to: device(number))
                #expect(decision.response.status == (attempt < 3 ? 429 : 200))
                #expect(decision.entry.content.rule?.attempt == (attempt < 3 ? attempt : nil))
            }
        }
        #expect(sender.simulator.script.statuses(now: 0).map(\.hits) == [4])
    }

    @Test func `skip and every choose by number`() throws {
        var sender = try sender(#"{"when": {"skip": 2, "every": 3}, "then": {"reason": "Shutdown"}}"#)
        var touched: [Int] = []
        for number in 1...12 where try sender.decide().response.status == 503 { touched.append(number) }
        #expect(touched == [5, 8, 11])
    }

    @Test(arguments: [
        ("topic", "apns-topic", "com.example.other"), ("apnsId", "apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b"),
    ])
    func `counters live where per says`(per: String, field: String, value: String) throws {
        var sender = try sender(#"{"when": {"per": "\#(per)", "times": 1}, "then": {"reason": "Shutdown"}}"#)
        func statuses(_ sender: inout PushSender) throws -> [UInt16] {
            let other = { (recipe: inout PushRecipe) in recipe[field] = value }
            let first = { (recipe: inout PushRecipe) in
                if field == "apns-id" { recipe[field] = "00000000-14a8-11e5-b60b-1697f925ec7b" }
            }
            return [
                try sender.decide(first), try sender.decide(other), try sender.decide(first), try sender.decide(other),
            ].map(\.response.status)
        }
        #expect(try statuses(&sender) == [503, 503, 200, 200])
    }

    @Test func `a counter per connection and per key`() throws {
        var first = try sender(
            #"{"when": {"per": "connection", "times": 1}, "then": {"reason": "Shutdown"}}"#)
        #expect(try first.decide().response.status == 503)
        #expect(try first.decide().response.status == 200)
        var keyed = try sender(#"{"when": {"per": "key", "times": 1}, "then": {"reason": "Shutdown"}}"#)
        #expect(try keyed.decide().response.status == 503)
        #expect(try keyed.decide().response.status == 200)
    }

    @Test func `too many counters cost the oldest`() throws {
        var table = CounterTable(limit: 3)
        for key in 1...5 as ClosedRange<UInt64> { table[.init(rule: 1, key: key)].attempts += 1 }
        #expect(table.count == 3)
        #expect(table.forgotten == 2)
        #expect(table[.init(rule: 1, key: 2)].attempts == 0)
        #expect(table[.init(rule: 1, key: 3)].attempts == 1)
        table.remove(rule: 1)
        #expect(table.count == 0)
        for key in 1...10_000 as ClosedRange<UInt64> { table[.init(rule: 2, key: key)].attempts += 1 }
        #expect(table.count == 3)
    }

    // MARK: Chance

    @Test func `the same seed fails the same pushes in any order, another seed others`() throws {
        func failing(seed: UInt64, _ order: [Int]) throws -> Set<Int> {
            var sender = try sender(
                #"{"id": "flaky", "when": {"probability": 0.3}, "then": {"reason": "InternalServerError"}}"#, seed: seed
            )
            var failing: Set<Int> = []
            for number in order where try push(&sender, to: device(number)).response.status == 500 {
                failing.insert(number)
            }
            return failing
        }
        let order = Array(1...400)
        let first = try failing(seed: 1, order)
        #expect((80...160).contains(first.count), "\(first.count) of 400 at 0.3")
        #expect(try failing(seed: 1, order.reversed()) == first)
        #expect(try failing(seed: 2, order) != first)
    }

    @Test func `the entry tells rule, attempt and draw, and the draw decided`() throws {
        var sender = try sender(#"{"id": "p", "when": {"probability": 0.5}, "then": {"reason": "Shutdown"}}"#)
        var count = 0
        for number in 1...50 {
            let decision = try push(&sender, to: device(number))
            guard let use = decision.entry.content.rule else { continue }
            count += 1
            #expect(use.id == "p")
            #expect(try #require(use.draw) < 0.5)
            #expect(decision.entry.content.outcome == .rejected)
        }
        #expect(count > 10 && count < 40)
    }

    @Test func `probability 1 touches all`() throws {
        var sender = try sender(
            #"{"when": {"probability": 1, "times": 3}, "then": {"reason": "Shutdown"}}"#)
        for number in 1...5 { #expect(try sender.decide().response.status == (number <= 3 ? 503 : 200)) }
        #expect(sender.simulator.script.statuses(now: 0).map(\.hits) == [3])
    }

    // MARK: Order

    @Test func `higher priority first, then age; a delay can let others follow`() throws {
        var sender = try sender(
            #"{"id": "slow", "priority": 9, "then": {"delay": "20ms"}, "continue": true}"#,
            #"{"id": "old", "then": {"reason": "Shutdown"}}"#, #"{"id": "new", "then": {"reason": "ExpiredToken"}}"#,
            #"{"id": "first", "priority": 1, "when": {"times": 1}, "then": {"reason": "InternalServerError", "delay": 5}}"#
        )
        let first = try sender.decide()
        #expect(first.response.status == 500)
        #expect(first.entry.content.rule?.id == "first")
        #expect(first.entry.content.rule?.delayMilliseconds == 25)
        #expect(first.scripted?.delay == 25)
        let second = try sender.decide()
        #expect(second.entry.content.rule?.id == "old")
        #expect(second.scripted?.delay == 20)
    }

    @Test func `a refused request is no business of an ordinary rule`() throws {
        var sender = try sender(
            #"{"id": "after", "then": {"reason": "Shutdown"}}"#,
            #"{"id": "before", "stage": "beforeValidation", "match": {"reason": "BadPriority"}, "then": {"accept": true}}"#
        )
        let refused = try sender.decide {
            $0["apns-priority"] = "x"; $0["apns-expiration"] = "y"
        }
        #expect(refused.reason == .badExpirationDate)
        #expect(refused.entry.content.rule == nil)
        let accepted = try sender.decide { $0["apns-priority"] = "x" }
        #expect(accepted.response.status == 200)
        #expect(accepted.entry.content.outcome == .accepted)
        #expect(accepted.entry.content.failures.isEmpty)
        #expect(accepted.entry.content.rule?.id == "before")
        #expect(try sender.decide().entry.content.rule?.id == "after")
    }

    @Test func `a matcher looks at the payload before the journal has the push`() throws {
        var sender = try sender(
            #"{"match": {"aps.badge": {"gt": 2}, "topic": "com.example.*"}, "then": {"reason": "PayloadTooLarge"}}"#)
        #expect(try sender.decide().response.status == 200)
        #expect(try sender.decide { $0.body = Array(#"{"aps":{"badge":3}}"#.utf8) }.response.status == 413)
        #expect(sender.simulator.journal.cursor == 0)
    }

    // MARK: Time and states

    @Test func `between and ttl go by the server's clock`() throws {
        var sender = try sender(
            #"{"id": "window", "when": {"between": ["1m", "2m"]}, "then": {"reason": "Shutdown"}}"#,
            #"{"id": "short", "ttl": "30s", "then": {"reason": "ExpiredToken"}}"#)
        func status(after seconds: Int64) throws -> UInt16 {
            sender.time = PushSender.start + seconds * 1000
            return try sender.decide().response.status
        }
        #expect(try status(after: 0) == 410)
        #expect(try status(after: 30) == 200)
        #expect(try status(after: 60) == 503)
        #expect(try status(after: 120) == 200)
        #expect(sender.simulator.script.rules(now: sender.time).map(\.id) == ["window"])
    }

    @Test func `states make a small scenario`() throws {
        var sender = try sender(
            #"{"when": {"state": "start", "setState": "down", "skip": 1}, "then": {"reason": "Shutdown"}}"#,
            #"{"when": {"state": "down", "times": 2}, "then": {"reason": "ServiceUnavailable"}}"#)
        let statuses = try (1...5).map { _ in try sender.decide().reason }
        #expect(statuses == [nil, .shutdown, .serviceUnavailable, .serviceUnavailable, nil])
        #expect(sender.simulator.script.scenario == "down")
        sender.simulator.script.reset()
        #expect(sender.simulator.script.scenario == "start")
        #expect(try sender.decide().reason == nil)
        #expect(try sender.decide().reason == .shutdown)
    }

    @Test(arguments: [
        ("pass", [503, 410, 200, 200]), ("last", [503, 410, 410, 410]), ("cycle", [503, 410, 503, 410]),
    ])
    func `a sequence ends as it is told`(end: String, statuses: [UInt16]) throws {
        var sender = try sender(
            #"{"then": {"sequence": [{"reason": "Shutdown"}, {"reason": "Unregistered"}], "atEnd": "\#(end)"}}"#)
        #expect(try (1...4).map { _ in try sender.decide().response.status } == statuses)
    }

    // MARK: Outcomes

    @Test func `a reason with its timestamp and an odd status`() throws {
        var sender = try sender(#"{"then": {"reason": "Unregistered", "timestamp": "-1h", "status": 400}}"#)
        let decision = try sender.decide()
        #expect(decision.response.status == 400)
        #expect(decision.body == #"{"reason":"Unregistered","timestamp":\#(PushSender.start - 3_600_000)}"#)
        #expect(decision.entry.content.status == 400)
        #expect(decision.failures.map(\.check) == [.script])
        #expect(decision.field(.apnsUniqueID) == nil)
    }

    @Test func `an answer made by hand`() throws {
        var sender = try sender(
            #"{"then": {"response": {"status": 502, "body": "<html>", "headers": {"retry-after": "3"}}}}"#)
        let decision = try sender.decide()
        #expect(decision.response.status == 502)
        #expect(decision.body == "<html>")
        #expect(decision.entry.content.outcome == .faulted)
        #expect(decision.scripted?.fields.map(\.name) == ["retry-after"])
    }

    @Test(arguments: [
        ("accept-then-drop", JournalEntry.Outcome.accepted, UInt16(200)), ("silently-discard", .accepted, 200),
        ("hang", .faulted, 0), ("reset-stream", .faulted, 0), ("close", .faulted, 0), ("goaway", .accepted, 200),
        ("truncate-body", .faulted, 500),
    ])
    func `faults end as the journal says`(fault: String, outcome: JournalEntry.Outcome, status: UInt16) throws {
        var sender = try sender(#"{"then": {"fault": "\#(fault)"}}"#)
        let content = try sender.decide().entry.content
        #expect(content.outcome == outcome)
        #expect(content.status == status)
        #expect(content.rule?.outcome == (fault == "truncate-body" ? "truncate-body" : fault))
        #expect(content.rare.isDiscarded == (fault == "silently-discard"))
    }

    @Test func `delays are drawn, within their shapes and the same each time`() throws {
        let shapes = [
            #"{"uniform": ["50ms", "200ms"]}"#: 50...200 as ClosedRange<Int64>,
            #"{"lognormal": {"median": "80ms", "sigma": 0.4, "max": "150ms"}}"#: 1...150,
        ]
        for (shape, range) in shapes {
            func delays() throws -> [Int64] {
                var sender = try sender(#"{"when": {"per": "device"}, "then": {"delay": \#(shape)}}"#)
                return try (1...200).map { try push(&sender, to: device($0)).scripted?.delay ?? -1 }
            }
            let first = try delays()
            #expect(first.allSatisfy { range.contains($0) })
            #expect(Set(first).count > 20)
            #expect(try delays() == first)
        }
    }

    // MARK: Answers that wait

    @Test func `a reset and the end of a rule cancel what waits because of them`() throws {
        var sender = try sender(
            #"{"id": "a", "match": {"device": "\#(device(1))"}, "then": {"delay": "10s"}}"#,
            #"{"id": "b", "then": {"delay": "10s"}}"#)
        let script = sender.simulator.script
        let cancelled = Cancelled()
        func hold(_ number: Int) throws -> Script.Hold? {
            try push(&sender, to: device(number)).scripted?.hold { cancelled.append(number) }
        }
        #expect(try hold(1) != nil)
        #expect(try hold(2) != nil)
        #expect(script.waiting == 2)
        script.remove("a")
        #expect(cancelled.all == [1])
        let late = try push(&sender, to: device(3)).scripted
        let hold = try #require(try hold(4))
        script.release(hold)
        script.reset()
        #expect(cancelled.all == [1, 2])
        #expect(script.waiting == 0)
        // Decided before the reset, and told to wait after it.
        #expect(late?.hold { cancelled.append(3) } == nil)
    }

    /// What was cancelled, in order.
    private final class Cancelled: @unchecked Sendable {
        private(set) var all: [Int] = []
        func append(_ number: Int) { all.append(number) }
    }

    // MARK: The set of rules

    @Test func `ids are unique, rules are bounded, and those of fail-next make room`() throws {
        let script = Script()
        try script.add(try Self.rule(#"{"then": {"accept": true}}"#, id: "x"))
        #expect(throws: Script.Refusal.taken("x")) {
            try script.add(try Self.rule(#"{"then": {"accept": true}}"#, id: "x"))
        }
        for _ in 1..<Script.ruleLimit {
            try script.add(try Self.rule(#"{"then": {"accept": true}}"#, id: script.freeID("rule")))
        }
        #expect(throws: Script.Refusal.full) { try script.add(try Self.rule(#"{"then": {"accept": true}}"#, id: "y")) }
        #expect(script.rules(now: 0).count == Script.ruleLimit)
        #expect(script.isActive)
        try script.replace(with: [])
        #expect(!script.isActive)
    }

    @Test func `a used-up fail-next goes with the next one`() throws {
        var sender = try sender()
        let script = sender.simulator.script
        var document = JSONDocument()
        _ = document.parse(Array(#"{"reason": "Shutdown"}"#.utf8))
        try script.add(try FailNext.rule(document, document.root, id: script.freeID("fail-next"), now: 0))
        #expect(try sender.decide().reason == .shutdown)
        #expect(try sender.decide().reason == nil)
        #expect(script.statuses(now: 0).map(\.remaining) == [0])
        try script.add(try FailNext.rule(document, document.root, id: script.freeID("fail-next"), now: 0))
        #expect(script.rules(now: 0).map(\.id) == ["fail-next-2"])
    }

    @Test func `chaos refuses as many as it was told to, by each reason alike`() throws {
        var sender = try sender(seed: 3)
        var document = JSONDocument()
        _ = document.parse(
            Array(#"{"rejectPercent": 30, "reasons": ["Shutdown", "ServiceUnavailable", "InternalServerError"]}"#.utf8))
        let chaos = try Chaos(document, document.root)
        try sender.simulator.script.begin(chaos, try chaos.rules(now: 0))
        var counts: [Reason: Int] = [:]
        for number in 1...1000 {
            if let reason = try push(&sender, to: device(number)).reason { counts[reason, default: 0] += 1 }
        }
        #expect(counts.count == 3)
        #expect(counts.values.allSatisfy { (70...135).contains($0) }, "\(counts)")
        sender.simulator.script.endChaos()
        #expect(!sender.simulator.script.isActive)
    }

    @Test func `a broadcast can be touched, and then is not published`() throws {
        let store = ChannelStore()
        let channel = try store.create(.init(.sandbox, "com.example.app"), .none, now: 0)
        let script = Script(rules: [
            try Self.rule(#"{"match": {"kind": "broadcast"}, "then": {"reason": "TooManyRequests"}}"#)
        ])
        var sender = try PushSender(channels: store, script: script)
        let decision = try sender.decide {
            $0[":path"] = "/4/broadcasts/apps/com.example.app"
            $0["apns-topic"] = nil
            $0["apns-push-type"] = "liveactivity"
            $0["apns-channel-id"] = channel.id
            $0["apns-expiration"] = "0"
            $0["apns-priority"] = "10"
            $0.body = Array(
                #"{"aps":{"event":"update","timestamp":1768469400,"content-state":{"score":"1:0"}}}"#.utf8)
        }
        #expect(decision.reason == .tooManyRequests)
        #expect(decision.field(.apnsRequestID) != nil)
        #expect(store.channels(of: .init(.sandbox, "com.example.app"), now: 0).map(\.published) == [0])
    }

    @Test func `the entry's JSON has the rule`() throws {
        var sender = try sender(
            #"{"id": "flaky", "when": {"times": 1}, "then": {"reason": "TooManyRequests", "delay": 30}}"#)
        let decision = try sender.decide()
        var writer = JSONWriter()
        sender.simulator.journal.renderer.write(decision.entry, to: &writer)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
        let rule = try #require(object["rule"] as? [String: Any])
        #expect(rule["id"] as? String == "flaky")
        #expect(rule["attempt"] as? Int == 1)
        #expect(rule["draw"] is Double)
        #expect(rule["outcome"] as? String == "429 TooManyRequests")
        #expect(rule["delayMs"] as? Int == 30)
        let rejection = try #require(object["rejection"] as? [String: Any])
        #expect((rejection["explanation"] as? String)?.contains("flaky") == true)
        let checks = rejection["checks"] as? [[String: Any]] ?? []
        #expect(checks.last?["check"] as? String == "script")
        #expect(checks.last?["ok"] as? Bool == false)
    }
}

extension Decision {
    /// What the script wants of the answer.
    var scripted: ScriptedAnswer? {
        if case .perform(let answer) = action { answer } else { nil }
    }
}

import APNs
import Admin
import Foundation
import HTTP
import Simulation
import Testing

/// Gates beside a model of what they must say, over random runs of pushes, deletions, evictions, resets and namespaces that end.
struct GateModelTests {
    /// What the model knows of a namespace.
    private struct World {
        struct Entry {
            let seq: UInt64
            let isWrong: Bool
        }
        var last: UInt64 = 0
        var held: [Entry] = []
        /// Refusals that nobody asked for, over its life.
        var wrong = 0
        var evictedThrough: UInt64 = 0
        var deletedThrough: UInt64 = 0
        var startedThrough: UInt64 = 0

        mutating func push(isWrong: Bool, limit: Int) {
            last += 1
            held.append(Entry(seq: last, isWrong: isWrong))
            if isWrong { wrong += 1 }
            while held.count > limit { evictedThrough = held.removeFirst().seq }
        }

        mutating func forgetAll(isReset: Bool) {
            if let newest = held.last { deletedThrough = max(deletedThrough, newest.seq) }
            if isReset || !held.isEmpty { startedThrough = last }
            held = []
        }

        /// What a question about everything behind a cursor must be answered: nil when something is lost, so that it may fail.
        func passes(after cursor: UInt64) -> Bool? {
            if held.contains(where: { $0.seq > cursor && $0.isWrong }) { return false }
            let isEvicted = evictedThrough > (cursor == 0 ? startedThrough : cursor)
            return isEvicted || (cursor > 0 && deletedThrough > cursor) ? nil : true
        }
    }

    private static let limit = 6
    private static let unasked = CheckFailure(
        .topicPresent, .missingTopic, expected: "a topic", actual: "none", explanation: "There is no apns-topic.")
    private static let asked = CheckFailure(
        .deviceActive, .unregistered, expected: "an active device token", actual: "unregistered",
        explanation: "The device is unregistered.")

    @Test(arguments: 1...200)
    func `a gate never passes when it must fail, and never fails when nothing was wrong or lost`(seed: Int) throws {
        print("gates: seed \(seed)")
        var random = FastRandom(seed: UInt64(seed))
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        let harness = AdminHarness(limits: Journal.Limits(entries: Self.limit))
        var worlds: [String: World] = ["default": World()]
        var ended = 0
        var made = 0
        var devices = 0
        for step in 0..<60 {
            let names = worlds.keys.sorted()
            let name = names[pick(names.count)]
            var world = worlds[name] ?? World()
            let place = name == "default" ? "/v1" : "/v1/ns/\(name)"
            let note: Comment = "seed \(seed), step \(step), \(name)"
            switch pick(12) {
            case 0...4:
                let kind = pick(8)
                devices += 1
                let digits = String(devices, radix: 16)
                let device = String(repeating: "0", count: 64 - digits.count) + digits
                harness.push(
                    device, failure: kind == 0 ? Self.unasked : kind == 1 ? Self.asked : nil,
                    in: harness.worlds.namespace(named: name))
                world.push(isWrong: kind == 0, limit: Self.limit)
            case 5:
                #expect(harness.send("\(place)/requests", method: "DELETE").status == 200, note)
                world.forgetAll(isReset: false)
            case 6:
                #expect(harness.send("\(place)/requests?outcome=rejected", method: "DELETE").status == 200, note)
                world = try Self.afterDeletion(world, harness.send("\(place)/requests?limit=100").items)
            case 7:
                #expect(harness.send("\(place)/reset", method: "POST").status == 200, note)
                world.forgetAll(isReset: true)
            case 8:
                made += 1
                let body = #"{"name": "w\#(made)"}"#
                #expect(harness.send("/v1/namespaces", method: "POST", json: body).status == 201, note)
                worlds["w\(made)"] = World()
            case 9 where name != "default":
                let gone = harness.send("/v1/namespaces/\(name)?verdict=clean", method: "DELETE")
                if world.wrong > 0 { #expect(gone.status == 417, note) }
                // What was evicted before anybody looked at the sender's conduct is lost.
                if world.wrong == 0, world.evictedThrough == 0 { #expect(gone.status == 200, note) }
                ended += world.wrong
                worlds[name] = nil
                continue
            default:
                let cursor = pick(2) == 0 ? 0 : UInt64(pick(Int(world.last) + 1))
                let report = harness.send("\(place)/report?failOn=rejected&after=\(cursor)")
                let verify = harness.send(
                    "\(place)/verify", method: "POST", json: #"{"noRejections": true, "after": \#(cursor)}"#)
                let expected = world.passes(after: cursor)
                if let expected { #expect((report.status == 200) == expected, note) }
                if expected == nil { #expect(report.status == 417, note) }
                // Verifications ask for the refusals that a test has ordered to be expected, so they fail more often.
                if expected != true { #expect(verify.status == 417, note) }
            }
            worlds[name] = world
        }
        let all = ended + worlds.values.reduce(0) { $0 + $1.wrong }
        #expect(harness.worlds.tally.objections([.rejected]).isEmpty == (all == 0), "seed \(seed)")
        #expect(harness.worlds.tally.refused(allowing: []) == UInt64(all), "seed \(seed)")
        #expect(harness.worlds.tally.objections([.rejected], allowing: [.missingTopic]).isEmpty, "seed \(seed)")
    }

    /// The model of a namespace of which only these entries are left.
    private static func afterDeletion(_ world: World, _ items: [[String: Any]]) throws -> World {
        var world = world
        let left = Set(items.compactMap { ($0["seq"] as? Int).map { UInt64($0) } })
        let gone = world.held.filter { !left.contains($0.seq) }
        #expect(!world.held.contains { $0.isWrong && left.contains($0.seq) })
        guard let last = gone.last else { return world }
        world.held.removeAll { !left.contains($0.seq) }
        world.deletedThrough = max(world.deletedThrough, last.seq)
        if world.held.isEmpty { world.startedThrough = world.last }
        return world
    }

    // MARK: Words

    @Test(
        arguments: [
            ("bogus", nil), ("L999", nil), ("warnings", "findings:warning"), ("rejectd", "rejected"),
            ("findings:L99", nil),
            ("unused-rule", "unused-rules"), ("", nil),
        ] as [(String, String?)])
    func `a word that is no gate is refused`(word: String, suggestion: String?) {
        #expect(throws: Gate.Unknown.self) { try Gate(word) }
        let answer = AdminHarness().send("/v1/report?failOn=\(word)")
        #expect(answer.status == 400)
        if let suggestion { #expect(answer.string("hint").contains(suggestion)) }
    }

    @Test(arguments: [
        ("rejected", "rejected"), ("error", "findings:error"), ("findings:warning", "findings:warning"),
        ("L004", "findings:L004"), ("unused-rules", "unused-rules"),
    ])
    func `each gate has one spelling`(word: String, shown: String) throws {
        #expect(try Gate(word).word == shown)
    }

    @Test func `a rule that never fired is remembered when it is gone, and one that fired is not told`() throws {
        let harness = AdminHarness()
        let made = #"{"name": "w"}"#
        #expect(harness.send("/v1/namespaces", method: "POST", json: made).status == 201)
        let rule = #"{"id": "never", "then": {"reason": "TooManyRequests"}}"#
        #expect(harness.send("/v1/ns/w/rules", method: "POST", json: rule).status == 201)
        #expect(harness.send("/v1/ns/w/reset", method: "POST").status == 200)
        let gone = harness.send("/v1/namespaces/w?verdict=clean&format=text", method: "DELETE")
        #expect(gone.status == 417)
        #expect(gone.text.contains("unused-rules: never never fired"), "\(gone.text)")
        #expect(!gone.text.contains("{"))
    }

    @Test func `conduct is a finding everywhere`() {
        let harness = AdminHarness()
        for _ in 1...2 { harness.push(failure: Self.unasked) }
        #expect(harness.send("/v1/requests?finding=L004").items.map { $0["seq"] as? Int } == [2])
        #expect(harness.send("/v1/requests?q=finding:L004").items.count == 1)
        #expect(harness.send("/v1/requests?finding=error").items.count == 1)
        #expect(harness.send("/v1/requests?finding=L999").status == 400)
        #expect(harness.send("/v1/report?failOn=findings:L004").status == 417)
        #expect(harness.send("/v1/report?failOn=findings:error&allow=MissingTopic").status == 417)
        #expect(harness.send("/v1/report?failOn=rejected&allow=MissingTopic").status == 200)
        #expect(harness.send("/v1/report?failOn=findings:L005").status == 200)
        #expect(harness.send("/v1/requests", method: "DELETE").status == 200)
        // What is gone from the journal still counts over its life.
        #expect(!harness.worlds.tally.objections([.finding("L004")]).isEmpty)
        #expect(harness.send("/v1/report?failOn=findings:L004").status == 200)
    }
}

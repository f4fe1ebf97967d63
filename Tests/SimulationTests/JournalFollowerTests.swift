import APNs
import Foundation
import HTTP
import Locking
import Simulation
import TestFixtures
import Testing

struct JournalFollowerTests {
    /// What a follower was told, in order.
    private final class Ear: Sendable {
        private let heard = Lock<[String]>([])

        var words: [String] { heard.withLock { $0 } }

        @Sendable func hear(_ event: Journal.Event) {
            heard.withLock { heard in
                switch event {
                case .entry(let entry): heard.append("\(entry.seq)")
                case .candidate(let entry): heard.append("\(entry.seq)?")
                case .completed(let entry): heard.append("completed \(entry.seq)")
                case .removed(let last): heard.append("removed \(last)")
                case .reset: heard.append("reset")
                case .closed: heard.append("closed")
                }
            }
        }
    }

    /// What one follower of the random test got.
    private struct Outcome: Sendable {
        let after: UInt64
        let device: Int?
        let snapshot: [UInt64]
        let ear: Ear
        let leftEarly: Bool
    }

    private final class Outcomes: Sendable {
        let all = Lock<[Outcome]>([])
    }

    private func matcher(_ conditions: [(String, String)]) throws -> Matcher {
        var matcher = Matcher()
        for (field, value) in conditions {
            try matcher.require(field, anyOf: value.split(separator: ",").map(String.init))
        }
        return matcher
    }

    private static func device(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "a", count: 64 - digits.count) + digits
    }

    @Test func `a follower is told what matches, until it is gone`() throws {
        let journal = JournalFixture.journal()
        let ear = Ear()
        _ = journal.commit([JournalFixture.entry(device: Self.device(1))])
        let (follower, snapshot) = try journal.follow(
            after: 0, matching: matcher([("device", Self.device(1))]), ear.hear)
        #expect(snapshot.entries.map(\.seq) == [1])
        _ = journal.commit([JournalFixture.entry(device: Self.device(1)), JournalFixture.entry(device: Self.device(2))])
        _ = journal.commit([JournalFixture.entry(device: Self.device(1).uppercased())])
        #expect(ear.words == ["2", "4"])
        #expect(journal.statistics.followers == 1)
        journal.unfollow(follower)
        journal.unfollow(follower)
        _ = journal.commit([JournalFixture.entry(device: Self.device(1))])
        #expect(ear.words == ["2", "4"])
        #expect(journal.statistics.followers == 0)
    }

    /// Conditions and who hears of which entry; a list of its own with a type, for the compiler took 11 s to find it.
    private static let indexed: [(conditions: [(String, String)], heard: [String])] = [
        ([("device", device(1))], ["1"]),
        ([("device", "\(device(1)),\(device(2))")], ["1", "2"]),
        ([("device", "\(device(1)),\(device(1))")], ["1"]),
        ([("device", "aaaa*")], ["1", "2", "3"]),
        ([("device", "\(device(2)),*3")], ["2", "3"]),
        ([("device", device(3)), ("topic", "com.acme.*")], ["3"]),
        ([("device", device(3)), ("topic", "com.other")], []),
        ([("device", device(1)), ("device", device(2))], []),
        ([("device", "aaaa*"), ("device", device(2))], ["2"]),
        ([], ["1", "2", "3", "4"]),
    ]

    @Test(arguments: indexed)
    func `the index of devices finds whom the matcher means`(conditions: [(String, String)], heard: [String]) throws {
        let journal = JournalFixture.journal()
        let ear = Ear()
        _ = try journal.follow(after: 0, matching: matcher(conditions), ear.hear)
        for number in 1...3 { _ = journal.commit([JournalFixture.entry(device: Self.device(number))]) }
        var broken = JournalFixture.content(.broken)
        broken.device = nil
        _ = journal.commit([JournalEntry(broken)])
        #expect(ear.words == heard)
    }

    @Test func `followers hear of a reset and of the end`() throws {
        let journal = JournalFixture.journal()
        let (first, second) = (Ear(), Ear())
        _ = try journal.follow(after: 0, matching: Matcher(), first.hear)
        journal.reset()
        _ = journal.commit([JournalFixture.entry()])
        journal.close()
        _ = try journal.follow(after: 0, matching: Matcher(), second.hear)
        #expect(first.words == ["reset", "1", "closed"])
        #expect(second.words == ["closed"])
    }

    @Test func `there is an end to followers`() throws {
        let journal = JournalFixture.journal()
        var followers: [Journal.Follower] = []
        for _ in 0..<Journal.followerLimit {
            followers.append(try journal.follow(after: 0, matching: Matcher(), { _ in }).0)
        }
        #expect(throws: Journal.TooManyFollowers.self) {
            _ = try journal.follow(after: 0, matching: Matcher()) { _ in }
        }
        #expect(Set(followers).count == Journal.followerLimit)
        journal.unfollow(followers[0])
        _ = try journal.follow(after: 0, matching: Matcher()) { _ in }
    }

    @Test func `an entry that a follower is told of is in the journal`() throws {
        let journal = JournalFixture.journal()
        let seen = Lock<[UInt64]>([])
        _ = try journal.follow(after: 0, matching: Matcher()) { event in
            if case .entry(let entry) = event { seen.withLock { $0.append(entry.seq) } }
        }
        let batch = (0..<5).map { _ in JournalFixture.entry() }
        _ = journal.commit(batch)
        #expect(seen.withLock { $0 } == batch.map(\.seq))
    }

    /// Followers come and go around random cursors while several threads commit: snapshot and events together must be
    /// exactly the matches after the cursor.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `no follower misses an entry or hears of one twice`(seed: UInt64) async throws {
        print("seed \(seed)")
        let journal = JournalFixture.journal()
        let devices = 8
        let (committers, batches) = (4, 60)
        let outcomes = Outcomes()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<committers {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(thread))
                    for _ in 0..<batches {
                        let batch = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                            JournalFixture.entry(device: Self.device(Int.random(in: 0..<devices, using: &generator)))
                        }
                        #expect(journal.commit(batch) > 0)
                        await Task.yield()
                    }
                }
            }
            for thread in 0..<4 {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &* 1000 &+ 500 &+ UInt64(thread))
                    for _ in 0..<40 {
                        let cursor = journal.cursor
                        let after = UInt64.random(in: 0...cursor, using: &generator)
                        let device =
                            Bool.random(using: &generator) ? Int.random(in: 0..<devices, using: &generator) : nil
                        var matcher = Matcher()
                        if let device { try? matcher.require("device", anyOf: [Self.device(device)]) }
                        let ear = Ear()
                        guard let (follower, snapshot) = try? journal.follow(after: after, matching: matcher, ear.hear)
                        else {
                            Issue.record("no follower")
                            return
                        }
                        let found = snapshot.entries.filter { matcher.matches($0) }.map(\.seq)
                        await Task.yield()
                        // Half of them leave while the others commit.
                        let leavesEarly = Bool.random(using: &generator)
                        if leavesEarly { journal.unfollow(follower) }
                        let outcome = Outcome(
                            after: after, device: device, snapshot: found, ear: ear, leftEarly: leavesEarly)
                        outcomes.all.withLock { $0.append(outcome) }
                    }
                }
            }
        }
        let all = Array(journal.snapshot().entries)
        #expect(all.map(\.seq) == Array(1...journal.cursor))
        let results = outcomes.all.withLock { $0 }
        #expect(results.count == 160)
        for outcome in results {
            let heard = outcome.snapshot + outcome.ear.words.compactMap { UInt64($0) }
            let meant = all.filter { entry in
                guard entry.seq > outcome.after else { return false }
                guard let device = outcome.device else { return true }
                return entry.content.request.text(in: entry.content.device!) == Self.device(device)
            }.map(\.seq)
            let expected = outcome.leftEarly ? Array(meant.prefix(heard.count)) : meant
            #expect(heard == expected, "seed \(seed), after \(outcome.after)")
        }
    }

    @Test func `threads that commit to one log write whole lines in the order of the numbers`() async throws {
        let path = try JournalFixture.path()
        let journal = JournalFixture.journal(log: try InspectionLog(path: path))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for size in 1...30 {
                        #expect(journal.commit((0..<size % 5 + 1).map { _ in JournalFixture.entry() }) > 0)
                    }
                }
            }
        }
        let numbers = try JournalFixture.lines(path).compactMap { $0["seq"] as? UInt64 }
        #expect(numbers == Array(1...journal.cursor))
    }
}

import APNs
import Foundation
import Locking
import Simulation
import Testing

struct JournalTests {
    @Test func `entries get consecutive numbers and are found by their ids`() throws {
        let journal = JournalFixture.journal()
        let first = JournalFixture.entry()
        let second = JournalFixture.entry()
        #expect(journal.commit([first, second]) > 0)
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        #expect(journal.cursor == 3)
        #expect(first.seq == 1 && second.seq == 2)
        let id = journal.renderer.id(of: second)
        #expect(id == "n_k3x9_2")
        #expect(journal.entry(id: id) === second)
        #expect(journal.entry(id: "2") === second)
        for other in [
            "n_k3x9_4", "n_k3x9_0", "n_k3x9_", "n_other_2", "", "0", "-1", "+2", "n_k3x9_99999999999999999999",
        ] {
            #expect(journal.entry(id: other) == nil, "\(other)")
        }
    }

    @Test func `a snapshot holds what is after the cursor`() {
        let journal = JournalFixture.journal()
        _ = journal.commit((0..<1000).map { _ in JournalFixture.entry() })
        for cursor: UInt64 in [0, 1, 127, 128, 129, 500, 999, 1000, 1001] {
            let snapshot = journal.snapshot(after: cursor)
            #expect(snapshot.entries.map(\.seq) == Array(min(cursor, 1000)..<1000).map { $0 + 1 })
            #expect(snapshot.entries.count == 1000 - Int(min(cursor, 1000)))
            #expect(snapshot.entries.reversed().first?.seq == (cursor < 1000 ? 1000 : nil))
            #expect(snapshot.cursor == 1000 && snapshot.oldest == 1 && !snapshot.truncated)
        }
    }

    @Test func `a snapshot does not change when the journal goes on`() {
        let journal = JournalFixture.journal(entries: 200)
        _ = journal.commit((0..<200).map { _ in JournalFixture.entry() })
        let snapshot = journal.snapshot()
        for _ in 0..<300 { _ = journal.commit([JournalFixture.entry()]) }
        #expect(snapshot.entries.map(\.seq) == Array(1...200))
        #expect(journal.snapshot().entries.map(\.seq) == Array(301...500))
    }

    @Test func `the oldest entries go at the limit of entries, and the journal says so`() {
        let journal = JournalFixture.journal(entries: 10)
        for _ in 0..<25 { _ = journal.commit([JournalFixture.entry()]) }
        let snapshot = journal.snapshot()
        #expect(snapshot.entries.map(\.seq) == Array(16...25))
        #expect(snapshot.oldest == 16 && snapshot.truncated)
        #expect(journal.snapshot(after: 14).truncated)
        #expect(!journal.snapshot(after: 15).truncated)
        #expect(journal.statistics.evicted == 15)
        #expect(journal.statistics.accepted == 25)
        #expect(journal.entry(id: "15") == nil)
    }

    @Test func `the oldest entries go at the limit of bytes`() {
        let cost = JournalFixture.entry().cost
        let journal = JournalFixture.journal(bytes: 3 * cost + 1)
        for _ in 0..<8 { _ = journal.commit([JournalFixture.entry()]) }
        #expect(journal.snapshot().entries.map(\.seq) == [6, 7, 8])
        #expect(journal.statistics.bytes == 3 * cost)
        #expect(journal.statistics.evicted == 5)
    }

    @Test func `an entry that is evicted is released`() {
        let journal = JournalFixture.journal(entries: 1)
        weak var evicted: JournalEntry?
        do {
            let entry = JournalFixture.entry()
            evicted = entry
            _ = journal.commit([entry])
        }
        #expect(evicted != nil)
        _ = journal.commit([JournalFixture.entry()])
        #expect(evicted == nil)
    }

    @Test func `forgetting is no truncation, and numbers never go back`() throws {
        let journal = JournalFixture.journal()
        _ = journal.commit((0..<300).map { JournalFixture.entry($0 % 2 == 0 ? .accepted : .rejected) })
        var matcher = Matcher()
        try matcher.require("outcome", anyOf: ["rejected"])
        #expect(journal.remove(matching: matcher) == 150)
        #expect(journal.remove(matching: matcher) == 0)
        #expect(journal.snapshot().entries.map(\.seq) == stride(from: 1, to: 300, by: 2).map { UInt64($0) })
        #expect(!journal.snapshot().truncated)
        #expect(journal.statistics.bytes == journal.snapshot().entries.reduce(0) { $0 + $1.cost })
        journal.reset()
        #expect(journal.snapshot().entries.isEmpty && !journal.snapshot().truncated)
        #expect(journal.snapshot().oldest == 301)
        #expect(journal.statistics.entries == 0 && journal.statistics.bytes == 0)
        _ = journal.commit([JournalFixture.entry()])
        #expect(journal.snapshot().entries.map(\.seq) == [301])
    }

    @Test func `answers are counted by kind`() {
        let journal = JournalFixture.journal(entries: 2)
        var refused = JournalFixture.content(.rejected)
        refused.reason = .badDeviceToken
        refused.pushType = nil
        var background = JournalFixture.content()
        background.pushType = .background
        _ = journal.commit([
            JournalFixture.entry(), JournalFixture.entry(), JournalEntry(background), JournalEntry(refused),
        ])
        let answers = journal.statistics.answers
        #expect(answers.count == 3)
        #expect(answers[.init(outcome: .accepted, status: 200, reason: nil, pushType: .alert)] == 2)
        #expect(answers[.init(outcome: .accepted, status: 200, reason: nil, pushType: .background)] == 1)
        #expect(answers[.init(outcome: .rejected, status: 400, reason: .badDeviceToken, pushType: nil)] == 1)
        #expect(journal.statistics.accepted == 3 && journal.statistics.rejected == 1)
    }

    @Test func `lines are in the file before the entries are seen, in the order of their numbers`() throws {
        let path = try JournalFixture.path()
        let journal = JournalFixture.journal(log: try InspectionLog(path: path))
        let seen = Lock<[Int]>([])
        _ = try journal.follow(after: 0, matching: Matcher()) { event in
            guard case .entry(let entry) = event else { return }
            let lines = (try? JournalFixture.lines(path)) ?? []
            seen.withLock { $0.append(lines.contains { $0["seq"] as? UInt64 == entry.seq } ? Int(entry.seq) : -1) }
        }
        #expect(journal.commit([JournalFixture.entry(), JournalFixture.entry()]) > 0)
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        #expect(seen.withLock { $0 } == [1, 2, 3])
        #expect(try JournalFixture.lines(path).map { $0["seq"] as? Int } == [1, 2, 3])
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has /dev/full"))
    func `when the log fails nothing is kept and no number is used`() throws {
        let journal = JournalFixture.journal(log: try InspectionLog(path: "/dev/full"))
        let told = Lock(0)
        _ = try journal.follow(after: 0, matching: Matcher()) { _ in told.withLock { $0 += 1 } }
        let entry = JournalFixture.entry()
        #expect(journal.commit([entry]) == 0)
        #expect(entry.seq == 0)
        #expect(journal.cursor == 0 && journal.snapshot().entries.isEmpty && journal.statistics.accepted == 0)
        #expect(told.withLock { $0 } == 0)
        #expect(journal.logFailure == "/dev/full: No space left on device")
        journal.commitWithoutLog([entry])
        #expect(entry.seq == 1 && journal.cursor == 1)
        #expect(told.withLock { $0 } == 1)
    }
}

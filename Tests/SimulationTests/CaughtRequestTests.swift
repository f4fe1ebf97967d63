import APNs
import HTTP
import Locking
import Testing

@testable import Simulation

/// Requests that come behind a fault which their connection has met.
struct CaughtRequestTests {
    private static let use = JournalEntry.RuleUse(id: "drop", attempt: 1, outcome: "close", delayMilliseconds: 20)

    private static let lasts: [(last: Int32, caught: [Int32], answered: [Int32])] = [
        (-1, [0, 1, 7], []), (0, [1, 3], [0]), (3, [5, 7], [1, 3]),
    ]

    @Test(arguments: lasts)
    func `a fault catches the streams above its last`(last: Int32, caught: [Int32], answered: [Int32]) {
        let fault = ConnectionFault(Self.use, lastStream: last)
        #expect(caught.allSatisfy { fault.catches($0) } && !answered.contains { fault.catches($0) })
    }

    @Test func `of two faults the one that catches more stays`() {
        var fault: ConnectionFault?
        for (last, expected) in [(Int32(5), Int32(5)), (7, 5), (1, 1), (-1, -1), (0, -1)] {
            fault.meet(ConnectionFault(Self.use, lastStream: last))
            #expect(fault?.lastStream == expected)
        }
    }

    @Test func `each fault says which streams it still answers`() {
        let last: (RuleFault) -> Int32? = { $0.lastAnswered(at: 9) }
        for fault: RuleFault in [.acceptThenDrop, .close, .rst, .stallWrites] { #expect(last(fault) == -1) }
        let goAway: (RuleFault.LastStream) -> RuleFault = {
            .goAway(.noError, reason: nil, lastStream: $0, linger: .forever)
        }
        #expect(last(goAway(.nothing)) == 0 && last(goAway(.beforeThis)) == 7 && last(goAway(.all)) == nil)
        #expect(goAway(.beforeThis).lastAnswered(at: 1) == 0)
        for fault: RuleFault in [
            .hang, .silentlyDiscard, .resetStream(.cancel), .headersOnly, .truncateBody, .ignorePing,
        ] {
            #expect(last(fault) == nil)
        }
    }

    @Test func `a revised entry stands in place of the old, with its counters, and its followers hear of it`() throws {
        let journal = Journal(limits: .init(), log: nil, renderer: EntryRenderer(instance: "a", adminBase: nil))
        let heard = Heard()
        _ = try journal.follow(after: 0, matching: Matcher(), hearsCompletions: true) { event in
            if case .completed(let entry) = event { heard.outcomes.withLock { $0.append(entry.content.outcome) } }
        }
        var entries: [JournalEntry] = []
        for stream in 0..<20 {
            var content = JournalFixture.content(.accepted)
            content.status = 200
            content.stream = Int32(2 * stream + 1)
            let entry = JournalEntry(content)
            #expect(journal.commit([entry]) == 1)
            entry.answered(afterMilliseconds: 0)
            entries.append(entry)
        }
        let connection = entries[0].content.connection.value.id
        journal.revise(
            connection: connection, streams: [5, 39, 41], behind: ConnectionFault(Self.use, lastStream: -1), at: 0)
        let now = Array(journal.snapshot().entries)
        #expect(now.map(\.seq) == Array(1...20))
        #expect(now.filter { $0.content.outcome == .faulted }.map(\.content.stream) == [5, 39])
        #expect(now[2].content.rule?.outcome == "behind close" && now[2].content.rule?.id == "drop")
        #expect(now[2].content.rare.isRevised && now[2].content.status == 0)
        #expect(Array(journal.snapshot(after: 18).entries).map(\.content.outcome) == [.accepted, .faulted])
        #expect(journal.entry(id: journal.renderer.id(seq: 3))?.content.outcome == .faulted)
        #expect(journal.statistics.accepted == 18 && journal.statistics.faulted == 2)
        #expect(heard.outcomes.withLock { $0 } == [.faulted, .faulted])
        // What is faulted stays as it is; what a reset forgot is not brought back.
        journal.revise(connection: connection, streams: [5], behind: ConnectionFault(Self.use, lastStream: 0), at: 0)
        #expect(journal.statistics.faulted == 2)
        journal.reset()
        journal.revise(entries[0], by: Self.use, at: 0)
        #expect(journal.snapshot().entries.isEmpty && journal.statistics.accepted == 18)
    }

    private final class Heard: Sendable {
        let outcomes = Lock<[JournalEntry.Outcome]>([])
    }
}

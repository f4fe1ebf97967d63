package import Simulation

/// The matches of a question as they come: all are counted, as many as the answer shows are kept.
package struct MatchCollection: Sendable {
    /// How many matched.
    package private(set) var count = 0
    /// The number of the last match; 0 before there is one.
    package private(set) var lastSeq: UInt64 = 0
    private var kept: [JournalEntry] = []
    private let limit: Int
    private let keepsNewest: Bool

    /// A collection that keeps the first or the last `limit` matches.
    package init(limit: Int, keepsNewest: Bool) {
        self.limit = limit
        self.keepsNewest = keepsNewest
    }

    /// Takes a match; they come in the order of their numbers.
    package mutating func add(_ entry: JournalEntry) {
        count += 1
        lastSeq = entry.seq
        if keepsNewest {
            // Dropping the oldest only now and then keeps the cost of a match constant.
            if kept.count >= limit * 2 { kept.removeFirst(kept.count - limit + 1) }
            kept.append(entry)
        } else if kept.count < limit {
            kept.append(entry)
        }
    }

    /// Takes those of a snapshot's entries that match.
    package mutating func add(_ snapshot: Journal.Snapshot, matching matcher: Matcher) {
        let scratch = MatchScratch()
        scratch.remarks = snapshot.remarks
        for entry in snapshot.entries where matcher.matches(entry, scratch: scratch) { add(entry) }
    }

    /// What the answer shows, in its order.
    package var items: [JournalEntry] {
        keepsNewest ? oldestFirst.reversed() : kept
    }

    /// The same in the order of arrival.
    package var oldestFirst: [JournalEntry] { kept.suffix(limit) }
}

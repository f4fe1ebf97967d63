/// What was seen, bounded by count and bytes; numbers go up by one and never back.
package final class Journal: Sendable {
    /// The limits of a journal.
    package struct Limits: Sendable {
        package var entries: Int
        package var bytes: Int

        package init(entries: Int = 10_000, bytes: Int = 64 << 20) {
            self.entries = entries
            self.bytes = bytes
        }
    }

    /// What a follower is told, in order and without gaps.
    package enum Event: Sendable {
        case entry(JournalEntry)
        /// The journal was reset or its namespace deleted.
        case reset
        /// The server stops.
        case closed
    }

    /// A registration made by ``follow(after:matching:_:)``; ends when cancelled.
    package struct Follower: Sendable, Hashable {
        let number: UInt64
    }

    /// Entries at one moment.
    package struct Snapshot: Sendable {
        /// In ascending order.
        package var entries: [JournalEntry]
        /// The last number given.
        package var cursor: UInt64
        /// The first number still held; `cursor + 1` when nothing is.
        package var oldest: UInt64
        /// Whether entries after the asked cursor were evicted.
        package var truncated: Bool
    }

    /// How writes the lines.
    package let renderer: EntryRenderer

    /// A journal that writes to `log` before it shows an entry to anybody; nil keeps entries in memory only.
    package init(limits: Limits, log: InspectionLog?, renderer: EntryRenderer) { fatalError("contract") }

    /// Numbers the entries, writes their lines with one write, keeps them and tells the followers; all or nothing.
    ///
    /// Returns false, and keeps nothing, when the log cannot be written (disk full): the caller then answers 503 and
    /// journals that with ``commitWithoutLog(_:)``. Any thread.
    package func commit(_ batch: [JournalEntry]) -> Bool { fatalError("contract") }

    /// The same in memory only, whatever the state of the log.
    package func commitWithoutLog(_ batch: [JournalEntry]) { fatalError("contract") }

    /// The last number given.
    package var cursor: UInt64 { fatalError("contract") }

    /// The entries after a cursor.
    package func snapshot(after cursor: UInt64 = 0) -> Snapshot { fatalError("contract") }

    /// The entry with this id, while it is held.
    package func entry(id: String) -> JournalEntry? { fatalError("contract") }

    /// Registers and takes the snapshot under one lock, so that no entry falls between. `deliver` is called with each later
    /// match, on the committing thread and under the journal's lock: it must only hand the event over.
    package func follow(after cursor: UInt64, matching matcher: Matcher, _ deliver: @escaping @Sendable (Event) -> Void)
        -> (Follower, Snapshot)
    { fatalError("contract") }

    /// Ends a registration.
    package func unfollow(_ follower: Follower) { fatalError("contract") }

    /// Forgets the entries that match; numbers go on. Returns how many.
    package func remove(matching matcher: Matcher) -> Int { fatalError("contract") }

    /// Forgets all and tells the followers.
    package func reset() { fatalError("contract") }

    /// Tells the followers that the server stops, and flushes.
    package func close() { fatalError("contract") }

    /// Counters that survive eviction.
    package struct Statistics: Sendable {
        package var entries = 0
        package var bytes = 0
        package var evicted: UInt64 = 0
        package var accepted: UInt64 = 0
        package var rejected: UInt64 = 0
        package var faulted: UInt64 = 0
        package var broken: UInt64 = 0
        package var followers = 0
    }

    /// The counters now.
    package var statistics: Statistics { fatalError("contract") }
}

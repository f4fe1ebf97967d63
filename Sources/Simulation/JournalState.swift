import APNs

/// What a journal's lock guards.
struct JournalState: ~Copyable {
    private let limits: Journal.Limits
    /// The last number given.
    private(set) var cursor: UInt64 = 0
    /// What is held.
    private(set) var entries = JournalEntries()
    /// What the entries cost together.
    private var bytes = 0
    /// The highest number that was evicted.
    private var evictedThrough: UInt64 = 0
    private var counters = AnswerCounters()
    private var evicted: UInt64 = 0
    /// Who is told.
    var followers = FollowerTable()
    /// Whether the server stops.
    var isClosed = false
    /// The lines of the batch at hand.
    private(set) var lines = LineBuffer(capacity: 64 << 10)

    init(limits: Journal.Limits) {
        self.limits = limits
    }

    /// Puts the lines together from the members with the number and the tails that were rendered before.
    mutating func joinLines(_ tails: borrowing RenderScratch, _ renderer: EntryRenderer) {
        lines.removeAll()
        var seq = cursor
        var start = 0
        unsafe tails.buffer.withBytes { bytes in
            for end in tails.ends {
                seq += 1
                renderer.writeHead(seq: seq, to: &lines)
                unsafe lines.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }

    /// Numbers and holds the entries, evicts the oldest beyond the limits, tells the followers.
    mutating func keep(_ batch: [JournalEntry]) {
        for entry in batch {
            cursor += 1
            entry.assign(seq: cursor)
            entries.append(entry)
            bytes += entry.cost
            counters.count(entry.content)
            followers.tell(entry)
        }
        while entries.count > limits.entries || bytes > limits.bytes, let oldest = entries.popFirst() {
            bytes -= oldest.cost
            evicted += 1
            evictedThrough = oldest.seq
        }
    }

    /// The entries after a cursor.
    func snapshot(after seq: UInt64) -> Journal.Snapshot {
        Journal.Snapshot(
            entries: entries.after(seq), cursor: cursor, oldest: entries.first?.seq ?? cursor + 1,
            truncated: evictedThrough > seq)
    }

    /// Forgets the entries with these numbers and returns how many there were.
    mutating func remove(_ numbers: Set<UInt64>) -> Int {
        let before = entries.count
        entries = JournalEntries(entries.lazy.filter { !numbers.contains($0.seq) })
        bytes = entries.reduce(0) { $0 + $1.cost }
        return before - entries.count
    }

    /// Forgets all entries.
    mutating func removeAll() {
        entries = JournalEntries()
        bytes = 0
    }

    /// The counters now.
    var statistics: Journal.Statistics {
        var statistics = Journal.Statistics()
        counters.fill(&statistics)
        statistics.entries = entries.count
        statistics.bytes = bytes
        statistics.evicted = evicted
        statistics.followers = followers.count
        return statistics
    }
}

import APNs
import Locking

/// What a journal's lock guards.
struct JournalState: ~Copyable {
    private let limits: Journal.Limits
    private let budget: JournalBudget?
    /// The last number given.
    private(set) var cursor: UInt64 = 0
    private var store = JournalStore()
    /// What the budget was told that the store holds.
    private var told = 0
    /// The highest number that was evicted.
    private var evictedThrough: UInt64 = 0
    /// The last number given before the last reset.
    private var resetThrough: UInt64 = 0
    private var counters = AnswerCounters()
    private var evicted: UInt64 = 0
    /// The highest number that somebody deleted, or that a reset forgot.
    private var deletedThrough: UInt64 = 0
    /// The last number given before the journal began anew: at a reset, or when all was deleted.
    private var startedThrough: UInt64 = 0
    /// What gates ask about.
    private(set) var tally = GateTally()
    /// What the sender's conduct showed.
    private let conduct: ConductWatch
    /// Whether conduct is looked at as entries come, so that an eviction takes nothing away.
    var watchesConduct = false
    /// The numbers of entries that have ids of other runs.
    private var restoredIDs: [String: UInt64] = [:]
    /// How many ids of entries that are gone may be kept before they are swept out.
    private static let idSlack = 1024
    /// Who is told.
    var followers = FollowerTable()
    /// Whether the server stops.
    var isClosed = false
    /// Whether the namespace was deleted.
    var isRetired = false
    /// The lines of a batch that got other numbers than it was rendered with.
    private var lines = LineBuffer()

    init(limits: Journal.Limits, conduct: ConductWatch, budget: JournalBudget? = nil) {
        self.limits = limits
        self.conduct = conduct
        self.budget = budget
    }

    /// Calls `body` with the lines, rendered before, under the numbers that the entries will have.
    mutating func renumbered(
        _ rendered: borrowing RenderScratch, _ renderer: EntryRenderer, _ body: (UnsafeRawBufferPointer) -> Int?
    ) -> Int? {
        lines.removeAll()
        var seq = cursor
        unsafe rendered.buffer.withBytes { bytes in
            for tail in rendered.tails {
                seq += 1
                renderer.writeHead(seq: seq, to: &lines)
                unsafe lines.append(UnsafeRawBufferPointer(rebasing: bytes[tail]))
            }
        }
        return unsafe lines.withBytes(body)
    }

    /// Numbers and holds the entries, evicts the oldest beyond the limits, tells the followers.
    mutating func keep(_ batch: [JournalEntry]) {
        for entry in batch {
            cursor += 1
            entry.assign(seq: cursor)
            counters.count(entry.content.facts)
            if !entry.content.findings.isEmpty || entry.content.outcome != .accepted {
                counters.countRare(entry.content)
                tally.note(entry)
            }
        }
        store.append(batch)
        lookAtConduct(of: batch)
        if followers.count > 0 { followers.tell(batch) }
        shrink()
        if isRetired { store.removeAll() }
        tellBudget()
    }

    /// Holds entries that were read out of the log, under the numbers that they had there; numbers go on above `number`. Only
    /// for a journal that has none yet. What is older than `oldest` counts as evicted.
    mutating func resume(_ entries: [JournalEntry], cursor number: UInt64, oldest: UInt64) {
        guard cursor == 0, number > 0 else { return }
        cursor = number
        evictedThrough = oldest - 1
        noteIDs(of: entries)
        store.append(entries)
        shrink()
        tellBudget()
    }

    /// Numbers and holds entries that were read elsewhere, and tells the followers. Counters are about what was received.
    mutating func add(restored batch: [JournalEntry]) {
        for entry in batch {
            cursor += 1
            entry.assign(seq: cursor)
        }
        noteIDs(of: batch)
        store.append(batch)
        lookAtConduct(of: batch)
        if followers.count > 0 { followers.tell(batch) }
        shrink()
        if isRetired { store.removeAll() }
        tellBudget()
    }

    /// Looks at the sender's conduct at once, when somebody waits for what it shows.
    private mutating func lookAtConduct(of batch: [JournalEntry]) {
        guard watchesConduct || followers.asksForFindings else { return }
        followers.remarks = conduct.state.withLock { ledger in
            ledger.take(batch)
            return ledger.remarks
        }
    }

    /// Looks at what nobody has looked at, before it is forgotten.
    func catchUpWithConduct() {
        conduct.state.withLock { $0.take(snapshot(after: $0.through)) }
    }

    private mutating func shrink() {
        while store.entries.count > limits.entries || store.bytes > limits.bytes, let oldest = store.popFirst() {
            evicted += 1
            evictedThrough = oldest
        }
    }

    private mutating func noteIDs(of entries: [JournalEntry]) {
        for entry in entries { if let id = entry.content.restored?.id { restoredIDs[id] = entry.seq } }
        // Ids of entries that are gone are swept out now and then.
        guard restoredIDs.count > 2 * store.entries.count + Self.idSlack else { return }
        let oldest = store.entries.firstSeq ?? .max
        restoredIDs = restoredIDs.filter { $0.value >= oldest }
    }

    /// The entry that had this id in the log that it was read out of, while it is held.
    func entry(restoredID id: String) -> JournalEntry? {
        guard let seq = restoredIDs[id], let entry = store.entries.entry(seq: seq) else { return nil }
        return entry.content.restored?.id == id ? entry : nil
    }

    /// Puts an entry in the place of what was said of it before, and tells those who ask for completions. Nothing happens
    /// when it was forgotten.
    mutating func revise(_ entry: JournalEntry, before: JournalEntry) {
        counters.takeBack(before.content.facts)
        counters.count(entry.content.facts)
        if store.revise(entry) { followers.tell(completed: entry) }
    }

    /// Whether a reset, or the end of the namespace, has forgotten the entry.
    func hasForgotten(_ entry: JournalEntry) -> Bool { entry.seq <= resetThrough || isRetired }

    /// Tells those who ask for it that an entry waits no more.
    mutating func complete(_ entry: JournalEntry) {
        if !hasForgotten(entry) { followers.tell(completed: entry) }
    }

    /// Evicts the oldest entries until so many bytes are free, or none is left.
    mutating func evict(atLeast wanted: Int) {
        let goal = store.bytes - wanted
        while store.bytes > goal, let oldest = store.popFirst() {
            evicted += 1
            evictedThrough = oldest
        }
        tellBudget()
    }

    /// Tells the budget what the store holds more, or less, than before.
    private mutating func tellBudget() {
        budget?.add(store.bytes - told)
        told = store.bytes
    }

    /// What the entries cost together.
    var bytes: Int { store.bytes }

    /// The entry of this number, while it is held.
    func entry(seq: UInt64) -> JournalEntry? { store.entries.entry(seq: seq) }

    /// The entries after a cursor.
    func snapshot(after seq: UInt64) -> Journal.Snapshot {
        Journal.Snapshot(
            entries: store.entries.after(seq), cursor: cursor, oldest: store.entries.firstSeq ?? cursor + 1,
            truncated: evictedThrough > (seq == 0 ? startedThrough : seq),
            hasForgotten: evictedThrough > resetThrough, evictedThrough: evictedThrough,
            deletedThrough: deletedThrough)
    }

    /// Forgets the entries with these numbers and returns how many there were.
    mutating func remove(_ numbers: Set<UInt64>) -> Int {
        let before = store.entries.count
        catchUpWithConduct()
        let deleted = numbers.filter { store.entries.entry(seq: $0) != nil }
        deletedThrough = max(deletedThrough, deleted.max() ?? 0)
        store.filter { !numbers.contains($0.seq) }
        conduct.state.withLock { $0.forget(deleted) }
        if store.entries.count == 0 { beginAnew() }
        if let last = deleted.max() { followers.tellAll(.removed(through: last)) }
        tellBudget()
        return before - store.entries.count
    }

    /// Forgets all entries.
    mutating func removeAll() {
        catchUpWithConduct()
        resetThrough = cursor
        if let last = store.entries.lastSeq { deletedThrough = max(deletedThrough, last) }
        beginAnew()
        store.removeAll()
        tellBudget()
    }

    /// What was forgotten has no part in what is asked from now on.
    private mutating func beginAnew() {
        startedThrough = cursor
        conduct.state.withLock { $0.restart(after: cursor) }
    }

    /// The counters now.
    var statistics: Journal.Statistics {
        var statistics = Journal.Statistics()
        counters.fill(&statistics)
        statistics.entries = store.entries.count
        statistics.bytes = store.bytes
        statistics.evicted = evicted
        statistics.followers = followers.count
        return statistics
    }
}

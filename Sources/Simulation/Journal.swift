package import APNs
import Locking

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
        /// An entry that may match: the follower must look for itself, on a thread of its own.
        case candidate(JournalEntry)
        /// An entry that had waited for its answer has it, or will never have it; only for those who ask for these.
        case completed(JournalEntry)
        /// Somebody deleted entries; the highest of their numbers.
        case removed(through: UInt64)
        /// The journal was reset or its namespace deleted.
        case reset
        /// The server stops.
        case closed
    }

    /// A registration made by ``follow(after:matching:_:)``; ends when cancelled.
    package struct Follower: Sendable, Hashable {
        let number: UInt64
        /// Whether it is told of candidates in the place of matches, because its matcher is dear.
        package let asksItself: Bool
    }

    /// There are as many followers as there may be.
    package struct TooManyFollowers: Error, Sendable {
        /// How many there may be.
        package let limit: Int
    }

    /// Entries at one moment.
    package struct Snapshot: Sendable {
        /// In ascending order.
        package var entries: JournalEntries
        /// The last number given.
        package var cursor: UInt64
        /// The first number still held; `cursor + 1` when nothing is.
        package var oldest: UInt64
        /// Whether entries after the asked cursor were evicted.
        package var truncated: Bool
        /// Whether entries were evicted since the start or the last reset.
        package var hasForgotten: Bool
        /// The highest number that was evicted.
        package var evictedThrough: UInt64
        /// The highest number that somebody deleted, or that a reset forgot.
        package var deletedThrough: UInt64
        /// What the sender's conduct showed, by the numbers of the entries; only for a matcher that asks for it.
        package var remarks: [UInt64: [Conduct.Remark]] = [:]

        /// Why not everything is there that came after a cursor, in a sentence for people; nil when it is. A question from the
        /// beginning (0) is about what came since the last reset or deletion of everything.
        package func gap(after cursor: UInt64) -> String? {
            if truncated {
                return "entries up to #\(evictedThrough) were evicted; a larger --max-entries or --max-bytes keeps them"
            }
            guard cursor > 0, deletedThrough > cursor else { return nil }
            return
                "entries up to #\(deletedThrough), after the cursor \(cursor), were deleted or forgotten by a reset; "
                + "take a cursor after that"
        }
    }

    /// How many followers there may be at a time.
    package static let followerLimit = 1000

    /// Writes the lines.
    package let renderer: EntryRenderer

    /// How much is held.
    package let limits: Limits

    private let log: InspectionLog?
    private let budget: JournalBudget?
    private let state: Lock<JournalState>
    private let conduct: ConductWatch
    private let scratches = ScratchPool()

    /// A journal that writes to `log` before it shows an entry to anybody; nil keeps entries in memory only. What it holds
    /// counts in the `budget` that it shares with other journals. `closedBySender` says when the sender closed a connection.
    package init(
        limits: Limits, log: InspectionLog?, renderer: EntryRenderer, budget: JournalBudget? = nil,
        closedBySender: @escaping @Sendable (UInt64) -> Int64? = { _ in nil }
    ) {
        conduct = ConductWatch(closedBySender: closedBySender)
        self.limits = limits
        self.log = log
        self.renderer = renderer
        self.budget = budget
        state = Lock(JournalState(limits: limits, conduct: conduct, budget: budget))
    }

    /// An empty journal with these limits for another namespace. It writes to the same log, and its entries have ids of
    /// their own.
    func sibling(of namespace: String, number: Int) -> Journal {
        var renderer = renderer
        renderer.instance += "-\(number)"
        renderer.namespace = namespace
        let journal = Journal(
            limits: limits, log: log, renderer: renderer, budget: budget, closedBySender: conduct.closedBySender)
        if state.withLock({ $0.watchesConduct }) { journal.watchConduct() }
        return journal
    }

    /// Numbers the entries, writes their lines with one write, keeps them and tells the followers.
    ///
    /// Returns how many of them, from the first, are kept. When the log cannot be written (disk full, a pipe that nobody
    /// reads) that is not all: the caller then answers the others 503 and journals that with ``commitWithoutLog(_:)``. Any
    /// thread.
    package func commit(_ batch: [JournalEntry]) -> Int {
        guard let log, !batch.isEmpty else {
            commitWithoutLog(batch)
            return batch.count
        }
        // The lines are written before the lock is taken, so that several loops do not wait for each other's, with the numbers
        // that the entries have unless another loop comes first.
        let piece = scratches.take()
        defer { scratches.give(piece) }
        let first = cursor + 1
        renderer.writeLines(batch, from: first, to: &piece.scratch)
        return state.withLock { state in
            let count =
                state.cursor + 1 == first
                ? unsafe piece.scratch.buffer.withBytes { unsafe Self.append($0, to: log) }
                : unsafe state.renumbered(piece.scratch, renderer) { unsafe Self.append($0, to: log) }
            guard let count else {
                state.keep(batch)
                return batch.count
            }
            if count > 0 { state.keep(Array(batch[..<count])) }
            return count
        }
    }

    /// Appends lines to the log; returns nil when all are there, else how many are.
    private static func append(_ lines: UnsafeRawBufferPointer, to log: InspectionLog) -> Int? {
        let written = unsafe log.append(lines)
        return written == lines.count ? nil : unsafe lines[..<written].count { $0 == UInt8(ascii: "\n") }
    }

    /// The same in memory only, whatever the state of the log.
    package func commitWithoutLog(_ batch: [JournalEntry]) {
        guard !batch.isEmpty else { return }
        state.withLock { $0.keep(batch) }
    }

    /// Takes entries that were read out of the end of the log, under the numbers that they had; at the start of the server.
    /// Numbers go on above `cursor`; what is below `oldest` counts as evicted.
    func resume(_ entries: [JournalEntry], cursor: UInt64, oldest: UInt64) {
        conduct.state.withLock { $0.restart(after: oldest - 1) }
        state.withLock { $0.resume(entries, cursor: cursor, oldest: oldest) }
    }

    /// Takes entries that were read elsewhere under new numbers, and writes them to the log; those whose ids are there
    /// already are left out. Returns those that were taken; nil, and then none is, when the log cannot be written.
    package func add(restored entries: [JournalEntry]) -> [JournalEntry]? {
        let piece = scratches.take()
        defer { scratches.give(piece) }
        return state.withLock { state in
            var ids = Set<String>()
            // A log has both lines of an entry that was revised; the later is true.
            var revisions: [String: JournalEntry] = [:]
            for entry in entries where entry.content.rare.isRevised {
                if let id = entry.content.restored?.id { revisions[id] = entry }
            }
            let fresh = entries.compactMap { entry -> JournalEntry? in
                guard let id = entry.content.restored?.id, ids.insert(id).inserted else { return nil }
                let own = renderer.seq(ofID: id).flatMap { state.entry(seq: $0) }
                guard state.entry(restoredID: id) == nil, own.map({ renderer.id(of: $0) }) != id else { return nil }
                return revisions[id] ?? entry
            }
            if let log, !fresh.isEmpty {
                var seq = state.cursor
                for entry in fresh {
                    seq += 1
                    renderer.writeRestoredLine(entry, renderer.id(of: entry), seq: seq, to: &piece.scratch)
                }
                guard unsafe piece.scratch.buffer.withBytes({ unsafe Self.append($0, to: log) }) == nil else {
                    return nil
                }
            }
            state.add(restored: fresh)
            return fresh
        }
    }

    /// Whether there is an inspection log.
    package var isLogged: Bool { log != nil }

    /// Why the last write to the log failed; nil while all is well and without a log.
    package var logFailure: String? { log?.failure }

    /// The last number given.
    package var cursor: UInt64 { state.withLock { $0.cursor } }

    /// The entries after a cursor.
    package func snapshot(after cursor: UInt64 = 0) -> Snapshot {
        state.withLock { $0.snapshot(after: cursor) }
    }

    /// The same with what the sender's conduct showed, if the matcher asks for findings.
    package func snapshot(after cursor: UInt64 = 0, for matcher: Matcher) -> Snapshot {
        var snapshot = snapshot(after: cursor)
        if matcher.asksForFindings { snapshot.remarks = remarks }
        return snapshot
    }

    // MARK: Conduct and gates

    /// Looks at the sender's conduct up to now; without the journal's lock, as that takes its time.
    private func catchUpWithConduct() {
        let through = conduct.state.withLock { $0.through }
        let snapshot = snapshot(after: through)
        conduct.state.withLock { $0.take(snapshot) }
    }

    /// What the sender's conduct showed, by the numbers of the entries.
    package var remarks: [UInt64: [Conduct.Remark]] {
        catchUpWithConduct()
        return conduct.state.withLock { $0.remarks }
    }

    /// Looks at the conduct of the sender as entries come from now on, so that no eviction takes anything away. That costs
    /// each push some microseconds.
    package func watchConduct() {
        catchUpWithConduct()
        state.withLock { state in
            state.catchUpWithConduct()
            state.watchesConduct = true
        }
    }

    /// What gates ask about, counted over the life of the journal.
    package var tally: GateTally {
        catchUpWithConduct()
        var tally = state.withLock { $0.tally }
        tally.add(conduct.state.withLock { $0.tally })
        return tally
    }

    /// The entry with this id, while it is held.
    package func entry(id: String) -> JournalEntry? {
        let seq = renderer.seq(ofID: id)
        return state.withLock { state in seq.flatMap { state.entry(seq: $0) } ?? state.entry(restoredID: id) }
    }

    /// The id of the entry with a number; one that was read out of a log has the id that it had there.
    package func id(seq: UInt64) -> String {
        state.withLock { $0.entry(seq: seq) }.map { renderer.id(of: $0) } ?? renderer.id(seq: seq)
    }

    /// Registers and takes the snapshot under one lock, so that no entry falls between. `deliver` is called with each later
    /// match, on the committing thread and under the journal's lock: it must only hand the event over. Who
    /// `hearsCompletions` is also told of entries that matched and have got the answer that they had waited for.
    package func follow(
        after cursor: UInt64, matching matcher: Matcher, hearsCompletions: Bool = false,
        _ deliver: @escaping @Sendable (Event) -> Void
    ) throws(TooManyFollowers) -> (Follower, Snapshot) {
        if matcher.asksForFindings { catchUpWithConduct() }
        let result: (Follower, Snapshot)? = state.withLock { state in
            guard state.followers.count < Self.followerLimit else { return nil }
            let number = state.followers.add(matcher, hearsCompletions: hearsCompletions, deliver)
            let follower = Follower(number: number, asksItself: state.followers.asksItself(number))
            if state.isClosed { deliver(.closed) }
            if state.isRetired { deliver(.reset) }
            var snapshot = state.snapshot(after: cursor)
            if matcher.asksForFindings {
                state.catchUpWithConduct()
                snapshot.remarks = conduct.state.withLock { $0.remarks }
            }
            return (follower, snapshot)
        }
        guard let result else { throw TooManyFollowers(limit: Self.followerLimit) }
        return result
    }

    /// Ends a registration; no event is delivered after this returns.
    package func unfollow(_ follower: Follower) {
        state.withLock { $0.followers.remove(follower.number) }
    }

    /// Tells those who ask for it that an entry, which had waited for its answer, waits no more. Of an entry that a reset
    /// has forgotten nobody hears again. Any thread; never called for ordinary answers.
    func complete(_ entry: JournalEntry) {
        state.withLock { $0.complete(entry) }
    }

    /// Says of an entry that a rule has kept its answer from leaving. Its line in the log is followed by
    /// another with the same id. Rare, and never called for ordinary answers. Any thread.
    func revise(_ entry: JournalEntry, by use: JournalEntry.RuleUse, at machineTime: Int64) {
        guard entry.content.hasAnswerToLose else { return }
        var content = entry.content
        content.isFaulted(by: use)
        content.rare.isRevised = true
        let revised = JournalEntry(
            content, seq: entry.seq,
            afterMilliseconds: entry.afterMilliseconds ?? max(0, machineTime - content.receivedAt))
        let piece = scratches.take()
        defer { scratches.give(piece) }
        renderer.writeRevisedLine(revised, to: &piece.scratch)
        state.withLock { state in
            guard !state.hasForgotten(entry) else { return }
            if let log { _ = unsafe piece.scratch.buffer.withBytes { unsafe log.append($0) } }
            state.revise(revised, before: entry)
        }
    }

    /// The same for the streams of a connection whose answers were given and have not left.
    package func revise(
        connection: UInt64, streams: Set<Int32>, behind fault: ConnectionFault, at machineTime: Int64
    ) {
        var rest = streams
        for entry in snapshot().entries.reversed() where entry.content.connection.value.id == connection {
            guard entry.content.restored == nil, rest.remove(entry.content.stream) != nil else { continue }
            revise(entry, by: fault.caughtUse, at: machineTime)
            if rest.isEmpty { return }
        }
    }

    /// Forgets the entries that match; numbers go on. Returns how many.
    package func remove(matching matcher: Matcher) -> Int {
        // Matching may read ten thousand payloads; pushes go on meanwhile, and those that arrive now are not meant.
        let scratch = MatchScratch()
        let snapshot = snapshot(for: matcher)
        scratch.remarks = snapshot.remarks
        catchUpWithConduct()
        var numbers: Set<UInt64> = []
        for entry in snapshot.entries where matcher.matches(entry, scratch: scratch) { numbers.insert(entry.seq) }
        guard !numbers.isEmpty else { return 0 }
        return state.withLock { $0.remove(numbers) }
    }

    /// Forgets all and tells the followers.
    package func reset() {
        catchUpWithConduct()
        state.withLock { state in
            state.removeAll()
            state.followers.tellAll(.reset)
        }
    }

    /// Forgets all for good, because the namespace is deleted: what still comes in goes to the log and is not kept.
    func retire() {
        catchUpWithConduct()
        state.withLock { state in
            state.isRetired = true
            state.removeAll()
            state.followers.tellAll(.reset)
        }
    }

    /// Whether the namespace was deleted.
    package var isRetired: Bool { state.withLock { $0.isRetired } }

    /// What the entries cost together.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Evicts the oldest entries until so many bytes are free, or none is left.
    func evict(atLeast bytes: Int) {
        state.withLock { $0.evict(atLeast: bytes) }
    }

    /// Tells the followers that the server stops, and flushes.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.followers.tellAll(.closed)
        }
        log?.synchronize()
    }

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
        /// How often each kind of answer was given.
        package var answers: [Answer: UInt64] = [:]
        /// How often each finding was made, by its code.
        package var findings: [String: UInt64] = [:]
        /// How many connections never became a request, by the cause.
        package var breakages: [String: UInt64] = [:]

        package init() {}

        /// Adds what another journal counted; of what it held nothing remains.
        mutating func add(_ other: Statistics) {
            evicted += other.evicted
            accepted += other.accepted
            rejected += other.rejected
            faulted += other.faulted
            broken += other.broken
            answers.merge(other.answers) { $0 + $1 }
            findings.merge(other.findings) { $0 + $1 }
            breakages.merge(other.breakages) { $0 + $1 }
        }
    }

    /// A kind of answer that is counted by itself.
    package struct Answer: Sendable, Hashable {
        package let outcome: JournalEntry.Outcome
        package let status: UInt16
        package let reason: Reason?
        package let pushType: PushType?

        package init(outcome: JournalEntry.Outcome, status: UInt16, reason: Reason?, pushType: PushType?) {
            self.outcome = outcome
            self.status = status
            self.reason = reason
            self.pushType = pushType
        }
    }

    /// The counters now.
    package var statistics: Statistics { state.withLock { $0.statistics } }
}

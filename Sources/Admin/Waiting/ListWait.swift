import Simulation

/// A list call that waits: its question, and what has matched so far.
struct ListWait: WaitingCall {
    private let question: ListQuestion
    private let reply: (ListResult) -> Void
    /// Nil for a plain list.
    private var machine: WaitMachine?
    let scratch = MatchScratch()
    private var matches: MatchCollection
    private var startedAt: Int64 = 0
    /// What the journal held when the call came.
    private var oldest: UInt64 = 0
    private var truncated = false
    /// Every match up to this number has been counted.
    private var accounted: UInt64 = 0

    /// A call that has not begun; `reply` is called with its result.
    init(_ question: ListQuestion, reply: @escaping (ListResult) -> Void) {
        self.question = question
        self.reply = reply
        machine = question.expectation.map { WaitMachine($0) }
        matches = question.collection
    }

    var after: UInt64 { question.after }
    var followed: Matcher { question.filter.matcher }

    var waits: Bool { question.expectation?.wait ?? 0 > 0 }

    mutating func see(_ entry: JournalEntry) {
        if followed.matches(entry, scratch: scratch) { matches.add(entry) }
    }

    mutating func start(_ snapshot: Journal.Snapshot, now: Int64) -> WaitMachine.Action {
        startedAt = now
        oldest = snapshot.oldest
        truncated = snapshot.truncated
        accounted = snapshot.cursor
        return machine?.start(matches: matches.count, isTruncated: truncated, now: now) ?? .finish(.met)
    }

    mutating func take(_ entry: JournalEntry, now: Int64) -> WaitMachine.Action {
        matches.add(entry)
        return machine?.receive(.match, now: now) ?? .none
    }

    mutating func receive(_ event: WaitMachine.Event, now: Int64) -> WaitMachine.Action {
        machine?.receive(event, now: now) ?? .none
    }

    mutating func account(for cursor: UInt64) { accounted = cursor }

    func finish(_ verdict: WaitMachine.Verdict, now: Int64) {
        reply(
            ListResult(
                matches: matches, cursor: max(accounted, matches.lastSeq), oldest: oldest, truncated: truncated,
                verdict: verdict, waitedMilliseconds: now - startedAt))
    }
}

import Simulation

/// One call that waits: its question, what has matched so far, and whom to tell.
struct Waiter {
    let question: ListQuestion
    let journal: Journal
    let follower: Journal.Follower
    let startedAt: Int64
    let reply: (ListResult) -> Void
    var machine: WaitMachine
    var matches: MatchCollection
    /// What the journal held when the call came.
    let oldest: UInt64
    let truncated: Bool
    /// Every match up to this number has been counted.
    var accounted: UInt64
    var timer: (any AdminTimer)?

    /// The result as it stands.
    func result(_ verdict: WaitMachine.Verdict, now: Int64) -> ListResult {
        ListResult(
            matches: matches, cursor: max(accounted, matches.lastSeq), oldest: oldest, truncated: truncated,
            verdict: verdict, waitedMilliseconds: now - startedAt)
    }
}

import Simulation

/// A call that waits: what it follows, and how it judges what arrives. Confined to the loop of its ``WaitRoom``.
protocol WaitingCall {
    /// Entries up to this number are not meant.
    var after: UInt64 { get }
    /// The entries that it is told of.
    var followed: Matcher { get }

    /// Whether it goes on with what arrives later.
    var waits: Bool { get }
    /// What counts the steps of its matchers.
    var scratch: MatchScratch { get }

    /// Takes an entry that the journal holds; it may be one that is not meant.
    mutating func see(_ entry: JournalEntry)
    /// Begins, when all that the journal holds was seen.
    mutating func start(_ snapshot: Journal.Snapshot, now: Int64) -> WaitMachine.Action
    /// Takes a new entry that ``followed`` means.
    mutating func take(_ entry: JournalEntry, now: Int64) -> WaitMachine.Action
    /// Takes what is no entry.
    mutating func receive(_ event: WaitMachine.Event, now: Int64) -> WaitMachine.Action
    /// Notes that everything up to this number was given in.
    mutating func account(for cursor: UInt64)
    /// Answers; called once.
    func finish(_ verdict: WaitMachine.Verdict, now: Int64)
}

import Simulation

/// A call that waits: what it follows, and how it judges what arrives. Confined to the loop of its ``WaitRoom``.
protocol WaitingCall {
    /// Entries up to this number are not meant.
    var after: UInt64 { get }
    /// The entries that it is told of.
    var followed: Matcher { get }

    /// Begins with what the journal holds.
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

/// What the script makes of one request.
struct ScriptVerdict {
    /// What the entry records of it.
    var use: JournalEntry.RuleUse
    /// What becomes of the request; nil when it only waits.
    var outcome: RuleOutcome?
    /// How long its answer waits, in milliseconds.
    var delay: Int64
    /// The rules that touched it, by their numbers; none for a magic token.
    var rules: [UInt64] = []
    /// The script's generation when it was asked.
    var generation: UInt64
}

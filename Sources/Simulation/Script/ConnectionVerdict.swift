/// What the script makes of a connection.
package struct ConnectionVerdict: Sendable {
    /// When a connection is asked about.
    package enum Moment: Sendable {
        /// It was accepted; nothing is known but its addresses.
        case accepted
        /// TLS is agreed on.
        case established
        /// Its first request has come, before which nothing was known of it; HTTP/1.1 only.
        case firstRequest
    }

    package let fault: RuleFault
    /// The rule that fired.
    package let use: JournalEntry.RuleUse
    /// What holds the connection as the fault left it, until its rule goes.
    package let answer: ScriptedAnswer
    /// For the journal, when the fault ends the connection.
    package let entry: JournalEntry?
}

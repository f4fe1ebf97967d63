package import HTTP

/// What the server does about one request; the connection carries it out.
package struct Decision: Sendable {
    /// What becomes of the stream.
    package enum Action: Sendable {
        /// Send `response`.
        case respond
        /// Give `response` late, broken or not at all, as the script says.
        case perform(ScriptedAnswer)
        /// Send nothing: a fault that the connection has met keeps the answer back.
        case withhold
    }

    /// The entry for the journal, not yet numbered.
    package var entry: JournalEntry
    /// The answer, also when `action` never sends it.
    package var response: HTTPResponse
    /// What to do.
    package var action: Action
    /// A new MAX_CONCURRENT_STREAMS to announce before the answer (`--initial-streams`).
    package var maxConcurrentStreams: UInt32?

    package init(
        entry: JournalEntry, response: HTTPResponse, action: Action = .respond, maxConcurrentStreams: UInt32? = nil
    ) {
        self.entry = entry
        self.response = response
        self.action = action
        self.maxConcurrentStreams = maxConcurrentStreams
    }
}

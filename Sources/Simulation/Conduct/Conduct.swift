package import APNs

/// Watches a sender's conduct over time: takes entries in the order of their numbers and says what is remarkable.
///
/// A pure fold over the journal: nothing of it is on the way of a push. It is made anew for each report.
package struct Conduct {
    /// Something remarkable, and the entry that shows it.
    package struct Remark {
        package let code: FindingCode
        package let message: String
    }

    private var tokens = TokenTracker()
    private var connections: ConnectionTracker
    private var resends = ResendTracker()
    private var duplicates = DuplicateTracker()
    private var activities = ActivityTracker()

    /// A watch that has seen nothing. `closedBySender` says when the sender closed a connection, by its number; nil for one
    /// that is open, that the server ended, or of which nothing is known.
    package init(closedBySender: @escaping @Sendable (UInt64) -> Int64? = { _ in nil }) {
        connections = ConnectionTracker(closedBySender: closedBySender)
    }

    /// Takes the next entry and returns what it shows.
    package mutating func see(_ entry: JournalEntry) -> [Remark] {
        guard entry.content.outcome != .broken else { return Self.breakage(entry) }
        let facts = ConductFacts(entry)
        // What `send` was told to send says nothing of anybody's sender.
        guard !facts.isOwn else { return [] }
        var remarks: [Remark] = []
        tokens.see(facts, &remarks)
        connections.see(facts, &remarks)
        guard entry.content.kind == .device else { return remarks }
        resends.see(facts, &remarks)
        duplicates.see(facts, &remarks)
        activities.see(facts, &remarks)
        return remarks
    }

    private static func breakage(_ entry: JournalEntry) -> [Remark] {
        guard let breakage = entry.content.breakage else { return [] }
        switch breakage.cause {
        case "refused": return [Remark(code: .streamsBeyondLimit, message: breakage.explanation)]
        case "goaway": return [Remark(code: .streamAfterGoAway, message: breakage.explanation)]
        default: return []
        }
    }
}

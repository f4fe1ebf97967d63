extension JournalEntry {
    /// Where an entry comes from that was read, out of an inspection log or an export, and not received.
    package struct Restored: Sendable, Equatable {
        /// The id that it had, and keeps.
        package let id: String
        /// Whether its header fields are those that arrived. The log leaves them out of accepted pushes; those are made of
        /// the other members then.
        package let hasHeaders: Bool

        package init(id: String, hasHeaders: Bool) {
            self.id = id
            self.hasHeaders = hasHeaders
        }
    }
}

extension JournalEntry.Content {
    /// Where the entry was read from; nil for all that this server received.
    package var restored: JournalEntry.Restored? {
        get { rareBox?.value.restored }
        set { if newValue != nil || rareBox != nil { rare.restored = newValue } }
    }
}

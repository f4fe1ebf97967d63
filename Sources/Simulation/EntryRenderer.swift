package import JSON

/// Writes an entry as the JSON object that the inspection log and the admin API share.
package struct EntryRenderer: Sendable {
    /// The base URL of the admin API for `links.ui`; nil when there is none.
    package var adminBase: String?
    /// The instance that ids begin with.
    package var instance: String

    package init(instance: String, adminBase: String?) {
        self.instance = instance
        self.adminBase = adminBase
    }

    /// Adds the entry as one value.
    package func write(_ entry: JournalEntry, to writer: inout JSONWriter) { fatalError("contract") }

    /// The entry's id, "n_…"; it holds the number, so that an id finds its entry without a table.
    package func id(of entry: JournalEntry) -> String { fatalError("contract") }
}

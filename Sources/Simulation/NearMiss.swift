/// An entry that almost is what a test expected.
package struct NearMiss: Sendable {
    package let entry: JournalEntry
    /// Field by field.
    package let comparison: Matcher.Comparison

    /// Whether the push is the one that was expected, but was refused or lost.
    package var isOnlyRefused: Bool {
        entry.content.outcome != .accepted && comparison.differ.allSatisfy { $0.field == "outcome" }
    }
}

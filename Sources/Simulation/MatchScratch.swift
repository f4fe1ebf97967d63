import HTTP
import JSON

/// The payload that was read last, so that several conditions on one entry read it once.
package final class MatchScratch {
    private var document = JSONDocument()
    private var entry: JournalEntry?

    package init() {}

    /// The entry's payload; nil when it is not JSON.
    func document(of entry: JournalEntry) -> JSONDocument? {
        if self.entry !== entry {
            self.entry = entry
            _ = document.parse(entry.content.request.storage, in: entry.content.request.bodyRange)
        }
        return document.isValid ? document : nil
    }

    /// Lets go of the entry.
    func forget() {
        entry = nil
    }
}

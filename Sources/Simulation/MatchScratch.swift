import APNs
import HTTP
import JSON

/// The payload that was read last, so that several conditions on one entry read it once; and the budget of what asks them.
///
/// Everything that matching does is charged here where it is done, in steps: about one for each byte or state that is looked
/// at. When the budget is spent, whatever is asked is answered with no at once, and whoever asked must look at ``isSpent``.
package final class MatchScratch {
    private var document = JSONDocument()
    private var entry: JournalEntry?
    /// How many steps were taken.
    package private(set) var steps = 0
    /// How many may be taken.
    package private(set) var limit: Int
    /// What the sender's conduct showed, by the numbers of the entries; empty unless a condition asks for findings.
    package var remarks: [UInt64: [Conduct.Remark]] = [:]

    /// A scratch whose questions may take so many steps.
    package init(limit: Int = MatchCost.queryLimit) {
        self.limit = limit
    }

    /// Whether there was more to do than the budget allows; what was answered since is worth nothing.
    package var isSpent: Bool { steps > limit }

    /// Takes steps out of the budget.
    func charge(_ count: Int) { steps &+= count }

    /// Begins with a new budget.
    package func begin(limit: Int) {
        steps = 0
        self.limit = limit
    }

    /// The codes of an entry's findings and their severities, of the request itself and of the sender's conduct.
    func findings(of entry: JournalEntry) -> Set<String> {
        let codes = entry.content.findings.map(\.code) + (remarks[entry.seq] ?? []).map(\.code)
        return Set(codes.flatMap { [$0.code.description, $0.severity.rawValue] })
    }

    /// The entry's payload; nil when it is not JSON.
    func document(of entry: JournalEntry) -> JSONDocument? {
        if self.entry !== entry {
            self.entry = entry
            let body = entry.content.request.bodyRange
            charge(body.count)
            if isSpent {
                self.entry = nil
                return nil
            }
            _ = document.parse(entry.content.request.storage, in: body)
        }
        return document.isValid ? document : nil
    }

    /// Lets go of the entry.
    func forget() {
        entry = nil
    }
}

import Simulation

/// An entry that almost matched: where it agrees with the question, and where it differs.
struct NearMiss: Sendable {
    let entry: JournalEntry
    let agree: [String]
    let differ: [Matcher.Comparison.Difference]

    /// Compares an entry with a question; nil when they have nothing in common.
    init?(_ entry: JournalEntry, _ question: ListQuestion, _ scratch: MatchScratch) {
        let comparison = question.filter.asked.compare(entry, scratch: scratch)
        var differ = comparison.differ
        if question.subject == .notifications, entry.content.outcome != .accepted {
            // What never became a request agrees with nobody's filters.
            if entry.content.outcome == .broken { return nil }
            differ.append(.init(field: Self.outcome, expected: "accepted", actual: entry.outcomeText))
        }
        if differ.isEmpty || comparison.agree.isEmpty && differ.count > 1 { return nil }
        self.entry = entry
        agree = comparison.agree
        self.differ = differ
    }

    /// The nearest of these entries, nearest first: the fewest differences, then the most telling agreement,
    /// then the newest.
    static func nearest(
        to question: ListQuestion, among entries: some Sequence<JournalEntry>, limit: Int,
        _ scratch: MatchScratch = MatchScratch()
    ) -> [NearMiss] {
        var best: [NearMiss] = []
        scratch.begin(limit: AdminLimits.explainingSteps)
        for entry in entries {
            let miss = NearMiss(entry, question, scratch)
            if scratch.isSpent { break }
            guard let miss else { continue }
            let place = best.firstIndex { miss.isNearer(than: $0) } ?? best.count
            if place < limit { best.insert(miss, at: place) }
            if best.count > limit { best.removeLast() }
        }
        return best
    }

    /// In how many of the asked fields it differs; a push that matches and was refused is at 0.
    var distance: Int { asked.count }

    /// The asked fields that differ.
    var asked: [Matcher.Comparison.Difference] { differ.filter { $0.field != Self.outcome } }

    /// The field that nobody asks for in so many words.
    private static let outcome = "outcome"

    /// How much the agreement says: the same device is rarer than the same text, and that rarer than the same topic.
    private var weight: Int {
        agree.reduce(0) { sum, field in
            switch field {
            case "device", "apnsId": sum + 4
            default: sum + (field.contains(".") ? 2 : 1)
            }
        }
    }

    private func isNearer(than other: NearMiss) -> Bool {
        if distance != other.distance { return distance < other.distance }
        if weight != other.weight { return weight > other.weight }
        return entry.seq > other.entry.seq
    }
}

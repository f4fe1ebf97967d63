/// How near an entry comes to what is meant.
extension Matcher {
    /// What a comparison of one entry says: the fields that agree, and those that differ with both values.
    package struct Comparison: Sendable {
        /// A field whose value is not the one that was asked for.
        package struct Difference: Sendable, Equatable {
            package var field: String
            package var expected: String
            /// The value, for people; "none" when the entry has none.
            package var actual: String

            package init(field: String, expected: String, actual: String) {
                self.field = field
                self.expected = expected
                self.actual = actual
            }
        }
        package var agree: [String] = []
        package var differ: [Difference] = []

        package init() {}
    }

    /// How many bytes of a value a comparison shows.
    package static let shownValueLimit = 120

    /// Field by field.
    package func compare(_ entry: JournalEntry, scratch: MatchScratch = MatchScratch()) -> Comparison {
        var comparison = Comparison()
        for condition in conditions {
            if condition.predicate.holds(of: entry, scratch) {
                comparison.agree.append(condition.name)
            } else {
                comparison.differ.append(
                    .init(
                        field: condition.name, expected: condition.text,
                        actual: condition.predicate.shownValue(of: entry, scratch)))
            }
        }
        return comparison
    }
}

extension Predicate {
    /// The value that decided, for people.
    fileprivate func shownValue(of entry: JournalEntry, _ scratch: MatchScratch) -> String {
        switch self {
        case .all(let parts):
            (parts.first { !$0.holds(of: entry, scratch) } ?? parts.first)?.shownValue(of: entry, scratch) ?? "none"
        case .any(let parts): parts.first?.shownValue(of: entry, scratch) ?? "none"
        case .not(let part): part.shownValue(of: entry, scratch)
        case .field(.outcome, _): entry.outcomeText
        case .field(.receivedAt, _): TimeText.text(seconds: entry.content.receivedAt / 1000)
        case .field(let field, _):
            field.withValue(of: entry, scratch) { kind, text in
                guard kind != .absent else { return "none" }
                let shown = text.extracting(first: Matcher.shownValueLimit).string
                return text.count > Matcher.shownValueLimit ? shown + "…" : shown
            }
        }
    }
}

extension JournalEntry {
    /// How the entry ended, for people: `accepted`, `rejected: 403 ExpiredProviderToken`, `broken: tls`.
    package var outcomeText: String {
        switch content.outcome {
        case .accepted: return "accepted"
        case .broken: return "broken" + (content.breakage.map { ": " + $0.cause } ?? "")
        case .rejected, .faulted:
            let status = content.status == 0 ? nil : String(content.status)
            let fault = content.outcome == .faulted ? content.rule?.outcome : nil
            let answer = [status, content.reason?.word, fault].compactMap { $0 }.joined(separator: " ")
            return content.outcome.rawValue + (answer.isEmpty ? "" : ": " + answer)
        }
    }
}

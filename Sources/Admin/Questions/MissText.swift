import APNs
import Simulation

/// An unmet expectation as a text for the output of a failed test: aligned, and no longer than needed.
struct MissText {
    private let report: MissReport

    /// The longest value that is shown whole.
    private static let valueLimit = 72

    init(_ report: MissReport) {
        self.report = report
    }

    /// The text, with a line feed at its end.
    var text: String {
        var lines = [report.question.expectation == nil ? headline : "expectation not met: " + headline] + evidence
        lines.append("seen since: \(report.seen.words)")
        if let hint = report.hint { lines.append("hint: \(hint)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The entries that tell why.
    var evidence: [String] {
        var lines: [String] = []
        for (index, entry) in report.surplus.enumerated() {
            let note = index == report.surplus.count - 1 ? "   one too many" : ""
            lines.append("  match   \(summary(entry))   \(report.renderer.id(of: entry))\(note)")
        }
        for (index, miss) in report.nearMisses.enumerated() {
            lines.append("  \(index == 0 ? "closest" : "next   ") \(summary(miss.entry))")
            lines += fields(miss)
        }
        return lines
    }

    /// What was wanted and what came.
    private var headline: String { "\(contrast)          since cursor \(report.question.after)" }

    /// "exactly 1 notification, got 2 within 5 s".
    var contrast: String {
        guard let expectation = report.question.expectation else { return report.title }
        let number = expectation.amount.number
        var wanted = "\(number) \(report.question.subject.noun(number))"
        if case .exactly = expectation.amount {
            wanted = number == 0 ? "no \(report.question.subject.noun(1))" : "exactly " + wanted
        }
        var got = "got \(report.result.matches.count)"
        if let wait = expectation.wait {
            let isSurplus = report.result.verdict == .tooMany
            got +=
                isSurplus
                ? " after \(DurationText.words(report.result.waitedMilliseconds))"
                : " within \(DurationText.words(wait))"
        }
        return "\(wanted), \(got)"
    }

    /// "#1046  REJECTED 400 DeviceTokenNotForTopic".
    private func summary(_ entry: JournalEntry) -> String {
        let content = entry.content
        var words = ["#\(entry.seq) ", content.outcome.rawValue.uppercased()]
        if content.outcome != .accepted {
            if content.status != 0 { words.append(String(content.status)) }
            if let reason = content.reason { words.append(reason.spelling().description) }
        }
        return words.joined(separator: " ")
    }

    private func fields(_ miss: NearMiss) -> [String] {
        let differ = report.question.subject == .notifications ? miss.asked : miss.differ
        let expected = report.question.filter.asked.description
        let width = (miss.agree + differ.map(\.field)).map(\.count).max() ?? 0
        let wantedWidth = differ.map { shortened($0.expected).count }.max() ?? 0
        let agreeing = miss.agree.map { field in
            let value = expected.first { $0.field == field }?.value ?? ""
            return "    \(padded(field, width))  ok   \(shortened(value))"
        }
        return agreeing
            + differ.map { difference in
                "    \(padded(difference.field, width))  NO   wanted \(padded(shortened(difference.expected), wantedWidth))"
                    + "   got \(shortened(difference.actual))"
            }
    }

    private func shortened(_ value: String) -> String {
        value.count > Self.valueLimit ? value.prefix(Self.valueLimit - 1) + "…" : value
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

import Simulation

/// A failed verification as a text for the output of a failed test.
struct VerifyText {
    private let report: VerifyReport

    init(_ report: VerifyReport) {
        self.report = report
    }

    /// The text, with a line feed at its end.
    var text: String {
        var lines = ["verification failed: \(report.title)          since cursor \(report.question.after)"]
        for failure in report.failures {
            guard let miss = failure.report.map(MissText.init) else {
                lines.append("\(failure.name): \(failure.title)")
                continue
            }
            lines.append("\(failure.name): \(miss.contrast)")
            lines += miss.evidence
        }
        if let order = report.order {
            lines.append("order:")
            lines += order.text.split(separator: "\n").map { "  " + $0 }
        }
        lines += section("others, which no expectation means", report.result.others)
        lines += section("refusals", report.result.rejections)
        lines += section("findings", report.result.findings)
        if let hint = report.hint { lines.append("hint: \(hint)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ title: String, _ kept: MatchCollection) -> [String] {
        guard kept.count > 0 else { return [] }
        let rows = EntryLines(kept.items).text.split(separator: "\n").map { "  " + $0 }
        let rest = kept.count - kept.items.count
        return ["\(title): \(kept.count)"] + rows + (rest > 0 ? ["  and \(rest) more"] : [])
    }
}

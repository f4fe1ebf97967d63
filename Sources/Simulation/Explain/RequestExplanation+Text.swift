import APNs
import HTTP

/// An explanation for people.
extension RequestExplanation {
    /// The answer, every check in order, the findings, and where the bytes go.
    package var text: String {
        let style = TextStyle(isColored: false)
        var text = "would be \(isAccepted ? "accepted" : "REFUSED"): \(response.status)"
        if let first = content.failures.first {
            let fix = first.remedy
            text += " \(spelling(first.reason))\n  \(first.explanation)\n  \(fix)"
        }
        text += "\n"
        if let rule = content.rule { text += "  the rule \(rule.id) fires: \(rule.outcome ?? "")\n" }
        for (check, verdict) in checks { text += line(check, verdict) }
        for finding in content.findings {
            text +=
                "\(finding.code.severity.rawValue) \(finding.code.code)  \(finding.message)\n  \(finding.fix)\n"
        }
        let parts = sizes.parts
        if !parts.isEmpty {
            text += PayloadSizeTable(
                parts, bytes: content.request.bodyBytesReceived, limit: content.payloadLimit
            ).text(style)
        }
        return text
    }

    private func line(_ check: Check, _ verdict: Verdict) -> String {
        let name = check.name.description
        switch verdict {
        case .passed: return "  ok  \(name)\n"
        case .notMade: return "  -   \(name)\n"
        case .failed(let failure):
            let begin = "  NO  \(name.padded(to: Self.nameWidth))  "
            return begin + "expected \(failure.expected), found \(failure.actual)\n"
        }
    }

    private static let nameWidth = 22
}

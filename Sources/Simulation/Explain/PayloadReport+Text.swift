package import APNs
import JSON

/// A report for people.
extension PayloadReport {
    /// The verdict in a line, then what there is to say, then where the bytes go when that is asked for or close to the limit.
    package func text(file: String, withSizes: Bool, _ style: TextStyle) -> String {
        var text = "\(style.bold(file.withVisibleControls))  \(verdict(style))  \(style.dim(summary))\n"
        for line in lines(style) { text += line }
        let isNearLimit = bytes * 100 > limit * PayloadRules.sizeAdvicePercent
        if withSizes || isNearLimit, !parts.isEmpty {
            text += PayloadSizeTable(parts, bytes: bytes, limit: limit).text(style)
        }
        return text
    }

    private func verdict(_ style: TextStyle) -> String {
        guard let first = failures.first else { return style.good("ok") }
        return style.bad("REFUSED \(first.reason.status) \(first.reason.spelling(documented: false))")
    }

    private var summary: String {
        // The line feed at the end of most files is not worth a word.
        let compact = bytes - compactBytes > 1 ? ", \(compactBytes) without white space" : ""
        return "\(pushType.rawValue)\(isTypeInferred ? " (inferred)" : ""), \(bytes) of \(limit) bytes\(compact)"
    }

    /// What there is to say, a line or two for each: first the checks that fail beside the payload's contents, then the
    /// findings.
    private func lines(_ style: TextStyle) -> [String] {
        let checks = failures.filter { $0.check != .payload && $0.check != .payloadKeys }.map { failure in
            line(
                nil, style.error("error  "), failure.check.name.description, failure.explanation,
                failure.fix ?? failure.reason.row.fix.description, style)
        }
        return checks
            + remarks.sorted { ($0.place ?? .none) < ($1.place ?? .none) }.map { remark in
                let code = remark.finding.code
                let severity =
                    switch code.severity {
                    case .error: style.error("error  ")
                    case .warning: style.warning("warning")
                    }
                // Where it is not JSON is said before the message.
                let message = code == .payloadNotJSON ? fault.map { "not JSON: \($0.message)" } : nil
                return line(
                    remark.place, severity, code.code.description, message ?? remark.finding.message,
                    remark.finding.fix, style)
            }
    }

    private func line(
        _ place: Place?, _ severity: String, _ code: String, _ message: String, _ fix: String, _ style: TextStyle
    ) -> String {
        let shownPlace = place.map { "\($0.line):\($0.column)" } ?? "-"
        let begin = "  \(shownPlace.padded(to: Self.placeWidth))  "
        let indent = String(repeating: " ", count: begin.count + Self.severityWidth + 2)
        let shown = message.withVisibleControls
        return "\(style.dim(begin))\(severity)  \(shown)  \(style.dim(code))\n\(indent)\(style.dim(fix))\n"
    }

    private static let placeWidth = 6
    private static let severityWidth = 7
}

extension PayloadReport.Place: Comparable {
    /// The place of what has none.
    fileprivate static let none = Self(line: 0, column: 0)

    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension String {
    /// The text with what would move a terminal's cursor or turn the direction of writing shown by its number.
    var withVisibleControls: String {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text with blanks behind it up to a width; in front of it when the width is for numbers.
    func padded(to width: Int, left: Bool = false) -> String {
        let blanks = String(repeating: " ", count: Swift.max(0, width - count))
        return left ? blanks + self : self + blanks
    }
}

import APNs
import HTTP
import JSON
package import Simulation

/// Entries as lines for people, aligned.
package struct EntryLines {
    /// The lines, each with a line feed.
    package let text: String

    /// The longest summary of a payload, in characters.
    private static let summaryLimit = 100

    /// The lines of these entries.
    package init(_ entries: [JournalEntry]) {
        let rows = entries.map(Self.columns)
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        text = rows.map { row in
            row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
            }.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// Time, number, status, type, priority, topic, device, and what it says.
    private static func columns(_ entry: JournalEntry) -> [String] {
        let content = entry.content
        let time = clock(content.receivedAt)
        if let breakage = content.breakage {
            return [
                time, "#\(entry.seq)", "---", breakage.cause, "", "c\(content.connection.value.id)",
                content.connection.value.peer, breakage.explanation,
            ]
        }
        let status = content.status == 0 ? "---" : String(content.status)
        let type = content.pushType?.rawValue ?? "-"
        let topic = content.request.text(.apnsTopic) ?? content.defaultTopic ?? "-"
        let device = content.device.map { shortened(content.request.text(in: $0)) } ?? "-"
        let cells = [
            time, "#\(entry.seq)", status, type, String(content.priority), topic, device,
            story(content) + rule(content),
        ]
        return cells.map(oneLine)
    }

    /// The ends of a device token.
    private static func shortened(_ token: String) -> String {
        token.count > 12 ? token.prefix(6) + ".." + token.suffix(4) : token
    }

    /// What the push says, or why it was refused.
    private static func story(_ content: JournalEntry.Content) -> String {
        if let failure = content.failures.first {
            return [content.reason?.spelling().description, failure.explanation].compactMap(\.self).joined(
                separator: "  ")
        }
        var document = JSONDocument()
        guard document.parse(content.request.storage, in: content.request.bodyRange) == nil else { return "" }
        let texts = ["aps.alert.title", "aps.alert.body", "aps.alert"].compactMap { path in
            document.element(at: path).flatMap(document.string)
        }
        let story = texts.joined(separator: " - ")
        return story.count > summaryLimit ? story.prefix(summaryLimit - 1) + "…" : story
    }

    /// What a script did to it.
    private static func rule(_ content: JournalEntry.Content) -> String {
        guard let rule = content.rule else { return "" }
        let delay = rule.delayMilliseconds > 0 ? ", \(rule.delayMilliseconds) ms" : ""
        return "  [\(rule.id): \(rule.outcome ?? "touched")\(delay)]"
    }

    /// "09:30:00.123", UTC.
    private static func clock(_ milliseconds: Int64) -> String {
        let inDay = ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let parts = [digits(inDay / 3_600_000, 2), digits(inDay / 60_000 % 60, 2), digits(inDay / 1000 % 60, 2)]
        return parts.joined(separator: ":") + "." + digits(inDay % 1000, 3)
    }

    /// Line breaks and other control characters of a push must not break the table.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}

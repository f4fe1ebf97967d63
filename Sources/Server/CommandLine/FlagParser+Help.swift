extension FlagParser {
    /// The text of `--help`: how to call the command, what it does, and its flags by group.
    package func help(usage: String, summary: String, notes: String = "") -> String {
        var text = "usage: mock-apns \(usage)\n\n\(summary)\n"
        for group in groups {
            text += "\n\(group.title):\n"
            for flag in group.flags { text += Self.lines(for: flag) }
        }
        if !notes.isEmpty { text += "\n\(notes)\n" }
        return text
    }

    /// A flag's lines: how it is written, then its help from a fixed column on.
    private static func lines(for flag: Flag<Settings>) -> String {
        let column = 30
        var help = flag.help
        if flag.isRepeatable { help += " (repeatable)" }
        if !flag.defaultText.isEmpty { help += " [\(flag.defaultText)]" }
        let head = "  " + flag.usage
        let gap = String(repeating: " ", count: max(0, column - head.count))
        let indent = String(repeating: " ", count: column)
        let lines = wrap(help, width: 100 - column)
        let start = head.count + 2 > column ? head + "\n" + indent : head + gap
        return start + lines.joined(separator: "\n" + indent) + "\n"
    }

    /// Cuts a text into lines at its blanks.
    private static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        lines.append(line)
        return lines
    }

    /// README's table of the flags, one row each.
    package var markdownTable: String {
        var text = "| flag | default | meaning |\n| --- | --- | --- |\n"
        for flag in flags {
            let shown = flag.defaultText.isEmpty ? "" : "`\(flag.defaultText)`"
            let repeatable = flag.isRepeatable ? " (repeatable)" : ""
            let cells = ["`\(flag.usage)`", shown, flag.help + repeatable].map { $0.replacing("|", with: "\\|") }
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return text
    }
}

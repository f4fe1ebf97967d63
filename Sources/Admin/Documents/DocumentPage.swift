/// The reference as a page for browsers: the Markdown that is made from the route table, as HTML.
struct DocumentPage {
    private let markdown: String

    init(_ markdown: String) {
        self.markdown = markdown
    }

    /// The page.
    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>mock-apns admin API</title>
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
        code, pre { font-family: ui-monospace, monospace; font-size: .9em } pre { overflow-x: auto }
        table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0 }
        </style>
        </head>
        <body>
        <h1>The admin API</h1>
        \(body)</body>
        </html>

        """
    }

    /// What the reference uses of Markdown: headings, paragraphs, tables, fenced code.
    private var body: String {
        var html = ""
        var block: [Substring] = []
        var isCode = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if isCode {
                    html += "<pre>\(Self.escaped(block.joined(separator: "\n")))</pre>\n"
                } else {
                    html += Self.paragraph(block)
                }
                block = []
                isCode.toggle()
            } else if isCode {
                block.append(line)
            } else if line.hasPrefix("#") {
                let level = line.prefix { $0 == "#" }.count
                let title = line.dropFirst(level + 1)
                html +=
                    Self.paragraph(block)
                    + "<h\(level) id=\"\(Self.anchor(title))\">\(Self.inline(title))</h\(level)>\n"
                block = []
            } else if line.isEmpty {
                html += Self.paragraph(block)
                block = []
            } else {
                block.append(line)
            }
        }
        return html + Self.paragraph(block)
    }

    private static func paragraph(_ lines: [Substring]) -> String {
        guard let first = lines.first else { return "" }
        guard first.hasPrefix("|") else { return "<p>\(inline(lines.joined(separator: " ")))</p>\n" }
        let rows = lines.enumerated().filter { $0.offset != 1 }.map { index, line in
            let tag = index == 0 ? "th" : "td"
            let cells = cells(line).map { "<\(tag)>\(inline($0))</\(tag)>" }
            return "<tr>\(cells.joined())</tr>\n"
        }
        return "<table>\n\(rows.joined())</table>\n"
    }

    /// The cells of a row; a bar within code is part of a cell.
    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var isCode = false
        for character in line.dropFirst() {
            if character == "`" { isCode.toggle() }
            if character == "|", !isCode { cells.append("") } else { cells[cells.count - 1].append(character) }
        }
        return cells.dropLast().map(\.trimmed)
    }

    /// Code and links within a line.
    private static func inline(_ text: some StringProtocol) -> String {
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.enumerated().map { index, piece in
            index % 2 == 1 ? "<code>\(escaped(String(piece)))</code>" : linked(escaped(String(piece)))
        }.joined()
    }

    /// `[text](#place)`; links to elsewhere stay text.
    private static func linked(_ text: String) -> String {
        guard let open = text.firstIndex(of: "["), let middle = text[open...].firstRange(of: "](#"),
            let close = text[middle.upperBound...].firstIndex(of: ")")
        else { return text }
        let label = text[text.index(after: open)..<middle.lowerBound]
        return text[..<open] + "<a href=\"#\(text[middle.upperBound..<close])\">\(label)</a>"
            + linked(String(text[text.index(after: close)...]))
    }

    private static func anchor(_ title: Substring) -> String {
        String(
            title.lowercased().compactMap { character -> Character? in
                character == " " ? "-" : character.isLetter || character.isNumber || character == "-" ? character : nil
            })
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

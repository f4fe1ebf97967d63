import Foundation
import Server
import Testing

/// README's table of flags is the table of flags.
struct ReadmeTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "README.md")

    @Test func `README lists the flags of serve as the program knows them`() throws {
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- flags: made by `make readme` -->\n"))
        let end = try #require(text.range(of: "<!-- end of flags -->"))
        let expected = Configuration.parser.markdownTable
        if ProcessInfo.processInfo.environment["README_UPDATE"] != nil {
            text.replaceSubrange(start.upperBound..<end.lowerBound, with: expected)
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(text[start.upperBound..<end.lowerBound] == expected, "run `make readme`")
    }

    @Test func `a bar inside a cell is escaped`() {
        let rows = Configuration.parser.markdownTable.split(separator: "\n")
        #expect(rows.count == Configuration.parser.flags.count + 2)
        for row in rows { #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 4, "\(row)") }
    }
}

import APNs

/// Where the bytes of a payload go, as a table with bars for people.
struct PayloadSizeTable {
    private struct Row {
        let name: String
        let depth: Int
        let bytes: Int
        /// Whether it counts towards the sum, so that a bar shows its share.
        let hasBar: Bool
    }

    private let rows: [Row]
    private let bytes: Int
    private let limit: Int

    /// How many rows are shown of one object; the smallest are put together.
    private static let shownRows = 20
    /// How long the bar of all bytes is.
    private static let barWidth = 30
    /// How many characters of a name are shown.
    private static let nameWidth = 40

    init(_ parts: [PayloadSize.Part], bytes: Int, limit: Int) {
        self.bytes = bytes
        self.limit = limit
        let between = bytes - parts.reduce(0) { $0 + $1.bytes }
        rows = Self.rows(parts, depth: 0) + [Row(name: "{ } , and blanks", depth: 0, bytes: between, hasBar: true)]
    }

    private static func rows(_ parts: [PayloadSize.Part], depth: Int) -> [Row] {
        let sorted = parts.sorted { $0.bytes > $1.bytes }
        var rows: [Row] = []
        for part in sorted.prefix(shownRows) {
            // The path of the object around is above.
            let name = part.path.split(separator: ".", maxSplits: depth, omittingEmptySubsequences: false).last ?? ""
            rows.append(Row(name: shortened(unescaped(name)), depth: depth, bytes: part.bytes, hasBar: depth == 0))
            rows += Self.rows(part.parts, depth: depth + 1)
        }
        let rest = sorted.dropFirst(shownRows)
        if !rest.isEmpty {
            rows.append(
                Row(
                    name: "(\(rest.count) more)", depth: depth, bytes: rest.reduce(0) { $0 + $1.bytes },
                    hasBar: depth == 0))
        }
        return rows
    }

    /// A part of a path as the key is written: paths escape dots.
    private static func unescaped(_ name: Substring) -> String {
        String(name).replacing("\\.", with: ".").replacing("\\\\", with: "\\").withVisibleControls
    }

    private static func shortened(_ name: String) -> String {
        name.count > nameWidth ? name.prefix(nameWidth - 1) + "…" : name
    }

    /// The table, indented by four.
    func text(_ style: TextStyle) -> String {
        let names = rows.map { String(repeating: " ", count: $0.depth * 2) + $0.name }
        let nameWidth = max(names.map(\.count).max() ?? 0, 5)
        let numberWidth = String(bytes).count
        var text = ""
        for (row, name) in zip(rows, names) {
            let bar = row.hasBar ? "  " + style.dim(self.bar(row.bytes)) : ""
            text +=
                "    \(name.padded(to: nameWidth))  \(String(row.bytes).padded(to: numberWidth, left: true))\(bar)\n"
        }
        let left = limit - bytes
        let words = left >= 0 ? "\(left) left of \(limit)" : style.bad("\(-left) more than \(limit)")
        return text + "    \("total".padded(to: nameWidth))  \(bytes)  \(words)\n"
    }

    /// A bar for a share of all bytes; something for anything that is there.
    private func bar(_ part: Int) -> String {
        guard part > 0, bytes > 0 else { return "" }
        return String(repeating: "█", count: max(1, part * Self.barWidth / bytes))
    }
}

import Simulation

/// Entries as lines, made a piece at a time.
///
/// They are those that were held at the begin; the journal goes on meanwhile, and evicts none of them from here.
struct ExportLines {
    /// From how many bytes on a piece is handed out.
    static let pieceBytes = 64 << 10

    private let matcher: Matcher
    private let renderer: EntryRenderer
    private let scratch = MatchScratch()
    private var entries: JournalEntries.Iterator

    init(_ snapshot: Journal.Snapshot, matching matcher: Matcher, _ renderer: EntryRenderer) {
        self.matcher = matcher
        self.renderer = renderer
        entries = snapshot.entries.makeIterator()
        scratch.remarks = snapshot.remarks
    }

    /// The next lines; nil when there are no more.
    mutating func next() -> [UInt8]? {
        var lines = RenderScratch()
        while lines.buffer.count < Self.pieceBytes, let entry = entries.next() {
            guard matcher.matches(entry, scratch: scratch) else { continue }
            renderer.write(entry, to: &lines)
            lines.buffer.append("\n")
        }
        return lines.buffer.count == 0 ? nil : unsafe lines.buffer.withBytes { unsafe Array($0) }
    }
}

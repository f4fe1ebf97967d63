/// Entries in ascending order of their numbers, kept in runs.
///
/// Copying the collection copies no entry: a reader takes it under the journal's lock in a moment and looks through it
/// outside, while the journal goes on with runs of its own.
package struct JournalEntries: BidirectionalCollection, Sendable {
    /// A place in the collection.
    package struct Index: Comparable, Sendable {
        let run: Int
        let offset: Int

        package static func < (left: Index, right: Index) -> Bool {
            (left.run, left.offset) < (right.run, right.offset)
        }
    }

    /// How many entries a run holds at most.
    static let runLength = 128

    /// None of them is empty.
    private var runs: [[JournalEntry]] = []
    /// How many entries there are.
    package private(set) var count = 0

    /// No entries.
    package init() {}

    /// These entries, whose numbers must ascend.
    package init(_ entries: some Sequence<JournalEntry>) {
        for entry in entries { append(entry) }
    }

    package var isEmpty: Bool { count == 0 }
    package var startIndex: Index { Index(run: 0, offset: 0) }
    package var endIndex: Index { Index(run: runs.count, offset: 0) }

    package func index(after index: Index) -> Index {
        index.offset + 1 < runs[index.run].count
            ? Index(run: index.run, offset: index.offset + 1) : Index(run: index.run + 1, offset: 0)
    }

    package func index(before index: Index) -> Index {
        index.offset > 0
            ? Index(run: index.run, offset: index.offset - 1)
            : Index(run: index.run - 1, offset: runs[index.run - 1].count - 1)
    }

    package subscript(index: Index) -> JournalEntry { runs[index.run][index.offset] }

    /// The entry of this number.
    func entry(seq: UInt64) -> JournalEntry? {
        let index = firstIndex(after: seq &- 1)
        guard seq > 0, index != endIndex, self[index].seq == seq else { return nil }
        return self[index]
    }

    /// The entries with higher numbers.
    func after(_ seq: UInt64) -> JournalEntries {
        let index = firstIndex(after: seq)
        guard index != startIndex else { return self }
        var result = JournalEntries()
        guard index.run < runs.count else { return result }
        result.runs = Array(runs[index.run...])
        if index.offset > 0 { result.runs[0].removeFirst(index.offset) }
        result.count = result.runs.reduce(0) { $0 + $1.count }
        return result
    }

    /// Adds an entry with a higher number than all others.
    mutating func append(_ entry: JournalEntry) {
        if runs.isEmpty || runs[runs.count - 1].count == Self.runLength {
            var run: [JournalEntry] = []
            run.reserveCapacity(Self.runLength)
            runs.append(run)
        }
        runs[runs.count - 1].append(entry)
        count += 1
    }

    /// Takes the oldest entry out.
    mutating func popFirst() -> JournalEntry? {
        guard !runs.isEmpty else { return nil }
        let entry = runs[0].removeFirst()
        if runs[0].isEmpty { runs.removeFirst() }
        count -= 1
        return entry
    }

    private func firstIndex(after seq: UInt64) -> Index {
        // Most questions are about the newest entries, and a run is short, so two searches by halves are all.
        let run = Self.firstPlace(in: 0..<runs.count) { runs[$0][runs[$0].count - 1].seq > seq }
        guard run < runs.count else { return endIndex }
        let offset = Self.firstPlace(in: 0..<runs[run].count) { runs[run][$0].seq > seq }
        return Index(run: run, offset: offset)
    }

    /// The first place of which the condition holds, when it holds of all behind.
    private static func firstPlace(in range: Range<Int>, where condition: (Int) -> Bool) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if condition(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Entries in ascending order of their numbers: the older ones in slabs, the youngest as objects.
///
/// Copying the collection copies no entry: a reader takes it under the journal's lock in a moment and looks through it
/// outside, while the journal goes on. Only the journal changes its own (``JournalStore``), as copies share the slabs.
package struct JournalEntries: BidirectionalCollection, Sendable {
    /// A place in the collection; the young entries are the run behind the slabs.
    package struct Index: Comparable, Sendable {
        let run: Int
        let offset: Int

        package static func < (left: Index, right: Index) -> Bool {
            (left.run, left.offset) < (right.run, right.offset)
        }
    }

    /// The entries of a slab that are held.
    struct Run {
        var slab: EntrySlab
        var range: Range<Int>
    }

    /// None of them is empty.
    var runs: [Run] = []
    /// The entries that came last.
    var young: [JournalEntry] = []
    /// What the journal says of entries now that it said something else of before, by their numbers.
    var revised: [UInt64: JournalEntry] = [:]
    /// How many entries there are.
    package var count = 0

    /// No entries.
    package init() {}

    package var isEmpty: Bool { count == 0 }

    package var startIndex: Index { Index(run: 0, offset: runs.first?.range.lowerBound ?? 0) }

    package var endIndex: Index { Index(run: runs.count, offset: young.count) }

    package func index(after index: Index) -> Index {
        let next = index.offset + 1
        guard index.run < runs.count, next == runs[index.run].range.upperBound else {
            return Index(run: index.run, offset: next)
        }
        return start(ofRun: index.run + 1)
    }

    package func index(before index: Index) -> Index {
        if index.offset > start(ofRun: index.run).offset { return Index(run: index.run, offset: index.offset - 1) }
        return Index(run: index.run - 1, offset: runs[index.run - 1].range.upperBound - 1)
    }

    package subscript(index: Index) -> JournalEntry {
        if !revised.isEmpty, let entry = revised[seq(at: index)] { return entry }
        return index.run < runs.count ? runs[index.run].slab.entry(at: index.offset) : young[index.offset]
    }

    /// The lowest number.
    var firstSeq: UInt64? { isEmpty ? nil : seq(at: startIndex) }

    /// The highest number.
    var lastSeq: UInt64? { isEmpty ? nil : seq(at: index(before: endIndex)) }

    /// The entry of this number.
    func entry(seq: UInt64) -> JournalEntry? {
        guard seq > 0 else { return nil }
        let index = firstIndex(after: seq - 1)
        guard index != endIndex, self.seq(at: index) == seq else { return nil }
        return self[index]
    }

    /// The entries with higher numbers.
    func after(_ seq: UInt64) -> JournalEntries {
        let index = firstIndex(after: seq)
        guard index != startIndex else { return self }
        var result = JournalEntries()
        if index.run < runs.count {
            result.runs = Array(runs[index.run...])
            result.runs[0].range = index.offset..<result.runs[0].range.upperBound
            result.young = young
        } else {
            result.young = Array(young[index.offset...])
        }
        result.revised = revised
        result.count = result.runs.reduce(result.young.count) { $0 + $1.range.count }
        return result
    }

    private func seq(at index: Index) -> UInt64 {
        index.run < runs.count ? runs[index.run].slab.seq(at: index.offset) : young[index.offset].seq
    }

    private func start(ofRun run: Int) -> Index {
        Index(run: run, offset: run < runs.count ? runs[run].range.lowerBound : 0)
    }

    private func firstIndex(after seq: UInt64) -> Index {
        // Most questions are about the newest entries, and a run is short, so two searches by halves are all.
        let run = Self.firstPlace(in: 0..<runs.count) {
            runs[$0].slab.seq(at: runs[$0].range.upperBound - 1) > seq
        }
        guard run < runs.count else {
            return Index(run: run, offset: Self.firstPlace(in: 0..<young.count) { young[$0].seq > seq })
        }
        return Index(run: run, offset: Self.firstPlace(in: runs[run].range) { runs[run].slab.seq(at: $0) > seq })
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

/// The journal's entries and the memory that they lie in; the one that changes them.
struct JournalStore: ~Copyable {
    /// How many entries may wait for their answers before the oldest goes into a slab as it is.
    static let youngLimit = 1024

    /// What is held.
    private(set) var entries = JournalEntries()
    /// What the entries cost together.
    private(set) var bytes = 0
    /// A slab for the next entries: the memory of those that were evicted last.
    private var spare: EntrySlab?

    /// Adds entries with higher numbers than all others. They stay objects until they are answered, which is before the
    /// next entries come as a rule.
    mutating func append(_ batch: [JournalEntry]) {
        settle()
        // The array itself when it can be, as then no entry is retained once more.
        if entries.young.isEmpty { entries.young = batch } else { entries.young.append(contentsOf: batch) }
        entries.count += batch.count
        for entry in batch { bytes += entry.cost }
    }

    /// Takes the oldest entry out and returns its number.
    mutating func popFirst() -> UInt64? {
        guard !entries.runs.isEmpty else { return popYoung() }
        let position = entries.runs[0].range.lowerBound
        let end = entries.runs[0].range.upperBound
        let seq = entries.runs[0].slab.seq(at: position)
        bytes -= entries.runs[0].slab.cost(at: position)
        if !entries.revised.isEmpty { entries.revised[seq] = nil }
        entries.count -= 1
        if position + 1 < end {
            // An object goes at once, unless a reader may be looking.
            if entries.runs[0].slab.isObject(at: position), isKnownUniquelyReferenced(&entries.runs[0].slab) {
                entries.runs[0].slab.forgetObject(at: position)
            }
            entries.runs[0].range = position + 1..<end
        } else {
            var slab = entries.runs.removeFirst().slab
            if isKnownUniquelyReferenced(&slab) {
                slab.reset()
                spare = slab
            }
        }
        return seq
    }

    /// Puts an entry in the place of the one with its number; false when there is none.
    mutating func revise(_ entry: JournalEntry) -> Bool {
        guard entries.entry(seq: entry.seq) != nil else { return false }
        entries.revised[entry.seq] = entry
        return true
    }

    private mutating func popYoung() -> UInt64? {
        guard !entries.young.isEmpty else { return nil }
        let entry = entries.young.removeFirst()
        entries.count -= 1
        bytes -= entry.cost
        if !entries.revised.isEmpty { entries.revised[entry.seq] = nil }
        return entry.seq
    }

    /// Keeps only the entries that pass.
    mutating func filter(_ passes: (JournalEntry) -> Bool) {
        let old = entries
        removeAll()
        for entry in old where passes(entry) { append([entry]) }
    }

    /// Forgets all entries.
    mutating func removeAll() {
        entries = JournalEntries()
        bytes = 0
    }

    /// Moves young entries into slabs, up to one that waits for its answer.
    private mutating func settle() {
        var settled = 0
        let count = entries.young.count
        while settled < count {
            let entry = entries.young[settled]
            guard entry.afterMilliseconds != nil || count - settled > Self.youngLimit else { break }
            pack(entry)
            settled += 1
        }
        if settled == count {
            entries.young.removeAll(keepingCapacity: true)
        } else {
            entries.young.removeFirst(settled)
        }
    }

    private mutating func pack(_ entry: JournalEntry) {
        let last = entries.runs.count - 1
        if last >= 0, entries.runs[last].slab.append(entry) {
            entries.runs[last].range = entries.runs[last].range.lowerBound..<entries.runs[last].slab.count
            return
        }
        let slab = spare ?? EntrySlab()
        spare = nil
        let isAdded = slab.append(entry)
        assert(isAdded, "an empty slab takes every entry")
        entries.runs.append(JournalEntries.Run(slab: slab, range: 0..<1))
    }
}

/// A fixed set of names, for which a member's name or a string's text is looked up without making a `String`.
package struct JSONNameTable: Sendable {
    /// How many bytes a name may have.
    package static let maximumLength = 24
    private static let slotBits: UInt64 = 7

    private struct Entry {
        let length: Int
        let words: JSONNameWords
        let bytes: [UInt8]
    }

    private let entries: [Entry]
    /// Places in `entries` by hash, counted from 1; 0 is free.
    private let slots: [UInt8]
    /// For each first letter, the last letters of the names that begin with it.
    private let lastLetters: [UInt32]

    /// A table of at most 64 different names, each at most ``maximumLength`` bytes of ASCII, unlike in letters.
    package init(_ names: [StaticString]) {
        precondition(names.count <= 64)
        var entries: [Entry] = []
        var slots = [UInt8](repeating: 0, count: 1 << JSONNameTable.slotBits)
        var lastLetters = [UInt32](repeating: 0, count: 26)
        for name in names {
            let bytes = Array(name.description.utf8)
            precondition(!bytes.isEmpty && bytes.count <= JSONNameTable.maximumLength)
            let entry = Entry(length: bytes.count, words: JSONNameWords(bytes), bytes: bytes)
            entries.append(entry)
            var slot = JSONNameTable.slot(entry.words, entry.length)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt8(entries.count)
            if let first = JSONText.letter(bytes[0]), let last = JSONText.letter(bytes[bytes.count - 1]) {
                lastLetters[first] |= 1 << UInt32(last)
            }
        }
        self.entries = entries
        self.slots = slots
        self.lastLetters = lastLetters
    }

    private static func slot(_ words: JSONNameWords, _ length: Int) -> Int {
        Int(truncatingIfNeeded: JSONText.nameHash(first: words.first, length: length) >> (64 - slotBits))
    }

    /// The place of a name in the list that made this table.
    func place(_ words: JSONNameWords, length: Int) -> Int? {
        var slot = JSONNameTable.slot(words, length)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if entries[place].length == length, entries[place].words == words { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The place of a name of the same letters, whatever their case and the hyphens and underscores between them.
    func loosePlace(_ name: ArraySlice<UInt8>) -> Int? {
        guard let firstByte = name.first, let lastByte = name.last, let first = JSONText.letter(firstByte),
            let last = JSONText.letter(lastByte), lastLetters[first] & (1 << UInt32(last)) != 0
        else { return nil }
        return entries.indices.first { JSONText.isLooselyEqual(entries[$0].bytes[...], name) }
    }
}

/// A name of at most 24 bytes as three words.
struct JSONNameWords: Equatable, Sendable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0

    init(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
        self.first = first
        self.second = second
        self.third = third
    }

    init(_ bytes: [UInt8]) {
        func word(_ start: Int) -> UInt64 {
            bytes.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(word(0), word(8), word(16))
    }
}

/// A fixed set of names, for which a member's name or a string's text is looked up without making a `String`.
///
/// A class, so that handing it to a look-up costs one pointer.
@safe
package final class JSONNameTable: @unchecked Sendable {
    // Sendable: nothing changes after the initialiser.

    /// How many bytes a name may have.
    package static let maximumLength = 24
    private static let slotBits: UInt64 = 7

    /// The names as words, which is how they are compared. Plain memory, as each payload is compared with it dozens of times.
    private let words: UnsafeMutablePointer<JSONNameWords>
    /// The names as bytes, for loose comparison.
    private let names: [[UInt8]]
    /// Places in `words` by hash, counted from 1; 0 is free.
    private let slots: UnsafeMutablePointer<UInt8>
    /// For each first letter, the last letters of the names that begin with it.
    private let lastLetters: [UInt32]

    /// A table of at most 64 different names, each at most ``maximumLength`` bytes of ASCII, unlike in letters.
    package init(_ names: [StaticString]) {
        precondition(names.count <= 64)
        var words: [JSONNameWords] = []
        var slots = [UInt8](repeating: 0, count: 1 << JSONNameTable.slotBits)
        var lastLetters = [UInt32](repeating: 0, count: 26)
        self.names = names.map { Array($0.description.utf8) }
        for bytes in self.names {
            precondition(!bytes.isEmpty && bytes.count <= JSONNameTable.maximumLength)
            let name = JSONNameWords(bytes)
            words.append(name)
            var slot = JSONNameTable.slot(name)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt8(words.count)
            if let first = JSONText.letter(bytes[0]), let last = JSONText.letter(bytes[bytes.count - 1]) {
                lastLetters[first] |= 1 << UInt32(last)
            }
        }
        unsafe self.words = .allocate(capacity: max(words.count, 1))
        _ = unsafe UnsafeMutableBufferPointer(start: self.words, count: words.count).initialize(fromContentsOf: words)
        unsafe self.slots = .allocate(capacity: slots.count)
        _ = unsafe UnsafeMutableBufferPointer(start: self.slots, count: slots.count).initialize(fromContentsOf: slots)
        self.lastLetters = lastLetters
    }

    deinit {
        unsafe words.deallocate()
        unsafe slots.deallocate()
    }

    @inline(__always)
    private static func slot(_ name: JSONNameWords) -> Int {
        Int(truncatingIfNeeded: JSONText.nameHash(first: name.first, length: Int(name.length)) >> (64 - slotBits))
    }

    /// The place of a name in the list that made this table.
    @inline(__always)
    func place(_ name: JSONNameWords) -> Int? {
        var slot = JSONNameTable.slot(name)
        while true {
            // A slot is below the number of slots, and what stands in it is a place of a word or nothing.
            let place = unsafe Int(slots[slot]) &- 1
            if place < 0 { return nil }
            if unsafe words[place] == name { return place }
            slot = (slot &+ 1) & ((1 &<< Int(JSONNameTable.slotBits)) &- 1)
        }
    }

    /// Whether a name that begins and ends with these bytes may be loosely one of this table's.
    @inline(__always)
    func mayHold(first: UInt8, last: UInt8) -> Bool {
        guard let first = JSONText.letter(first), let last = JSONText.letter(last) else { return false }
        return lastLetters[first] & (1 &<< UInt32(truncatingIfNeeded: last)) != 0
    }

    /// The place of a name of the same letters, whatever their case and the hyphens and underscores between them.
    func loosePlace(_ name: ArraySlice<UInt8>) -> Int? {
        names.firstIndex { JSONText.isLooselyEqual($0[...], name) }
    }
}

extension JSONDocument {
    /// The place of a member's name in a table; nil when the table does not have it.
    package func place(ofName member: JSONElement, in table: JSONNameTable) -> Int? {
        let node = node(member)
        if node.flags.contains(.escapedName) { return place(of: name(node), in: table) }
        return place(start: Int(node.nameStart), length: Int(node.nameEnd - node.nameStart), in: table)
    }

    /// The place of a string's text in a table; nil for other kinds and when the table does not have it.
    package func place(ofText element: JSONElement, in table: JSONNameTable) -> Int? {
        let node = node(element)
        guard node.kind == .string else { return nil }
        let start = Int(node.start) + 1
        let length = Int(node.end) - 1 - start
        guard node.flags.contains(.escapedText) else { return place(start: start, length: length, in: table) }
        return place(of: JSONText.unescaped(storage[start..<start + length])[...], in: table)
    }

    /// The place of a name that differs at most in case, hyphens and underscores; nil when there is none.
    package func loosePlace(ofName member: JSONElement, in table: JSONNameTable) -> Int? {
        let node = node(member)
        return node.isMember ? table.loosePlace(name(node)) : nil
    }

    private func place(of name: ArraySlice<UInt8>, in table: JSONNameTable) -> Int? {
        guard name.count <= JSONNameTable.maximumLength else { return nil }
        return table.place(JSONNameWords(Array(name)), length: name.count)
    }

    private func place(start: Int, length: Int, in table: JSONNameTable) -> Int? {
        guard length <= JSONNameTable.maximumLength else { return nil }
        let first = word(at: start, length: length)
        let second = length > 8 ? word(at: start + 8, length: length - 8) : 0
        let third = length > 16 ? word(at: start + 16, length: length - 16) : 0
        return table.place(JSONNameWords(first, second, third), length: length)
    }

    /// Up to eight bytes as a word, zeros above them.
    @inline(__always)
    private func word(at start: Int, length: Int) -> UInt64 {
        let word = unsafe storage.span.bytes.word(at: start)
        return length >= 8 ? word : word & ((1 &<< (UInt64(truncatingIfNeeded: length) &* 8)) &- 1)
    }

    /// What kinds of characters a member's name is made of.
    package func nameLetters(of member: JSONElement) -> JSONNameLetters {
        let node = node(member)
        var letters: JSONNameLetters = []
        let name = name(node)
        for byte in name {
            switch byte {
            case 0x61...0x7A: letters.insert(.lowerCase)
            case 0x41...0x5A: letters.insert(.upperCase)
            case 0x30...0x39: break
            case 0x5F: letters.insert(.underscore)
            case 0x2D: letters.insert(.hyphen)
            default: letters.insert(.other)
            }
        }
        if let first = name.first {
            if (0x41...0x5A).contains(first) { letters.insert(.beginsUpperCase) }
            if first == 0x5F { letters.insert(.beginsUnderscore) }
        }
        return letters
    }
}

extension RawSpan {
    /// Eight bytes, the first one lowest.
    @inline(__always)
    fileprivate func word(at start: Int) -> UInt64 {
        unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
}

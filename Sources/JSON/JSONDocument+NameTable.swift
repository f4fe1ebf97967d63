extension JSONDocument {
    // MARK: - Walking

    /// The first member of an object, its name looked up in a table; nil when there is none.
    package func firstMember(of object: JSONElement, in table: JSONNameTable) -> JSONMember? {
        let node = node(object)
        return node.count > 0 && node.kind == .object ? member(at: object.node &+ 1, in: table) : nil
    }

    /// The member after this one.
    package func member(after member: JSONMember, in table: JSONNameTable) -> JSONMember? {
        member.next < 0 ? nil : self.member(at: member.next, in: table)
    }

    /// Loads the node's fields one by one: a copy of the whole would go through the stack and cost twice as much.
    @inline(__always)
    private func member(at index: Int32, in table: JSONNameTable) -> JSONMember {
        let place = Int(index)
        precondition(place > 0 && place < nodes.count, "a member of another document")
        // The parent of a member is a node before it.
        return unsafe nodes.withUnsafeBufferPointer { nodes in
            let next = unsafe nodes[place].next
            let end = unsafe nodes[Int(nodes[place].parent)].next
            let nameStart = unsafe Int(nodes[place].nameStart)
            let nameLength = unsafe Int(nodes[place].nameEnd) &- nameStart
            let found =
                unsafe nodes[place].flags.contains(.escapedName)
                ? self.place(ofName: JSONElement(node: index), in: table)
                : self.place(start: nameStart, length: nameLength, in: table)
            return unsafe JSONMember(
                element: JSONElement(node: index), place: found ?? -1, kind: nodes[place].kind,
                next: next < end ? next : -1)
        }
    }

    // MARK: - Looking up

    /// The place of a member's name in a table; nil when the table does not have it.
    package func place(ofName member: JSONElement, in table: JSONNameTable) -> Int? {
        let node = node(member)
        if node.flags.contains(.escapedName) { return place(of: Array(name(node)), in: table) }
        return place(start: Int(node.nameStart), length: Int(node.nameEnd &- node.nameStart), in: table)
    }

    /// The place of a string's text in a table; nil for other kinds and when the table does not have it.
    package func place(ofText element: JSONElement, in table: JSONNameTable) -> Int? {
        let node = node(element)
        guard node.kind == .string else { return nil }
        let start = Int(node.start) + 1
        let length = Int(node.end) - 1 - start
        guard node.flags.contains(.escapedText) else { return place(start: start, length: length, in: table) }
        return place(of: JSONText.unescaped(storage[start..<start + length]), in: table)
    }

    /// The place of a name that differs at most in case, hyphens and underscores; nil when there is none.
    package func loosePlace(ofName member: JSONElement, in table: JSONNameTable) -> Int? {
        let place = Int(member.node)
        guard place < nodeCount else { return nil }
        let (start, end) = (Int(nodes[place].nameStart), Int(nodes[place].nameEnd))
        guard end > start else { return nil }
        let mayBe = table.mayHold(first: storage[start], last: storage[end &- 1])
        guard mayBe || nodes[place].flags.contains(.escapedName) else { return nil }
        return table.loosePlace(name(nodes[place]))
    }

    /// How the words of a member's name are put together.
    package func nameStyle(of member: JSONElement) -> JSONNameStyle {
        let place = Int(member.node)
        guard place < nodeCount else { return .none }
        // An escape is beyond letters and digits, and so means no style.
        return JSONNameStyle(
            storage.span.extracting(Int(nodes[place].nameStart)..<Int(nodes[place].nameEnd)))
    }

    private func place(of name: [UInt8], in table: JSONNameTable) -> Int? {
        name.count <= JSONNameTable.maximumLength ? table.place(JSONNameWords(name)) : nil
    }

    @inline(__always)
    private func place(start: Int, length: Int, in table: JSONNameTable) -> Int? {
        guard length <= JSONNameTable.maximumLength else { return nil }
        let first = word(at: start, length: length)
        let second = length > 8 ? word(at: start &+ 8, length: length &- 8) : 0
        let third = length > 16 ? word(at: start &+ 16, length: length &- 16) : 0
        return table.place(JSONNameWords(first, second, third, length: length))
    }

    /// Up to eight bytes as a word, zeros above them.
    @inline(__always)
    private func word(at start: Int, length: Int) -> UInt64 {
        let word = unsafe storage.span.bytes.word(at: start)
        return length >= 8 ? word : word & ((1 &<< (UInt64(truncatingIfNeeded: length) &* 8)) &- 1)
    }
}

extension RawSpan {
    /// Eight bytes, the first one lowest.
    @inline(__always)
    fileprivate func word(at start: Int) -> UInt64 {
        unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
}

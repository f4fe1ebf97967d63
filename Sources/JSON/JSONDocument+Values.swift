extension JSONDocument {
    /// A string's text, unescaped; nil for other kinds.
    package func string(_ element: JSONElement) -> String? {
        let node = node(element)
        guard node.kind == .string else { return nil }
        let inside = storage[Int(node.start) + 1..<Int(node.end) - 1]
        return node.flags.contains(.escapedText)
            ? String(decoding: JSONText.unescaped(inside), as: UTF8.self) : String(decoding: inside, as: UTF8.self)
    }

    /// Whether a string as it is written has this byte of ASCII.
    package func hasByte(_ byte: UInt8, inText element: JSONElement) -> Bool {
        let node = node(element)
        guard node.kind == .string else { return false }
        return storage[Int(node.start) + 1..<Int(node.end) - 1].contains(byte)
    }

    /// The first byte of a string as it is written, the closing quotation mark when it is empty; nil for other kinds.
    package func firstByte(ofText element: JSONElement) -> UInt8? {
        let node = node(element)
        return node.kind == .string ? storage[Int(node.start) + 1] : nil
    }

    /// Whether a value is a string of white space or of nothing.
    package func isBlank(_ element: JSONElement) -> Bool {
        string(element).map { $0.allSatisfy(\.isWhitespace) } ?? false
    }

    /// Whether an object has a member of this name that is a string and not blank.
    package func hasText(_ name: StaticString, of object: JSONElement) -> Bool {
        member(name, of: object).map { kind($0) == .string && !isBlank($0) } ?? false
    }

    /// The value of `true` or `false`; nil for other kinds.
    package func boolean(_ element: JSONElement) -> Bool? {
        let node = node(element)
        return node.kind == .boolean ? storage[Int(node.start)] == 0x74 : nil
    }

    /// A number's value; nil for other kinds and for numbers that a Double cannot hold.
    package func double(_ element: JSONElement) -> Double? {
        let node = node(element)
        guard node.kind == .number else { return nil }
        let text = storage[Int(node.start)..<Int(node.end)]
        if let value = JSONNumber.double(text) { return value }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A number's value when it is a whole number in range; `1.0` and `1e2` are whole.
    package func integer(_ element: JSONElement) -> Int64? {
        let node = node(element)
        guard node.kind == .number else { return nil }
        return JSONNumber.integer(storage[Int(node.start)..<Int(node.end)])
    }

    /// Whether a value is a number without a fraction and not below 0, however large; `1.0` and `1e2` are whole.
    package func isWhole(_ element: JSONElement) -> Bool {
        let node = node(element)
        return node.kind == .number && JSONNumber.isWhole(storage[Int(node.start)..<Int(node.end)])
    }

    /// The numbers that neither a Double nor an integer of 64 bits holds: too large, too near to 0, or of more digits.
    package var numbersBeyondDouble: [JSONElement] {
        guard hasUnusualNumbers else { return [] }
        return (0..<nodeCount).compactMap { index in
            let node = nodes[index]
            guard node.kind == .number, JSONNumber.isBeyondDouble(storage[Int(node.start)..<Int(node.end)]) else {
                return nil
            }
            return JSONElement(node: Int32(index))
        }
    }

    /// The value as it is written; what is beyond `limit` bytes is left out and an ellipsis stands for it.
    package func written(_ element: JSONElement, limit: Int = .max) -> String {
        let node = node(element)
        let text = storage[Int(node.start)..<Int(node.end)]
        guard text.count > limit else { return String(decoding: text, as: UTF8.self) }
        // Not in the middle of a character.
        var end = text.startIndex + limit
        while end > text.startIndex, text[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: text[..<end], as: UTF8.self) + "…"
    }
}

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

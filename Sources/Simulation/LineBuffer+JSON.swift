import JSON

/// JSON strings.
extension LineBuffer {
    /// Adds a text as a JSON string.
    mutating func append(string text: String) {
        var text = text
        text.withUTF8 { unsafe append(string: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a text as a JSON string, or `null`.
    mutating func append(optional text: String?) {
        if let text { append(string: text) } else { append("null") }
    }

    /// Adds a constant as a JSON string; it needs no escapes.
    mutating func append(quoted constant: StaticString) {
        append("\"")
        append(constant)
        append("\"")
    }

    /// Adds bytes that should be UTF-8 as a JSON string; what is not becomes U+FFFD.
    mutating func append(string bytes: UnsafeRawBufferPointer) {
        guard unsafe Self.isPlain(bytes) else {
            unsafe append(escaping: bytes)
            return
        }
        unsafe append(plain: bytes)
    }

    /// Adds bytes that a JSON string can hold as they are.
    @inline(__always)
    mutating func append(plain bytes: UnsafeRawBufferPointer) {
        append("\"")
        unsafe append(bytes)
        append("\"")
    }

    @inline(never)
    private mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        var writer = JSONWriter()
        unsafe writer.string(utf8: bytes)
        append(writer.bytes)
    }

    /// Whether a JSON string can hold the bytes as they are: ASCII without controls, quotes and backslashes.
    static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // No way out in the middle: so the compiler looks at sixteen bytes at a time.
        var special: UInt8 = 0
        for place in 0..<bytes.count {
            let byte = unsafe bytes[place]
            special |= (byte &- 0x20 >= 0x60 ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
        }
        return special == 0
    }
}

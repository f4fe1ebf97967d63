/// JSON strings: quotes, escapes, and U+FFFD for what is not UTF-8.
extension LineBuffer {
    /// Adds a text as a JSON string.
    package mutating func append(string text: String) {
        var text = text
        text.withUTF8 { unsafe append(string: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a text as a JSON string, or `null`.
    package mutating func append(optional text: String?) {
        if let text { append(string: text) } else { append("null") }
    }

    /// Adds a constant as a JSON string; it needs no escapes.
    package mutating func append(quoted constant: StaticString) {
        append("\"")
        append(constant)
        append("\"")
    }

    /// Adds bytes that should be UTF-8 as a JSON string.
    package mutating func append(string bytes: UnsafeRawBufferPointer) {
        append("\"")
        unsafe append(escaping: bytes)
        append("\"")
    }

    /// Adds bytes that should be UTF-8, escaped, without the quotes. Runs of plain ASCII are copied whole.
    package mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        var start = 0
        while start < bytes.count {
            let end = unsafe Self.endOfPlainRun(bytes, from: start)
            if end > start { unsafe append(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) }
            guard end < bytes.count else { return }
            start = unsafe appendSpecial(bytes, at: end)
        }
    }

    /// The place of the first byte that cannot be copied as it is: a control, a quote, a backslash, or no ASCII.
    @inline(__always)
    private static func endOfPlainRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var place = start
        while place &+ 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            // The high bit of a byte is set where it is below 0x20, a quote, a backslash or above 0x7F; a borrow may mark
            // a byte too many behind such a one, never one too few.
            let marks = ((word &- ones &* 0x20) | (quotes &- ones) | (slashes &- ones) | word) & highs
            if marks != 0 { break }
            place &+= 8
        }
        while place < bytes.count {
            let byte = unsafe bytes[place]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x80 { break }
            place &+= 1
        }
        return place
    }

    /// Adds the byte or the UTF-8 sequence at `place` and returns the place behind it.
    private mutating func appendSpecial(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let byte = unsafe bytes[place]
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case ..<0x20:
            append("\\u00")
            append(hex: byte)
        case ..<0x80: append(byte: byte)
        default:
            let length = unsafe UTF8Sequence.length(bytes, at: place)
            guard length > 0 else {
                append("\u{FFFD}")
                return place + 1
            }
            unsafe append(UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]))
            return place + length
        }
        return place + 1
    }
}

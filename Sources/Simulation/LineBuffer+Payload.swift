/// Bytes of senders in a form that one line can hold.
extension LineBuffer {
    /// Adds valid JSON as it is, or without its white space when that has line breaks, which would end the line.
    mutating func append(onOneLine json: UnsafeRawBufferPointer) {
        // Inside of strings JSON allows no control characters, so any line break is white space.
        guard unsafe json.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            unsafe append(json)
            return
        }
        reserve(json.count)
        var isString = false
        var isEscaped = false
        for place in 0..<json.count {
            let byte = unsafe json[place]
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isString = false
                }
            } else if byte == 0x22 {
                isString = true
            } else if byte <= 0x20 {
                continue
            }
            append(byte: byte)
        }
    }

    /// Adds the value of an `authorization` field, escaped, without the signature of the token in it: `bearer a.b....`.
    mutating func append(redacting value: UnsafeRawBufferPointer) {
        guard let last = unsafe value.lastIndex(of: UInt8(ascii: ".")),
            unsafe value[..<last].contains(UInt8(ascii: "."))
        else {
            // No token of three parts: whatever it is, the first word says enough.
            let end = unsafe value.firstIndex(of: UInt8(ascii: " ")).map { $0 + 1 } ?? 0
            unsafe append(escaping: UnsafeRawBufferPointer(rebasing: value[..<end]))
            if end < value.count { append("...") }
            return
        }
        unsafe append(escaping: UnsafeRawBufferPointer(rebasing: value[...last]))
        append("...")
    }

    /// Adds bytes in base64 (RFC 4648, section 4).
    mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var word: UInt32 = 0
            for offset in 0..<3 {
                word = word << 8 | (offset < count ? unsafe UInt32(bytes[start + offset]) : 0)
            }
            for place in 0...3 {
                let digit = Int(word >> UInt32(18 - 6 * place) & 63)
                append(byte: place <= count ? unsafe alphabet.utf8Start[digit] : UInt8(ascii: "="))
            }
        }
    }
}

/// Bytes of senders in a form that one line can hold.
extension LineBuffer {
    /// Adds valid JSON as it is, or without its white space when that has line breaks, which would end the line.
    mutating func append(onOneLine json: UnsafeRawBufferPointer) {
        // Inside of strings JSON allows no control characters, so any line break is white space.
        var breaks: UInt8 = 0
        for place in 0..<json.count {
            let byte = unsafe json[place]
            breaks |= (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0)
        }
        if breaks == 0 { unsafe append(json) } else { unsafe append(withoutWhiteSpace: json) }
    }

    private mutating func append(withoutWhiteSpace json: UnsafeRawBufferPointer) {
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

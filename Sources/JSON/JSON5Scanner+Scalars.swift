/// Strings, names and numbers.
extension JSON5Scanner {
    // MARK: Strings

    /// A string in either kind of quotation marks.
    mutating func string() throws(Failure) {
        let opening = index
        let quotation = byte
        index += 1
        json.append(UInt8(ascii: "\""))
        while true {
            guard index < source.count, byte != 0x0A, byte != 0x0D else {
                throw Failure(message: "the text that begins here is not closed in its line", offset: opening)
            }
            if byte == quotation { break }
            if byte == UInt8(ascii: "\\") {
                try escape()
            } else {
                write(byte)
                index += 1
            }
        }
        index += 1
        json.append(UInt8(ascii: "\""))
    }

    /// Adds a byte of a text, escaped where JSON asks for it.
    private mutating func write(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
        case 0..<0x20:
            let digits = Array(String(byte, radix: 16).utf8)
            json += Array("\\u00".utf8) + (digits.count == 1 ? [UInt8(ascii: "0")] : []) + digits
        default: json.append(byte)
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar).map(Array.init) ?? [] { write(byte) }
    }

    /// The escape whose backslash is at the index.
    private mutating func escape() throws(Failure) {
        index += 1
        let lineBreak = lineBreakLength
        guard lineBreak == 0 else { return index += lineBreak }
        switch byte {
        case UInt8(ascii: "b"): write(0x08 as UInt8)
        case UInt8(ascii: "f"): write(0x0C as UInt8)
        case UInt8(ascii: "n"): write(0x0A as UInt8)
        case UInt8(ascii: "r"): write(0x0D as UInt8)
        case UInt8(ascii: "t"): write(0x09 as UInt8)
        case UInt8(ascii: "v"): write(0x0B as UInt8)
        case UInt8(ascii: "x"): return try numericEscape(digits: 2)
        case UInt8(ascii: "u"): return try numericEscape(digits: 4)
        case UInt8(ascii: "0") where !isDigit(byte(at: index + 1)): write(0x00 as UInt8)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            index -= 1
            throw failure("\\ and a digit is no escape; write \\u and four hexadecimal digits")
        case 0 where index >= source.count: return
        default: write(byte)  // Any other stands for itself; the rest of it follows.
        }
        index += 1
    }

    /// The escape with hexadecimal digits whose letter is at the index, and the second half of its pair.
    private mutating func numericEscape(digits: Int) throws(Failure) {
        let start = index - 1
        index += 1
        guard let unit = hexadecimal(digits) else {
            index = start
            throw failure(
                "\\\(digits == 2 ? "x" : "u") needs \(digits == 2 ? "two" : "four") hexadecimal digits behind it")
        }
        if let scalar = Unicode.Scalar(unit) { return write(scalar) }
        if unit < 0xDC00, byte == UInt8(ascii: "\\"), byte(at: index + 1) == UInt8(ascii: "u") {
            index += 2
            if let low = hexadecimal(4), (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
            {
                return write(scalar)
            }
        }
        index = start
        throw failure("this escape is one half of a surrogate pair, and the other half is missing")
    }

    /// The value of so many hexadecimal digits, which are read.
    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        var value: UInt32 = 0
        for place in index..<index + count {
            guard let digit = JSONText.hexadecimal(byte(at: place)) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += count
        return value
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    // MARK: Names

    /// A member's name, in quotation marks or without; false when none stands here.
    mutating func name() throws(Failure) -> Bool {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            try string()
            return true
        }
        let start = json.count
        json.append(UInt8(ascii: "\""))
        while let length = try nameLength(isFirst: json.count == start + 1) {
            json += source[index..<index + length]
            index += length
        }
        guard json.count > start + 1 else {
            json.removeLast()
            return false
        }
        json.append(UInt8(ascii: "\""))
        return true
    }

    /// How many bytes the next character of a name without quotation marks has; nil when it ends here. An escape is read
    /// and written by itself.
    private mutating func nameLength(isFirst: Bool) throws(Failure) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            return 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return isFirst ? nil : 1
        case UInt8(ascii: "\\"):
            throw failure("a name with escapes stands in quotation marks")
        case 0x80...:
            let scalar = String(decoding: source[index..<min(index + 4, source.count)], as: UTF8.self).unicodeScalars
                .first
            guard let scalar else { return nil }
            let properties = scalar.properties
            let isPart =
                isFirst ? properties.isIDStart : properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
            return isPart ? UTF8.width(scalar) : nil
        default: return nil
        }
    }

    // MARK: Numbers

    /// A number: decimal, where the digits before or behind the point may be missing, or hexadecimal; with a sign or without.
    mutating func number() throws(Failure) {
        let start = index
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
            if byte == UInt8(ascii: "-") { json.append(byte) }
            index += 1
        }
        if byte == UInt8(ascii: "I") || byte == UInt8(ascii: "N") { throw failure("a number must be finite, \(found)") }
        if byte == UInt8(ascii: "0"), byte(at: index + 1) | 0x20 == UInt8(ascii: "x") {
            try hexadecimalNumber()
        } else {
            try decimalNumber(start)
        }
        if let next = try nameLength(isFirst: false), next > 0 {
            throw failure("a number ends before this, \(found); a text stands in quotation marks")
        }
    }

    private mutating func hexadecimalNumber() throws(Failure) {
        index += 2
        let start = index
        while JSONText.hexadecimal(byte) != nil { index += 1 }
        guard index > start else { throw failure("a hexadecimal digit was expected behind 0x, \(found)") }
        guard let value = UInt64(String(decoding: source[start..<index], as: UTF8.self), radix: 16) else {
            index = start - 2
            throw failure("a hexadecimal number has at most 16 digits that count")
        }
        json += Array(String(value).utf8)
    }

    private mutating func decimalNumber(_ start: Int) throws(Failure) {
        let whole = digits()
        if whole.count > 1, whole.first == UInt8(ascii: "0") {
            index = start
            throw failure("a number does not begin with 0 and another digit; 0x begins a hexadecimal one")
        }
        json += whole.isEmpty ? [UInt8(ascii: "0")] : whole
        if byte == UInt8(ascii: ".") {
            index += 1
            let fraction = digits()
            if whole.isEmpty, fraction.isEmpty { throw failure("a digit was expected behind the point, \(found)") }
            if !fraction.isEmpty { json += [UInt8(ascii: ".")] + fraction }
        } else if whole.isEmpty {
            throw failure("a digit was expected behind the sign, \(found)")
        }
        guard byte | 0x20 == UInt8(ascii: "e") else { return }
        json.append(byte)
        index += 1
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
            json.append(byte)
            index += 1
        }
        let exponent = digits()
        guard !exponent.isEmpty else { throw failure("a digit was expected in the exponent, \(found)") }
        json += exponent
    }

    /// The digits at the index, which are read.
    private mutating func digits() -> ArraySlice<UInt8> {
        let start = index
        while isDigit(byte) { index += 1 }
        return source[start..<index]
    }
}

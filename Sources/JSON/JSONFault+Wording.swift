extension JSONFault {
    /// Puts a fault of a scan into words for people.
    init(_ fault: JSONScanFault, in text: ArraySlice<UInt8>) {
        let place = JSONFault.place(of: fault.offset, in: text)
        self.init(
            message: JSONFault.message(fault, in: text), offset: fault.offset, line: place.line, column: place.column)
    }

    private static func message(_ fault: JSONScanFault, in text: ArraySlice<UInt8>) -> String {
        let rest = text.dropFirst(fault.offset)
        let found = "found \(shown(rest))"
        switch fault.problem {
        case .missingValue, .noValue: return noValue(rest, isWholeText: fault.offset == 0, found: found)
        case .missingElement: return "a value or ] was expected after [, \(found)"
        case .commaBeforeBracket: return "a value was expected after the comma, found ']'; JSON has no trailing commas"
        case .textAfterValue: return "only white space may follow the value, \(found)"
        case .afterMember: return "a comma or } was expected after the member's value, \(found)"
        case .afterElement: return "a comma or ] was expected after the array's element, \(found)"
        case .noFirstName:
            return "a member's name in double quotes or } was expected after {, \(found)\(nameAdvice(rest))"
        case .noName:
            return "a member's name in double quotes was expected after the comma, \(found)\(nameAdvice(rest))"
        case .noColon: return "a colon was expected after the member's name, \(found)"
        case .openString:
            let opening = place(of: fault.opening, in: text)
            return "the string that begins at line \(opening.line), column \(opening.column) is not closed"
        case .control:
            let byte = rest.first ?? 0
            return "the control character \(codePoint(byte)) must be escaped in a string as \(escape(byte))"
        case .notUTF8: return "the string is not UTF-8: \(notUTF8(rest))"
        case .unknownEscape:
            return "\(shown(rest.prefix(2), length: 2)) is no escape of JSON's; a backslash itself is written '\\\\'"
        case .shortEscape: return "\\u must be followed by four hexadecimal digits, found \(shown(rest, length: 6))"
        case .loneSurrogate:
            return "\(shown(rest, length: 6)) is one half of a surrogate pair, and the other half is missing"
        case .leadingZero: return "a number cannot begin with 0 and another digit, found \(shown(rest, length: 8))"
        case .noDigitAfterMinus: return "a digit was expected after the minus sign, \(found)"
        case .noDigitAfterPoint: return "a digit was expected after the decimal point, \(found)"
        case .noDigitInExponent: return "a digit was expected in the exponent, \(found)"
        case .tooDeep: return "objects and arrays are nested more than \(JSONDocument.maximumDepth) deep"
        case .tooLong: return "it is longer than \(JSONDocument.maximumLength) bytes"
        }
    }

    /// Words for a place where a value should be; recognises what people write there.
    private static func noValue(_ rest: ArraySlice<UInt8>, isWholeText: Bool, found: String) -> String {
        let word = Array(rest.prefix { (0x41...0x5A).contains($0 & 0xDF) })
        let lowered = word.map { $0 | 0x20 }
        switch (rest.first, lowered) {
        case (nil, _): return isWholeText ? "there is nothing; a value was expected" : "a value was expected, \(found)"
        case (0xEF, _) where rest.starts(with: [0xEF, 0xBB, 0xBF]):
            return "a byte order mark is not allowed before JSON"
        case (0xFE, _) where rest.starts(with: [0xFE, 0xFF]), (0xFF, _) where rest.starts(with: [0xFF, 0xFE]):
            return "this looks like UTF-16; JSON is UTF-8"
        case (_, Array("true".utf8)), (_, Array("false".utf8)), (_, Array("null".utf8)):
            let literal = String(decoding: lowered, as: UTF8.self)
            return "\(literal) is written in lower case, found \(shown(rest, length: word.count))"
        case (_, Array("none".utf8)), (_, Array("nil".utf8)), (_, Array("undefined".utf8)):
            return "a value was expected, found \(shown(rest, length: word.count)); JSON's word is null"
        case (_, Array("nan".utf8)), (_, Array("inf".utf8)), (_, Array("infinity".utf8)):
            return "a number must be finite, found \(shown(rest, length: word.count))"
        case (0x27, _): return "strings are written in double quotes, \(found)"
        case (0x2F, _): return "a value was expected, \(found); JSON has no comments"
        case (0x2B, _): return "a number cannot begin with a plus sign"
        case (0x2E, _): return "a number cannot begin with its decimal point; write 0 before it"
        default:
            return word.isEmpty
                ? "a value was expected, \(found)"
                : "a value was expected, found \(shown(rest, length: min(word.count, 24)))"
        }
    }

    private static func nameAdvice(_ rest: ArraySlice<UInt8>) -> String {
        switch rest.first {
        case 0x7D: "; JSON has no trailing commas"
        case 0x2F: "; JSON has no comments"
        default: ""
        }
    }

    // MARK: - Parts

    /// The line and the byte in it, both from 1.
    private static func place(of offset: Int, in text: ArraySlice<UInt8>) -> (line: Int, column: Int) {
        let before = text.prefix(offset)
        let line = before.lazy.filter { $0 == 0x0A }.count
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        return (line + 1, before.endIndex - lineStart + 1)
    }

    /// What stands at the fault, for people: one character unless more are asked for.
    private static func shown(_ rest: ArraySlice<UInt8>, length: Int = 1) -> String {
        guard let first = rest.first else { return "the end" }
        if first < 0x20 || first == 0x7F { return codePoint(first) }
        // A whole character, not its first byte.
        let text = String(decoding: rest.prefix(length == 1 ? 4 : length), as: UTF8.self).unicodeScalars
        let wanted = length == 1 ? text.prefix(1) : text.prefix { $0.value >= 0x20 && $0.value != 0x7F }
        if wanted.first == "\u{FFFD}" { return "the byte 0x\(hexadecimal(first))" }
        return "'\(String(String.UnicodeScalarView(wanted)))'"
    }

    private static func notUTF8(_ rest: ArraySlice<UInt8>) -> String {
        let first = rest.first ?? 0
        switch first {
        case 0xC0, 0xC1: return "the byte 0x\(hexadecimal(first)) can only begin an overlong form"
        case 0xF5...0xFF: return "the byte 0x\(hexadecimal(first)) never occurs"
        case 0x80...0xBF: return "the byte 0x\(hexadecimal(first)) cannot begin a character"
        default:
            let bytes = rest.prefix(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4)
            return "the bytes \(bytes.map { "0x" + hexadecimal($0) }.joined(separator: " ")) are no character"
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func codePoint(_ byte: UInt8) -> String { "U+00" + hexadecimal(byte) }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        default: "\\u00" + hexadecimal(byte)
        }
    }
}

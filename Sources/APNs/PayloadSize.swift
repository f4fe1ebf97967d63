package import JSON

/// Where the bytes of a payload go: how many each key takes, against the limit.
package struct PayloadSize: Sendable {
    /// One member and the bytes it takes: name, colon and value as they are written.
    package struct Part: Sendable, Equatable {
        /// The dotted path: `aps.alert`.
        package let path: String
        package let bytes: Int
        /// The parts of `aps` and of its `alert`; empty for all others.
        package let parts: [Part]

        package init(path: String, bytes: Int, parts: [Part] = []) {
            self.path = path
            self.bytes = bytes
            self.parts = parts
        }
    }

    /// All bytes as received, which is what counts.
    package let total: Int
    package let limit: Int
    /// The members of the outermost object, in order.
    package let parts: [Part]

    /// Measures a valid document.
    package init(_ document: JSONDocument, limit: Int) {
        total = document.length
        self.limit = limit
        parts = PayloadSize.parts(of: document.root, document, depth: 0)
    }

    /// How many bytes are left; negative when there are too many.
    package var remaining: Int { limit - total }

    /// Brackets, commas and white space between the members.
    package var between: Int { total - parts.reduce(0) { $0 + $1.bytes } }

    /// How many of the bytes of a JSON text are not white space between its values.
    package static func compact(_ text: some Sequence<UInt8>) -> Int {
        var count = 0
        var isInString = false
        var isEscaped = false
        for byte in text {
            if isInString {
                count += 1
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                isInString = byte == UInt8(ascii: "\"")
                let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
                count += isSpace ? 0 : 1
            }
        }
        return count
    }

    /// How a text with more bytes than `limit` could keep all that it says; nil when it could not.
    static func shortening(_ text: Span<UInt8>, limit: Int) -> String? {
        let bytes = Array(text.text.utf8)
        let spaces = bytes.count - compact(bytes)
        let escapes = bytes.count - unescaped(bytes)
        let asUTF8 =
            "Write characters as UTF-8 instead of \\u escapes (Python ensure_ascii=False, PHP JSON_UNESCAPED_UNICODE)"
        let without = "Leave out the white space between the values"
        func end(_ count: Int) -> String { ": the payload then has \(count) bytes, and \(limit) fit." }
        if escapes > 0, bytes.count - escapes <= limit { return asUTF8 + end(bytes.count - escapes) }
        if spaces > 0, bytes.count - spaces <= limit { return without + end(bytes.count - spaces) }
        let least = bytes.count - escapes - spaces
        return least <= limit ? "\(asUTF8). \(without)" + end(least) : nil
    }

    /// How many bytes a JSON text would have if no character were an escape that need not be one.
    private static func unescaped(_ text: [UInt8]) -> Int {
        var count = text.count
        var position = 0
        while position + 1 < text.count {
            guard text[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            guard text[position + 1] == UInt8(ascii: "u"), position + 6 <= text.count,
                let unit = UInt32(String(decoding: text[position + 2..<position + 6], as: UTF8.self), radix: 16)
            else {
                count -= text[position + 1] == UInt8(ascii: "/") ? 1 : 0
                position += 2
                continue
            }
            switch unit {
            case 0..<0x20, 0x22, 0x5C: break
            case 0x20..<0x80: count -= 5
            case 0x80..<0x800: count -= 4
            // Each half of a pair is half of four bytes.
            case 0xD800..<0xE000: count -= 4
            default: count -= 3
            }
            position += 6
        }
        return count
    }

    private static func parts(of object: JSONElement, _ document: JSONDocument, depth: Int) -> [Part] {
        guard document.kind(object) == .object else { return [] }
        return document.children(of: object).map { member in
            let name = document.key(of: member)
            let isTable = depth == 0 && name == "aps" || depth == 1 && name == "alert"
            return Part(
                path: document.path(to: member), bytes: document.memberRange(member).count,
                parts: isTable ? parts(of: member, document, depth: depth + 1) : [])
        }
    }
}

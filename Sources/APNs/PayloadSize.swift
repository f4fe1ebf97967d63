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

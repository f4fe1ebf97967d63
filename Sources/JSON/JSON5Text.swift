/// JSON as people write it by hand (JSON5, https://spec.json5.org), made strict JSON: with comments, trailing commas, names
/// without quotes, single quotes, hexadecimal numbers and signs.
///
/// Two things that JSON5 lets pass are refused, since no reader of a setting can mean them: a name that stands twice in an
/// object, and numbers that are not finite.
package struct JSON5Text: Sendable {
    /// The same as strict JSON.
    package let json: [UInt8]
    private let source: [UInt8]
    /// Where values and names begin, in both texts, in ascending order.
    private let marks: [JSON5Scanner.Mark]

    /// Reads a text; says what is wrong, and where, when it is none.
    package init(_ bytes: [UInt8]) throws(JSONFault) {
        var scanner = JSON5Scanner(bytes)
        do throws(JSON5Scanner.Failure) {
            try scanner.scan()
        } catch {
            throw JSONFault(message: error.message, offset: error.offset, in: bytes)
        }
        source = bytes
        json = scanner.json
        marks = scanner.marks
        try refuseDuplicates()
    }

    /// The line and the character in it, both from 1, of what stands at a place of ``json``.
    package func place(at offset: Int) -> (line: Int, column: Int) {
        JSON5Text.place(of: sourceOffset(of: offset), in: source)
    }

    /// The line and the character in it of a place of a text.
    static func place(of offset: Int, in source: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for (index, byte) in source.prefix(offset).enumerated() {
            // A carriage return ends a line by itself only where no line feed follows it.
            if byte == 0x0A || (byte == 0x0D && (index + 1 >= source.count || source[index + 1] != 0x0A)) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80, byte != 0x0D {
                column += 1
            }
        }
        return (line, column)
    }

    private func sourceOffset(of offset: Int) -> Int {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].json <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? marks[low - 1].source : 0
    }

    private func refuseDuplicates() throws(JSONFault) {
        var document = JSONDocument()
        if let fault = document.parse(json) { throw fault }
        guard let second = document.duplicates.first, let object = document.parent(of: second),
            let name = document.key(of: second), let first = document.member(named: name, of: object)
        else { return }
        let (offset, other) = (
            sourceOffset(of: document.memberRange(second).lowerBound),
            place(at: document.memberRange(first).lowerBound)
        )
        throw JSONFault(
            message: "the member \"\(name)\" stands twice in this object; it stands at line \(other.line), column "
                + "\(other.column) already",
            offset: offset, in: source)
    }
}

extension JSONFault {
    /// A fault of a text of several lines; its column counts characters.
    fileprivate init(message: String, offset: Int, in source: [UInt8]) {
        let place = JSON5Text.place(of: offset, in: source)
        self.init(message: message, offset: offset, line: place.line, column: place.column)
    }
}

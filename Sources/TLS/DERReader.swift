/// Reads DER elements one after the other from bytes that nobody has checked: whatever does not fit ends the reading.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether everything was read.
    var isAtEnd: Bool { rest.isEmpty }
    /// The tag of the next element.
    var nextTag: UInt8? { rest.first }

    /// The content of the next element, when it has this tag and is whole.
    mutating func read(_ tag: UInt8) -> ArraySlice<UInt8>? {
        guard nextTag == tag else { return nil }
        return readAny()?.content
    }

    /// The next element, when it is whole: a single-byte tag, a definite length in its shortest form, and that many bytes.
    mutating func readAny() -> (tag: UInt8, content: ArraySlice<UInt8>)? {
        guard let tag = rest.first, tag & 0x1F != 0x1F else { return nil }
        var cursor = rest.dropFirst()
        guard let length = Self.takeLength(&cursor), length <= cursor.count else { return nil }
        rest = cursor.dropFirst(length)
        return (tag, cursor.prefix(length))
    }

    private static func takeLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), bytes.count >= count, bytes.first != 0 else { return nil }
        let length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(count)
        return length >= 0x80 ? length : nil
    }
}

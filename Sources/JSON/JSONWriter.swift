/// Writes JSON into bytes, without a tree in between; the caller keeps brackets balanced by its structure.
///
/// Commas are decided by the last byte written: after the end of a value comes a comma, after an opening bracket, a
/// colon or white space none. So lines may be ended by appending a line feed to ``bytes``, and a new one begun.
package struct JSONWriter: Sendable {
    /// What has been written.
    package var bytes: [UInt8]

    /// A writer that adds to the end of `bytes`.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// `{`, with the comma that its place needs.
    package mutating func beginObject() { open(0x7B) }
    /// `}`.
    package mutating func endObject() { bytes.append(0x7D) }
    /// `[`.
    package mutating func beginArray() { open(0x5B) }
    /// `]`.
    package mutating func endArray() { bytes.append(0x5D) }

    /// The name of the member that follows; a constant that needs no escapes.
    package mutating func key(_ name: StaticString) {
        unsafe quoted(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), isName: true)
    }

    /// The name of the member that follows.
    package mutating func key(dynamic name: String) {
        string(name)
        bytes.append(0x3A)
    }

    /// A constant string that needs no escapes.
    package mutating func string(constant value: StaticString) {
        unsafe quoted(UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount), isName: false)
    }

    /// A string.
    package mutating func string(_ value: String) {
        let isDone: Void? = unsafe value.utf8.withContiguousStorageIfAvailable { unsafe text($0) }
        if isDone == nil { unsafe Array(value.utf8).withUnsafeBufferPointer { unsafe text($0) } }
    }

    /// A string from bytes that should be UTF-8; what is not becomes U+FFFD.
    package mutating func string(utf8 value: UnsafeRawBufferPointer) {
        unsafe value.withMemoryRebound(to: UInt8.self) { unsafe text($0) }
    }

    /// `true` or `false`.
    package mutating func boolean(_ value: Bool) {
        if value { literal("true") } else { literal("false") }
    }

    /// `null`.
    package mutating func null() { literal("null") }

    /// Bytes that are JSON already, as one value. White space around it is left out, and line breaks inside it become
    /// blanks, so that one value stays on one line.
    package mutating func raw(_ json: UnsafeRawBufferPointer) {
        var start = 0
        var end = json.count
        while start < end, unsafe JSONWriter.isWhite(json[start]) { start += 1 }
        while start < end, unsafe JSONWriter.isWhite(json[end - 1]) { end -= 1 }
        guard start < end else { return null() }
        let text = unsafe UnsafeRawBufferPointer(rebasing: json[start..<end])
        let comma = needsComma
        bytes.append(addingCapacity: text.count + 1) { output in
            if comma { output.append(0x2C) }
            unsafe output.append(blankingBreaksOf: text)
        }
    }

    // MARK: - Parts

    /// Whether the last byte is the end of a value.
    @inline(__always) var needsComma: Bool {
        guard let last = bytes.last else { return false }
        // `"`, digits, `]`, `}` and the ends of literals; not `{`, `[`, `:`, `,` nor white space.
        return last == 0x22 || (last >= 0x30 && last != 0x3A && last != 0x5B && last != 0x7B)
    }

    private static func isWhite(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func open(_ bracket: UInt8) {
        if needsComma { bytes.append(0x2C) }
        bytes.append(bracket)
    }

    /// Appends ASCII that is no string, with its comma.
    mutating func literal(_ text: StaticString) {
        if needsComma { bytes.append(0x2C) }
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends clean text in quotation marks, with its comma, and a colon after a name.
    @inline(__always)
    private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>, isName: Bool) {
        let comma = needsComma
        let count = text.count
        bytes.append(addingCapacity: count + 4) { output in
            if comma { output.append(0x2C) }
            output.append(0x22)
            unsafe output.append(copying: UnsafeRawBufferPointer(text))
            output.append(0x22)
            if isName { output.append(0x3A) }
        }
    }

    /// Appends text that may need escapes.
    private mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        let end = text.count
        let clean = unsafe UTF8Check.cleanEnd(text, from: 0, end: end)
        if clean == end { return unsafe quoted(text, isName: false) }
        if needsComma { bytes.append(0x2C) }
        bytes.append(0x22)
        var index = 0
        while index < end {
            let stop = unsafe UTF8Check.cleanEnd(text, from: index, end: end)
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<stop]))
            index = stop
            if index < end {
                unsafe escape(text[index])
                index += 1
            }
        }
        bytes.append(0x22)
    }

    /// Appends the escape of one byte that may not stand in a string, or U+FFFD for one that is not UTF-8.
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: bytes += [0x5C, byte]
        case 0x08: bytes += [0x5C, 0x62]
        case 0x09: bytes += [0x5C, 0x74]
        case 0x0A: bytes += [0x5C, 0x6E]
        case 0x0C: bytes += [0x5C, 0x66]
        case 0x0D: bytes += [0x5C, 0x72]
        case 0x80...: bytes += [0xEF, 0xBF, 0xBD]
        default:
            let low = byte & 0x0F
            bytes += [0x5C, 0x75, 0x30, 0x30, 0x30 + (byte >> 4), low < 10 ? 0x30 + low : 0x57 + low]
        }
    }
}

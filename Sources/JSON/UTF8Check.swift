/// The rules of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// The length of the sequence that begins at `index` with a byte of 0x80 or more; 0 when it is not valid.
    static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, end: Int) -> Int {
        let first = unsafe bytes[index]
        guard index + 1 < end else { return 0 }
        let second = unsafe bytes[index + 1]
        switch first {
        case 0xC2...0xDF:
            return isContinuation(second) ? 2 : 0
        case 0xE0...0xEF:
            guard index + 2 < end, isContinuation(second), unsafe isContinuation(bytes[index + 2]) else { return 0 }
            if first == 0xE0 && second < 0xA0 { return 0 }  // overlong
            if first == 0xED && second > 0x9F { return 0 }  // surrogate
            return 3
        case 0xF0...0xF4:
            guard index + 3 < end, isContinuation(second), unsafe isContinuation(bytes[index + 2]),
                unsafe isContinuation(bytes[index + 3])
            else { return 0 }
            if first == 0xF0 && second < 0x90 { return 0 }  // overlong
            if first == 0xF4 && second > 0x8F { return 0 }  // above U+10FFFF
            return 4
        default:
            return 0
        }
    }

    @inline(__always) private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The end of the run from `index` that may stand in a JSON string as it is: no quotation mark, backslash or
    /// control character, and valid UTF-8.
    static func cleanEnd(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int, end: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = index
        while true {
            while index + 8 <= end {
                let found = unsafe ByteWord.special(
                    UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
                if found == 0 {
                    index += 8
                } else {
                    index += ByteWord.place(found)
                    break
                }
            }
            while index < end {
                let byte = unsafe bytes[index]
                if byte < 0x80 {
                    if byte == 0x22 || byte == 0x5C || byte < 0x20 { return index }
                    index += 1
                    if index + 8 <= end { break }
                } else {
                    let length = unsafe UTF8Check.length(bytes, at: index, end: end)
                    if length == 0 { return index }
                    index += length
                }
            }
            if index >= end { return end }
        }
    }
}

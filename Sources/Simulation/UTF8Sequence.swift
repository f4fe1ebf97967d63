/// The form of UTF-8 beyond ASCII (RFC 3629, section 4).
enum UTF8Sequence {
    /// How many bytes the sequence at `place` has; 0 when it is not well formed.
    static func length(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        func isContinuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            unsafe place + offset < bytes.count && range.contains(bytes[place + offset])
        }
        switch unsafe bytes[place] {
        case 0xC2...0xDF: return isContinuation(1) ? 2 : 0
        case 0xE0: return isContinuation(1, 0xA0...0xBF) && isContinuation(2) ? 3 : 0
        case 0xED: return isContinuation(1, 0x80...0x9F) && isContinuation(2) ? 3 : 0
        case 0xE1...0xEF: return isContinuation(1) && isContinuation(2) ? 3 : 0
        case 0xF0: return isContinuation(1, 0x90...0xBF) && isContinuation(2) && isContinuation(3) ? 4 : 0
        case 0xF1...0xF3: return isContinuation(1) && isContinuation(2) && isContinuation(3) ? 4 : 0
        case 0xF4: return isContinuation(1, 0x80...0x8F) && isContinuation(2) && isContinuation(3) ? 4 : 0
        default: return 0
        }
    }

    /// Whether all bytes are UTF-8; the last sequence may lack its end when the bytes were cut.
    static func isWhole(_ bytes: UnsafeRawBufferPointer, mayBeCut: Bool = false) -> Bool {
        var place = 0
        while place < bytes.count {
            if unsafe bytes[place] < 0x80 {
                place += 1
                continue
            }
            let length = unsafe length(bytes, at: place)
            guard length > 0 else { return mayBeCut && bytes.count - place < 4 }
            place += length
        }
        return true
    }
}

/// Eight bytes looked at as one number: the arithmetic that finds a byte of interest without a loop.
///
/// Each test gives a word in which the top bit of a byte is set where the byte matches. Only the *lowest* set bit is
/// exact (a borrow can mark bytes above a match), and only that one is used.
enum ByteWord {
    @inline(__always) static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @inline(__always) static var tops: UInt64 { 0x8080_8080_8080_8080 }

    /// `byte` in all eight places.
    @inline(__always) static func repeating(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

    /// The bytes that may not be copied as they are inside a JSON string: `"`, `\`, controls, and non-ASCII ones.
    @inline(__always) static func special(_ word: UInt64) -> UInt64 {
        let quote = word ^ repeating(0x22)
        let backslash = word ^ repeating(0x5C)
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- repeating(0x20)) & ~word)
        return (found | word) & tops
    }

    /// The control characters.
    @inline(__always) static func controls(_ word: UInt64) -> UInt64 {
        (word &- repeating(0x20)) & ~word & tops
    }

    /// The place of the first match, 0 to 7; 8 when there is none.
    @inline(__always) static func place(_ matches: UInt64) -> Int { matches.trailingZeroBitCount >> 3 }
}

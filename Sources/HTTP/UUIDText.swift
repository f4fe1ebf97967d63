/// The 36 characters of a UUID exactly as they were written, held in place without an allocation.
///
/// APNs repeats an id byte for byte and makes ids without version bits, so this is text and not a number.
package struct UUIDText: Sendable, Hashable {
    /// How many characters a UUID has in its canonical form.
    package static let length = 36

    /// The characters eight at a time, the first in the lowest byte.
    private var words: (UInt64, UInt64, UInt64, UInt64)
    private var tail: UInt32

    /// The id in these bytes; nil unless they are hexadecimal digits in the form 8-4-4-4-12, in either case.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.length else { return nil }
        unsafe words = (
            UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
        )
        tail = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt32.self))
        // The four dashes, replaced by a digit so that one test serves all bytes.
        guard words.1 & Self.dashMask.0 == Self.dashes.0, words.2 & Self.dashMask.1 == Self.dashes.1 else { return nil }
        let second = words.1 & ~Self.dashMask.0 | Self.zeros & Self.dashMask.0
        let third = words.2 & ~Self.dashMask.1 | Self.zeros & Self.dashMask.1
        let last = UInt64(tail) | Self.zeros << 32
        let faults =
            Self.notHex(words.0) | Self.notHex(second) | Self.notHex(third) | Self.notHex(words.3) | Self.notHex(last)
        guard faults == 0 else { return nil }
    }

    /// The id in this part of a request's storage.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard let id = unsafe bytes.withUnsafeBytes({ unsafe UUIDText(bytes: $0) }) else { return nil }
        self = id
    }

    /// The id in these bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        self.init(Array(bytes)[...])
    }

    /// The id in these bytes.
    package init?(_ bytes: Span<UInt8>) {
        guard let id = unsafe bytes.withUnsafeBytes({ unsafe UUIDText(bytes: $0) }) else { return nil }
        self = id
    }

    /// A new id in upper case, 128 random bits, as APNs makes them.
    package static func random(using generator: inout some RandomNumberGenerator) -> UUIDText {
        make(generator.next(), generator.next())
    }

    /// The same; a generic function of another module is not specialised, and each accepted push has two new ids.
    package static func random(using generator: inout FastRandom) -> UUIDText {
        make(generator.next(), generator.next())
    }

    private static func make(_ high: UInt64, _ low: UInt64) -> UUIDText {
        let (first, second) = (hexDigits(high), hexDigits(high >> 32))
        let (third, fourth) = (hexDigits(low), hexDigits(low >> 32))
        let dash = UInt64(UInt8(ascii: "-"))
        return UUIDText(
            words: (
                first,
                dash | (second & 0xFFFF_FFFF) << 8 | dash << 40 | (second >> 32 & 0xFFFF) << 48,
                second >> 48 | dash << 16 | (third & 0xFFFF_FFFF) << 24 | dash << 56,
                fourth
            ),
            tail: UInt32(truncatingIfNeeded: third >> 32))
    }

    private init(words: (UInt64, UInt64, UInt64, UInt64), tail: UInt32) {
        self.words = words
        self.tail = tail
    }

    /// Calls `body` with the 36 bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var copy = (
            words.0.littleEndian, words.1.littleEndian, words.2.littleEndian, words.3.littleEndian, tail.littleEndian
        )
        return try unsafe withUnsafeBytes(of: &copy) {
            try unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<Self.length]))
        }
    }

    /// Writes the 36 bytes, and nothing else.
    package func write(to target: UnsafeMutableRawPointer) {
        unsafe target.storeBytes(of: words.0.littleEndian, as: UInt64.self)
        unsafe target.storeBytes(of: words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
        unsafe target.storeBytes(of: words.2.littleEndian, toByteOffset: 16, as: UInt64.self)
        unsafe target.storeBytes(of: words.3.littleEndian, toByteOffset: 24, as: UInt64.self)
        unsafe target.storeBytes(of: tail.littleEndian, toByteOffset: 32, as: UInt32.self)
    }

    /// The characters with letters in lower case: the same id in either case is the same id (RFC 9562).
    private var folded: (words: (UInt64, UInt64, UInt64, UInt64), tail: UInt32) {
        let bit: UInt64 = 0x2020_2020_2020_2020
        return ((words.0 | bit, words.1 | bit, words.2 | bit, words.3 | bit), tail | UInt32(truncatingIfNeeded: bit))
    }

    package static func == (left: UUIDText, right: UUIDText) -> Bool {
        left.folded.words == right.folded.words && left.folded.tail == right.folded.tail
    }

    package func hash(into hasher: inout Hasher) {
        let folded = folded
        hasher.combine(folded.words.0)
        hasher.combine(folded.words.1)
        hasher.combine(folded.words.2)
        hasher.combine(folded.words.3)
        hasher.combine(folded.tail)
    }
}

extension UUIDText: CustomStringConvertible {
    /// The 36 characters.
    package var description: String {
        unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// Eight characters at a time.
extension UUIDText {
    /// Where the dashes are in the second and the third word: bytes 8 and 13, 18 and 23 of the text.
    private static let dashMask: (UInt64, UInt64) = (0x0000_FF00_0000_00FF, 0xFF00_0000_00FF_0000)
    private static let dashes: (UInt64, UInt64) = (0x0000_2D00_0000_002D, 0x2D00_0000_002D_0000)
    private static let zeros = each(UInt8(ascii: "0"))
    private static let highBits = each(0x80)

    private static func each(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// Zero when all eight characters are hexadecimal digits.
    private static func notHex(_ characters: UInt64) -> UInt64 {
        // For bytes below 128, adding 128 - n sets the high bit of those that are n or more, without a carry.
        let seven = characters & ~highBits
        let lower = seven | each(0x20)
        let isDigit = (seven &+ each(128 - 0x30)) & ~(seven &+ each(128 - 0x3A))
        let isLetter = (lower &+ each(128 - 0x61)) & ~(lower &+ each(128 - 0x67))
        return (characters | ~(isDigit | isLetter)) & highBits
    }

    /// The low 32 bits as eight upper-case hexadecimal digits.
    private static func hexDigits(_ bits: UInt64) -> UInt64 {
        var nibbles = bits & 0xFFFF_FFFF
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (nibbles &+ each(6)) >> 4 & each(1)
        return nibbles &+ zeros &+ isLetter &* 7
    }
}

extension UInt8 {
    /// Whether the byte is a hexadecimal digit of either case.
    @inlinable package var isHexDigit: Bool {
        switch self {
        case 48...57, 65...70, 97...102: true
        default: false
        }
    }
}

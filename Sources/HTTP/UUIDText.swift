/// The 36 characters of a UUID exactly as they were written, held in place without an allocation.
///
/// APNs repeats an id byte for byte and makes ids without version bits, so this is text and not a number.
package struct UUIDText: Sendable, Hashable {
    /// How many characters a UUID has in its canonical form.
    package static let length = 36

    private var words: (UInt64, UInt64, UInt64, UInt64)
    private var tail: UInt32

    /// The id in these bytes; nil unless they are hexadecimal digits in the form 8-4-4-4-12, in either case.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.init()
        var position = 0
        for byte in bytes {
            let isDash = position == 8 || position == 13 || position == 18 || position == 23
            guard isDash ? byte == UInt8(ascii: "-") : byte.isHexDigit else { return nil }
            self.set(position, byte)
            position += 1
        }
    }

    /// The id in these bytes, without a step through generics; nil unless they are a UUID.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.init()
        var position = 0
        while position < Self.length {
            let byte = bytes[position]
            let isDash = position == 8 || position == 13 || position == 18 || position == 23
            guard isDash ? byte == UInt8(ascii: "-") : byte.isHexDigit else { return nil }
            set(position, byte)
            position += 1
        }
    }

    /// A new id in upper case, 128 random bits, as APNs makes them.
    package static func random(using generator: inout some RandomNumberGenerator) -> UUIDText {
        var id = UUIDText()
        var bits = generator.next()
        var left = 16
        for position in 0..<length {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                id.set(position, UInt8(ascii: "-"))
                continue
            }
            if left == 0 {
                bits = generator.next()
                left = 16
            }
            let digit = UInt8(truncatingIfNeeded: bits & 15)
            id.set(position, digit < 10 ? 48 + digit : 55 + digit)
            bits >>= 4
            left -= 1
        }
        return id
    }

    private init() {
        words = (0, 0, 0, 0)
        tail = 0
    }

    private mutating func set(_ position: Int, _ byte: UInt8) {
        let shift = UInt64(position & 7) * 8
        switch position >> 3 {
        case 0: words.0 |= UInt64(byte) << shift
        case 1: words.1 |= UInt64(byte) << shift
        case 2: words.2 |= UInt64(byte) << shift
        case 3: words.3 |= UInt64(byte) << shift
        default: tail |= UInt32(byte) << UInt32(shift)
        }
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

    package static func == (left: UUIDText, right: UUIDText) -> Bool {
        left.words == right.words && left.tail == right.tail
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
        hasher.combine(tail)
    }
}

extension UUIDText: CustomStringConvertible {
    /// The 36 characters.
    package var description: String {
        unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    /// Whether the byte is a hexadecimal digit of either case.
    package var isHexDigit: Bool {
        switch self {
        case 48...57, 65...70, 97...102: true
        default: false
        }
    }
}

/// Base64 as senders in wide use write it: either alphabet, padded or not.
package enum ProviderTokenBase64 {
    /// The decoded bytes, and whether they were written otherwise than RFC 7515 says.
    package struct Decoded: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Whether `+`, `/` or `=` occurs.
        package var isStandard: Bool
    }

    /// Decodes some text; nil when it is neither base64url nor base64.
    package static func decode(_ text: Span<UInt8>) -> Decoded? {
        var length = text.count
        while length > 0, text.count - length < 2, text[length - 1] == UInt8(ascii: "=") { length -= 1 }
        // Padding fills a group of four; one character alone holds no byte.
        guard length == text.count || text.count % 4 == 0, length % 4 != 1 else { return nil }
        var decoded = Decoded(bytes: [], isStandard: length != text.count)
        decoded.bytes.reserveCapacity(length / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for position in 0..<length {
            guard let value = value(of: text[position], isStandard: &decoded.isStandard) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                decoded.bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return decoded
    }

    private static func value(of byte: UInt8, isStandard: inout Bool) -> UInt32? {
        switch byte {
        case 65...90: return UInt32(byte) - 65
        case 97...122: return UInt32(byte) - 71
        case 48...57: return UInt32(byte) + 4
        case UInt8(ascii: "-"): return 62
        case UInt8(ascii: "_"): return 63
        case UInt8(ascii: "+"):
            isStandard = true
            return 62
        case UInt8(ascii: "/"):
            isStandard = true
            return 63
        default: return nil
        }
    }
}

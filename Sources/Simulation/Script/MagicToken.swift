package import APNs
package import HTTP

/// A device token that spells what becomes of pushes to it, so that a test needs no call of the admin API:
///
///     6d6f636b  0410  01      02       0150    …
///     "mock"    BCD   reason  failing  BCD     whatever makes tokens distinct
///               status index  tries    x 10 ms
///
/// The index counts the reasons of the status; failing tries are 00 for always.
package struct MagicToken: Sendable, Equatable {
    /// A reason, and how tokens spell it.
    package struct Row: Sendable {
        package let reason: Reason
        /// Its place among the reasons of its status, from 1.
        package let index: UInt8
    }

    /// Why pushes are refused; nil when they are accepted.
    package var reason: Reason?
    /// How many pushes are refused before the others are accepted; 0 for all.
    package var failFirst: Int
    /// How long answers wait, in milliseconds.
    package var delay: Int64

    /// "mock", in hexadecimal digits.
    package static let prefix: StaticString = "6d6f636b"
    /// How many tries can fail first.
    package static let failFirstLimit = 255
    /// The longest delay, in milliseconds; delays are multiples of 10.
    package static let delayLimit: Int64 = 99_990
    /// How many digits spell something.
    static let spelledDigits = 20
    /// How many bytes behind those are zero in tokens that are made here, and how many are random.
    static let zeroBytes = 6
    package static let tailBytes = 16

    /// An outcome; the delay is rounded to 10 ms.
    package init(reason: Reason? = nil, failFirst: Int = 0, delay: Int64 = 0) {
        self.reason = reason
        self.failFirst = min(max(failFirst, 0), Self.failFirstLimit)
        self.delay = min(max((delay + 5) / 10 * 10, 0), Self.delayLimit)
    }

    /// The outcome that a token spells; nil for all that spell none.
    package init?(_ token: Span<UInt8>) {
        guard token.count >= Self.spelledDigits, Self.isLikely(token) else { return nil }
        for place in 0..<Self.prefix.utf8CodeUnitCount {
            guard unsafe token[place].lowercasedASCII == Self.prefix.utf8Start[place] else { return nil }
        }
        guard let status = Self.decimal(token, 8..<12), let index = Self.byte(token, 12),
            let failFirst = Self.byte(token, 14), let hundredths = Self.decimal(token, 16..<20)
        else { return nil }
        if status == 200 {
            reason = nil
        } else {
            let wanted = max(index, 1)
            guard let row = Self.table.first(where: { $0.reason.status == status && $0.index == wanted }) else {
                return nil
            }
            reason = row.reason
        }
        self.failFirst = Int(failFirst)
        delay = Int64(hundredths) * 10
    }

    /// Whether a token begins with the first letter of "mock": one comparison that nearly all others fail.
    @inline(__always)
    static func isLikely(_ token: Span<UInt8>) -> Bool {
        token.count >= spelledDigits && token[0] == UInt8(ascii: "6") && token[1] | 0x20 == UInt8(ascii: "d")
    }

    /// The token, 64 hexadecimal digits, with a tail that makes it distinct.
    package func text(using random: inout FastRandom) -> String {
        let status = reason?.status ?? 200
        let index = Self.table.first { $0.reason == reason }?.index ?? 0
        var text = Self.prefix.description + Self.digits(Int(status)) + Self.hex(index)
        text += Self.hex(UInt8(failFirst)) + Self.digits(Int(delay / 10))
        text += String(repeating: "00", count: Self.zeroBytes)
        for _ in 0..<Self.tailBytes { text += Self.hex(UInt8(truncatingIfNeeded: random.next())) }
        return text
    }

    /// Every reason that a push to a device can have, and its index.
    package static let table: [Row] = {
        var counts: [UInt16: UInt8] = [:]
        return Reason.allCases.filter { $0.row.occurrence.contains(.device) }.map { reason in
            counts[reason.status, default: 0] += 1
            return Row(reason: reason, index: counts[reason.status] ?? 1)
        }
    }()

    // MARK: Digits

    private static func decimal(_ token: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        var value: UInt16 = 0
        for place in range {
            guard (48...57).contains(token[place]) else { return nil }
            value = value * 10 + UInt16(token[place] - 48)
        }
        return value
    }

    private static func byte(_ token: Span<UInt8>, _ place: Int) -> UInt8? {
        guard let high = digit(token[place]), let low = digit(token[place + 1]) else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte.lowercasedASCII {
        case 48...57: byte - 48
        case 97...102: byte.lowercasedASCII - 87
        default: nil
        }
    }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: 4 - text.count) + text
    }

    private static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }
}

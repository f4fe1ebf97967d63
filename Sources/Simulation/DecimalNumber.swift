/// A decimal number exactly as it is written, whatever its size: `1e2` is `100`, `-0` is `0`, and neighbours of 2^53 differ.
///
/// It is kept as its digits and the place of the first one, so an exponent of any size costs nothing.
struct DecimalNumber: Sendable, Hashable {
    private let isNegative: Bool
    /// Without zeros at either end; none for zero.
    private let digits: [UInt8]
    /// The power of ten in front of whose place the digits begin: 0.5 has 0, 5 has 1. Exponents that no integer holds are one.
    private let magnitude: Int

    /// Reads a number of JSON, also one with a plus or zeros in front; nil for anything else.
    init?(_ text: Span<UInt8>) {
        var place = 0
        var isNegative = false
        if let first = text.first, first == 0x2D || first == 0x2B {
            isNegative = first == 0x2D
            place = 1
        }
        var digits: [UInt8] = []
        var magnitude = 0
        var isFraction = false
        var count = 0
        scan: while place < text.count {
            let byte = text[place]
            switch byte {
            case 48...57:
                count += 1
                let isSignificant = byte != 48 || !digits.isEmpty
                if isSignificant { digits.append(byte) }
                if isFraction {
                    if !isSignificant { magnitude -= 1 }
                } else if isSignificant {
                    magnitude += 1
                }
            case 0x2E where !isFraction && count > 0: isFraction = true
            case 0x65, 0x45: break scan
            default: return nil
            }
            place += 1
        }
        guard count > 0, text[place - 1] != 0x2E else { return nil }
        if place < text.count {
            guard let exponent = Self.exponent(text, from: place + 1) else { return nil }
            let (sum, isBeyond) = magnitude.addingReportingOverflow(exponent)
            magnitude = isBeyond ? exponent : sum
        }
        while digits.last == 48 { digits.removeLast() }
        self.isNegative = isNegative && !digits.isEmpty
        self.digits = digits
        self.magnitude = digits.isEmpty ? 0 : magnitude
    }

    /// A whole number.
    init(_ number: some BinaryInteger) {
        let text = Array(String(number).utf8)
        self = DecimalNumber(text.span) ?? .zero
    }

    private init() {
        isNegative = false
        digits = []
        magnitude = 0
    }

    private static let zero = DecimalNumber()

    /// How many steps it takes to compare with it.
    var cost: Int { digits.count &+ 1 }

    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
        var place = start
        guard place < text.count else { return nil }
        let isNegative = text[place] == 0x2D
        if isNegative || text[place] == 0x2B { place += 1 }
        guard place < text.count else { return nil }
        var value = 0
        while place < text.count {
            guard (48...57).contains(text[place]) else { return nil }
            let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(Int(text[place] - 48))
            value = isLarge || isLarger ? .max : sum
            place += 1
        }
        return isNegative ? -value : value
    }
}

extension DecimalNumber: Comparable {
    static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? isBelow(right, left) : isBelow(left, right)
    }

    /// Compares without signs.
    private static func isBelow(_ left: DecimalNumber, _ right: DecimalNumber) -> Bool {
        if left.digits.isEmpty || right.digits.isEmpty { return left.digits.isEmpty && !right.digits.isEmpty }
        if left.magnitude != right.magnitude { return left.magnitude < right.magnitude }
        return left.digits.lexicographicallyPrecedes(right.digits)
    }
}

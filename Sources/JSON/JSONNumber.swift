/// Reads the text of a number exactly.
enum JSONNumber {
    /// The value of a checked number when it is whole and an Int64 can hold it.
    static func integer(_ text: ArraySlice<UInt8>) -> Int64? {
        var digits = Digits()
        var exponent = 0
        var index = text.startIndex
        let isNegative = text.first == 0x2D
        if isNegative { index += 1 }
        var isFraction = false
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            if byte == 0x2E {
                isFraction = true
            } else if byte | 0x20 == 0x65 {
                exponent = self.exponent(text[index...])
                break
            } else {
                digits.add(byte - 0x30)
                if isFraction { digits.scale -= 1 }
            }
        }
        guard let magnitude = digits.whole(exponent: exponent) else { return nil }
        if isNegative { return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }

    /// The value of a checked number in the common case: at most fifteen digits and no exponent. Then both its digits
    /// and the power of ten that divides them are exact in a Double, and one division rounds correctly.
    static func double(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.count <= 16 else { return nil }
        var digits: Int64 = 0
        var divisor = 1.0
        var isFraction = false
        for byte in text {
            switch byte {
            case 0x30...0x39:
                digits = digits * 10 + Int64(byte - 0x30)
                if isFraction { divisor *= 10 }
            case 0x2E: isFraction = true
            case 0x2D: break
            default: return nil
            }
        }
        guard digits < 1 << 53 else { return nil }
        let value = Double(digits) / divisor
        return text.first == 0x2D ? -value : value
    }

    /// How many characters a number without fraction and exponent has at most that a Double holds for certain.
    static let safeLength = 15

    /// Whether a checked number has no fraction and is not below 0.
    static func isWhole(_ text: ArraySlice<UInt8>) -> Bool {
        var power = 0
        var isFraction = false
        var hasValue = false
        var zeros = 0
        for (index, byte) in zip(text.indices, text) where byte != 0x2D {
            if byte == 0x2E {
                isFraction = true
            } else if byte | 0x20 == 0x65 {
                power += exponent(text[(index + 1)...])
                break
            } else {
                if isFraction { power -= 1 }
                zeros = byte == 0x30 ? zeros + 1 : 0
                hasValue = hasValue || byte != 0x30
            }
        }
        return !hasValue || (text.first != 0x2D && power + zeros >= 0)
    }

    /// Whether neither a Double nor an integer of 64 bits holds a checked number: it is beyond the one's range, or it is
    /// whole and has digits that both lose.
    static func isBeyondDouble(_ text: ArraySlice<UInt8>) -> Bool {
        if double(text) != nil { return false }
        let words = String(decoding: text, as: UTF8.self)
        guard let value = Double(words), value.isFinite else { return true }
        let mantissa = text.prefix { $0 | 0x20 != 0x65 }
        if value == 0 { return mantissa.contains { (0x31...0x39).contains($0) } }
        guard mantissa.count == text.count, !text.contains(0x2E) else { return false }
        return Int64(words) == nil && UInt64(words) == nil && !isExact(text.drop { $0 == 0x2D })
    }

    /// Whether a Double holds these digits exactly: from the highest to the lowest bit that is set there are at most 53.
    private static func isExact(_ digits: ArraySlice<UInt8>) -> Bool {
        var words: [UInt32] = []
        for digit in digits {
            var carry = UInt64(digit - 0x30)
            for index in words.indices {
                carry += UInt64(words[index]) * 10
                words[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            if carry > 0 { words.append(UInt32(truncatingIfNeeded: carry)) }
        }
        guard let lowest = words.firstIndex(where: { $0 != 0 }), let last = words.last else { return true }
        let highBit = words.count * 32 - last.leadingZeroBitCount
        return highBit - lowest * 32 - words[lowest].trailingZeroBitCount <= 53
    }

    /// The value of an exponent; what is beyond any use counts as a million.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        var value = 0
        for byte in text where byte != 0x2B && byte != 0x2D { value = min(value * 10 + Int(byte - 0x30), 1_000_000) }
        return text.first == 0x2D ? -value : value
    }

    /// The digits of a number without the zeros at either end.
    private struct Digits {
        /// The power of ten that the digits so far are multiplied with.
        var scale = 0
        private var value: UInt64 = 0
        private var zeros = 0
        private var isTooLong = false

        mutating func add(_ digit: UInt8) {
            guard digit != 0 else {
                if value != 0 { zeros += 1 }
                return
            }
            isTooLong = isTooLong || !multiply(byTenTo: zeros + 1)
            zeros = 0
            let (sum, overflow) = value.addingReportingOverflow(UInt64(digit))
            value = sum
            isTooLong = isTooLong || overflow
        }

        /// The number when it is whole and fits.
        func whole(exponent: Int) -> UInt64? {
            guard value != 0 || isTooLong else { return 0 }
            let power = exponent + scale + zeros
            var result = self
            guard !isTooLong, power >= 0, result.multiply(byTenTo: power) else { return nil }
            return result.value
        }

        private mutating func multiply(byTenTo power: Int) -> Bool {
            guard value != 0 else { return true }
            guard power < 20 else { return false }
            for _ in 0..<power {
                let (product, overflow) = value.multipliedReportingOverflow(by: 10)
                value = product
                if overflow { return false }
            }
            return true
        }
    }
}

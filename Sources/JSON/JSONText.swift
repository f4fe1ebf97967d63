/// Small rules about the text of strings and names.
enum JSONText {
    /// The value of a hexadecimal digit.
    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// A quick hash of a name from its length and its first eight bytes; `first` may hold bytes beyond the name.
    @inline(__always)
    static func nameHash(first: UInt64, length: Int) -> UInt64 {
        let own = length >= 8 ? first : first & ((1 &<< (UInt64(truncatingIfNeeded: length) &* 8)) &- 1)
        return (own ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// The place of a letter in the alphabet, from 0, in either case.
    @inline(__always)
    static func letter(_ byte: UInt8) -> Int? {
        let place = Int(byte | 0x20) - 0x61
        return place >= 0 && place < 26 ? place : nil
    }

    /// Whether two names have the same letters, whatever their case and the hyphens and underscores between them.
    static func isLooselyEqual(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        var (first, second) = (left.startIndex, right.startIndex)
        while true {
            while first < left.endIndex, left[first] == 0x2D || left[first] == 0x5F { first += 1 }
            while second < right.endIndex, right[second] == 0x2D || right[second] == 0x5F { second += 1 }
            guard first < left.endIndex, second < right.endIndex else {
                return first == left.endIndex && second == right.endIndex
            }
            let (one, other) = (left[first], right[second])
            guard one == other || (one | 0x20 == other | 0x20 && letter(one) != nil) else { return false }
            first += 1
            second += 1
        }
    }

    /// Takes the escapes out of the inside of a string that was checked before.
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == 0x5C, index + 1 < bytes.endIndex else {
                result.append(bytes[index])
                index += 1
                continue
            }
            index += 1
            switch bytes[index] {
            case 0x62: result.append(0x08)
            case 0x66: result.append(0x0C)
            case 0x6E: result.append(0x0A)
            case 0x72: result.append(0x0D)
            case 0x74: result.append(0x09)
            case 0x75:
                index += append(bytes[(index + 1)...], to: &result)
            case let plain: result.append(plain)
            }
            index += 1
        }
        return result
    }

    /// Appends the character of an escape whose digits come first in `digits`; returns how many bytes those are.
    private static func append(_ digits: ArraySlice<UInt8>, to result: inout [UInt8]) -> Int {
        let high = unit(digits)
        var value = high
        var length = 4
        if (0xD800...0xDBFF).contains(high), digits.count >= 10 {
            value = 0x10000 + (high & 0x3FF) << 10 + unit(digits.dropFirst(6)) & 0x3FF
            length = 10
        }
        if let scalar = Unicode.Scalar(value) { result += UTF8.encode(scalar).map(Array.init) ?? [] }
        return length
    }

    /// The number of four hexadecimal digits.
    private static func unit(_ digits: ArraySlice<UInt8>) -> UInt32 {
        digits.prefix(4).reduce(0) { $0 << 4 | UInt32(hexadecimal($1) ?? 0) }
    }
}

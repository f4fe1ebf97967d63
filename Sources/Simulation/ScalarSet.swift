/// Some characters of Unicode, as regular expressions name them.
struct ScalarSet: Sendable, Hashable {
    private(set) var ranges: [ClosedRange<UInt32>]
    private(set) var isInverted = false

    /// The characters of these ranges.
    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = ranges
    }

    /// One character.
    init(_ scalar: UInt32) {
        ranges = [scalar...scalar]
    }

    /// The same with its ranges in order and apart, as ``contains(_:)`` of many characters wants them.
    var ordered: ScalarSet {
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        var set = self
        set.ranges = result
        return set
    }

    /// Whether the character is one of them.
    func contains(_ scalar: UInt32) -> Bool {
        for range in ranges where range.contains(scalar) { return !isInverted }
        return isInverted
    }

    /// The one character in it; nil when there are others.
    var single: UInt32? {
        guard !isInverted, ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }

    /// All others.
    var inverted: ScalarSet {
        var set = self
        set.isInverted.toggle()
        return set
    }

    /// The characters of both; of an inverted set, its ranges are taken from all of Unicode.
    mutating func formUnion(_ other: ScalarSet) {
        ranges += other.isInverted ? other.complement : other.ranges
    }

    /// The same with the letters of ASCII in both cases.
    var ignoringCase: ScalarSet {
        var set = self
        for range in ranges {
            for (letters, distance) in [(UInt32(65)...90, 32), (97...122, -32)] as [(ClosedRange<UInt32>, Int64)] {
                let shared = range.clamped(to: letters)
                guard range.overlaps(letters) else { continue }
                let lower = UInt32(Int64(shared.lowerBound) + distance)
                set.ranges.append(lower...UInt32(Int64(shared.upperBound) + distance))
            }
        }
        return set
    }

    private var complement: [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
            next = max(next, range.upperBound + 1)
        }
        if next <= Self.last { result.append(next...Self.last) }
        return result
    }

    private static let last: UInt32 = 0x10FFFF

    /// `\d`
    static let digit = ScalarSet([48...57])
    /// `\w`
    static let word = ScalarSet([
        48...57, 65...90, 95...95, 97...122, 0xAA...0xAA, 0xB5...0xB5, 0xBA...0xBA, 0xC0...0xD6, 0xD8...0xF6,
        0xF8...0x2FF, 0x370...0x1FFF, 0x3040...0xD7FF,
    ])
    /// `\s`
    static let space = ScalarSet([9...13, 32...32, 0x85...0x85, 0xA0...0xA0, 0x2000...0x200A, 0x2028...0x2029])
    /// `.`
    static let anyButNewline = ScalarSet([10...10, 13...13]).inverted
}

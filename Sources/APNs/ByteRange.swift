/// Where some bytes lie in a request's storage, in half the room of a `Range<Int>?`.
package struct ByteRange: Sendable, Equatable {
    package let start: UInt32
    package let end: UInt32

    package init(_ start: UInt32, _ end: UInt32) {
        self.start = start
        self.end = end
    }

    package init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    /// The place of what is not there.
    package static let absent = ByteRange(.max, .max)

    package var isPresent: Bool { start != .max }
    package var count: Int { Int(end) - Int(start) }

    /// The same as a range; nil when absent.
    package var range: Range<Int>? { isPresent ? Int(start)..<Int(end) : nil }

    /// The same as a range; empty when absent.
    package var bounds: Range<Int> { isPresent ? Int(start)..<Int(end) : 0..<0 }
}

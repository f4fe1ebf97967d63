/// A name of at most 24 bytes as words, the first byte lowest, zeros above the last.
struct JSONNameWords: Equatable, Sendable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var length: UInt64

    init(_ first: UInt64, _ second: UInt64, _ third: UInt64, length: Int) {
        self.first = first
        self.second = second
        self.third = third
        self.length = UInt64(truncatingIfNeeded: length)
    }

    init(_ bytes: [UInt8]) {
        func word(_ start: Int) -> UInt64 {
            bytes.dropFirst(start).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(word(0), word(8), word(16), length: bytes.count)
    }
}

/// Several texts of which a value may be any. Many exact ones are found by their hash, so a list of thousands costs no more
/// than one.
struct PatternSet: Sendable {
    /// From how many exact texts on they are looked up together.
    private static let tableMinimum = 8

    /// All of them, as they were given.
    let all: [TextPattern]
    /// Those that are asked one by one.
    private let single: [TextPattern]
    /// The exact ones that are looked up together.
    private let table: Set<[UInt8]>
    private let tableIsCaseless: Bool
    private let longest: Int
    /// Those that are numbers.
    private let numbers: Set<DecimalNumber>
    private let reckoned: Int

    /// The set of these patterns.
    init(_ patterns: [TextPattern]) {
        all = patterns
        let exact = patterns.compactMap(\.exact)
        let isTable = exact.count >= Self.tableMinimum && Set(patterns.map(\.isCaseless)).count == 1
        table = isTable ? Set(exact) : []
        longest = table.reduce(0) { max($0, $1.count) }
        tableIsCaseless = patterns.first?.isCaseless ?? false
        single = isTable ? patterns.filter { $0.exact == nil } : patterns
        numbers = Set(patterns.compactMap { $0.exact.flatMap { DecimalNumber($0.span) } })
        reckoned = numbers.reduce(0) { max($0, $1.cost) }
    }

    /// The most steps that a value of so many bytes takes.
    func cost(bytes: Int) -> Int {
        single.reduce(1 &+ min(longest, bytes) &+ reckoned) { $0 &+ $1.cost(bytes: bytes) }
    }

    /// Whether the value is one of them; numbers of JSON are compared as numbers.
    func contains(_ kind: MatchValue, _ text: Span<UInt8>, _ scratch: MatchScratch) -> Bool {
        if !table.isEmpty, text.count <= longest {
            scratch.charge(1 + text.count)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count)
            for place in 0..<text.count { bytes.append(tableIsCaseless ? text[place].lowercasedASCII : text[place]) }
            if table.contains(bytes) { return true }
        }
        for pattern in single {
            if pattern.matches(text, scratch) { return true }
            if scratch.isSpent { return false }
        }
        guard kind == .number, !numbers.isEmpty, let number = DecimalNumber(text) else { return false }
        scratch.charge(number.cost)
        return numbers.contains(number)
    }
}

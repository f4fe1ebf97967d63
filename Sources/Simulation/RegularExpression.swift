/// A regular expression that takes time in proportion to the text, whatever it says.
///
/// Expressions come from guests and are tried on pushes, so none may take exponential time, as backtracking engines can be made
/// to. What only such engines can do (back-references, looking around) is refused. An ordinary expression becomes a table that
/// reads each character once; where that table would be too large, the set of reached steps is followed instead, and every
/// step is charged.
struct RegularExpression: Sendable {
    /// Why a text is no expression, in words for people.
    struct Fault: Error, Sendable {
        let message: String
    }

    /// The longest expression, in bytes.
    static let sourceLimit = 1000
    /// How many steps an expression may have; repetition multiplies them.
    static let stepLimit = RegularExpressionProgram.stepLimit
    /// How deep groups may lie within each other.
    static let depthLimit = 32

    /// The expression as it was given.
    let source: String
    /// How much work it was to make it ready, in steps.
    let preparation: Int
    private let program: RegularExpressionProgram
    private let table: RegularExpressionTable?

    /// Reads an expression.
    init(_ source: String) throws(Fault) {
        self.source = source
        guard source.utf8.count <= Self.sourceLimit else {
            throw Fault(message: "it is longer than \(Self.sourceLimit) bytes")
        }
        var reader = RegularExpressionReader(source)
        program = try RegularExpressionProgram(try reader.read())
        var work = program.steps.count
        table = RegularExpressionTable(program, &work)
        preparation = work
    }

    /// Whether each character is looked at once.
    var isTable: Bool { table != nil }

    /// The most steps that a text of so many bytes takes.
    func cost(bytes: Int) -> Int {
        table != nil ? bytes &+ 1 : (bytes &+ 1) &* program.weight
    }

    /// Whether some part of the text is described.
    func isFound(in text: Span<UInt8>, _ scratch: MatchScratch) -> Bool {
        if let table { return table.isFound(in: text, scratch) }
        var walk = RegularExpressionProgram.Walk(program)
        var place = 0
        while place < text.count {
            let scalar = text.scalar(at: &place)
            let isFound = walk.advance(over: scalar)
            scratch.charge(walk.takeCost())
            if isFound { return true }
            if scratch.isSpent { return false }
        }
        let isFound = walk.end()
        scratch.charge(walk.takeCost())
        return isFound
    }
}

extension Span<UInt8> {
    /// The character at a place, which goes behind it; a byte that begins none is U+FFFD.
    func scalar(at place: inout Int) -> UInt32 {
        let first = self[place]
        place += 1
        let more: Int
        switch first {
        case 0..<0x80: return UInt32(first)
        case 0xC2...0xDF: more = 1
        case 0xE0...0xEF: more = 2
        case 0xF0...0xF4: more = 3
        default: return 0xFFFD
        }
        guard place + more <= count else { return 0xFFFD }
        var value = UInt32(first) & (0x3F >> UInt32(more))
        for offset in 0..<more {
            let byte = self[place + offset]
            guard byte & 0xC0 == 0x80 else { return 0xFFFD }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard Unicode.Scalar(value) != nil, value >= [0x80, 0x800, 0x10000][more - 1] else { return 0xFFFD }
        place += more
        return value
    }
}

/// Reads the usual notation: `.` `[…]` `\d \w \s \b` `^ $` `(…)` `|` `* + ? {n,m}`, and `(?i)` at the start.
struct RegularExpressionReader {
    private typealias Fault = RegularExpression.Fault
    private typealias Node = RegularExpressionNode

    /// The highest number in braces.
    static let repetitionLimit = 1000

    private let scalars: [UInt32]
    private var place = 0
    private var depth = 0
    private var ignoresCase = false

    init(_ source: String) {
        scalars = source.unicodeScalars.map(\.value)
    }

    /// The whole expression.
    mutating func read() throws(RegularExpression.Fault) -> RegularExpressionNode {
        if skip("(?i)") { ignoresCase = true }
        let node = try choice()
        guard place == scalars.count else { throw fault("has a ) that closes nothing") }
        return node
    }

    private mutating func choice() throws(Fault) -> Node {
        var parts = [try sequence()]
        while skip("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws(Fault) -> Node {
        var parts: [Node] = []
        while next != nil, !isNext("|"), !isNext(")") { parts.append(try repeated()) }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func repeated() throws(Fault) -> Node {
        let part = try single()
        var result = part
        var isRepeated = false
        while let bounds = try repetition() {
            if isRepeated { throw fault("repeats a repetition") }
            isRepeated = true
            result = .repetition(part, bounds.minimum, bounds.maximum)
            // Whether as little as possible is taken makes no difference to whether something is found.
            _ = skip("?")
        }
        return result
    }

    private mutating func repetition() throws(Fault) -> (minimum: Int, maximum: Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        let start = place
        guard skip("{") else { return nil }
        let minimum = number()
        var maximum = minimum
        if let minimum, skip(",") {
            maximum = number()
            guard skip("}") else { return try brace(start) }
            if let maximum, maximum < minimum { throw fault("has {\(minimum),\(maximum)}, which is backwards") }
            return (try limited(minimum), try maximum.map { value throws(Fault) in try limited(value) })
        }
        guard let minimum, skip("}") else { return try brace(start) }
        return (try limited(minimum), minimum)
    }

    /// A brace that begins no repetition.
    private mutating func brace(_ start: Int) throws(Fault) -> (minimum: Int, maximum: Int?)? {
        place = start
        throw fault(#"has a { that is no repetition; write \{"#)
    }

    private func limited(_ number: Int) throws(Fault) -> Int {
        guard number <= Self.repetitionLimit else { throw fault("repeats more than \(Self.repetitionLimit) times") }
        return number
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = next, ScalarSet.digit.contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit - 48), Self.repetitionLimit + 1)
            place += 1
        }
        return value
    }

    private mutating func single() throws(Fault) -> Node {
        guard let scalar = take() else { return .empty }
        switch scalar {
        case ".": return .set(.anyButNewline)
        case "^": return .place(.start)
        case "$": return .place(.end)
        case "(": return try group()
        case "[": return .set(try bracket())
        case "\\": return try escape()
        case "*", "+", "?", "{": throw fault("has nothing to repeat before \(scalar)")
        default: return literal(scalar.value)
        }
    }

    private mutating func group() throws(Fault) -> Node {
        if isNext("?"), !skip("?:") {
            throw fault("has a group that begins with (?, of which only (?: and, at the start, (?i) are supported")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= RegularExpression.depthLimit else {
            throw fault("has more than \(RegularExpression.depthLimit) groups within each other")
        }
        let node = try choice()
        guard skip(")") else { throw fault("has a ( that is not closed") }
        return node
    }

    private mutating func bracket() throws(Fault) -> ScalarSet {
        let isInverted = skip("^")
        var set = ScalarSet([])
        var isFirst = true
        while true {
            guard let scalar = take() else { throw fault("has a [ that is not closed") }
            if scalar == "]", !isFirst { break }
            isFirst = false
            var lower = scalar.value
            if scalar == "\\" {
                switch try escape() {
                case .set(let inner):
                    guard let single = inner.single else {
                        set.formUnion(inner)
                        continue
                    }
                    lower = single
                default: throw fault("has an escape in brackets that is no character")
                }
            }
            var upper = lower
            if isNext("-"), !isNext("]", ahead: 1), place + 1 < scalars.count {
                place += 1
                guard let end = take() else { throw fault("has a [ that is not closed") }
                upper = end.value
                if end == "\\" {
                    guard case .set(let inner) = try escape(), let single = inner.single else {
                        throw fault("has a range in brackets whose end is no character")
                    }
                    upper = single
                }
            }
            guard lower <= upper else { throw fault("has a range in brackets that is backwards") }
            set.formUnion(ScalarSet([lower...upper]))
        }
        if ignoresCase { set = set.ignoringCase }
        return isInverted ? set.inverted : set
    }

    private mutating func escape() throws(Fault) -> Node {
        guard let scalar = take() else { throw fault(#"ends with a \"#) }
        switch scalar {
        case "d": return .set(.digit)
        case "D": return .set(ScalarSet.digit.inverted)
        case "w": return .set(.word)
        case "W": return .set(ScalarSet.word.inverted)
        case "s": return .set(.space)
        case "S": return .set(ScalarSet.space.inverted)
        case "b": return .place(.wordEdge)
        case "B": return .place(.noWordEdge)
        case "A": return .place(.start)
        case "z", "Z": return .place(.end)
        case "n": return .set(ScalarSet(10))
        case "r": return .set(ScalarSet(13))
        case "t": return .set(ScalarSet(9))
        case "f": return .set(ScalarSet(12))
        case "x": return try literal(hexadecimal(2))
        case "u": return try literal(hexadecimal(4))
        case "1"..."9": throw fault(#"refers back with \\#(scalar), which is not supported"#)
        default:
            if scalar.properties.isAlphabetic || scalar == "0" { throw fault(#"has the unknown escape \\#(scalar)"#) }
            return literal(scalar.value)
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(Fault) -> UInt32 {
        let end = place + count
        guard end <= scalars.count else { throw fault("has an escape with too few digits") }
        var value: UInt32 = 0
        while place < end {
            guard let scalar = take(), let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
                throw fault("has an escape with too few digits")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private func literal(_ scalar: UInt32) -> Node {
        let set = ScalarSet(scalar)
        return .set(ignoresCase ? set.ignoringCase : set)
    }

    // MARK: Characters

    private var next: UInt32? { place < scalars.count ? scalars[place] : nil }

    private func isNext(_ scalar: Unicode.Scalar, ahead: Int = 0) -> Bool {
        place + ahead < scalars.count && scalars[place + ahead] == scalar.value
    }

    private mutating func take() -> Unicode.Scalar? {
        guard let value = next, let scalar = Unicode.Scalar(value) else { return nil }
        place += 1
        return scalar
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let wanted = text.description.unicodeScalars.map(\.value)
        guard scalars[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private func fault(_ words: String) -> Fault {
        Fault(message: "it \(words) (character \(place))")
    }
}

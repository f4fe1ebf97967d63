/// A regular expression that takes time in proportion to the text, whatever it says.
///
/// Expressions come from guests and are tried on pushes while a journal is locked, so none may take exponential time, as
/// backtracking engines can be made to. What only such engines can do (back-references, looking around) is refused.
struct RegularExpression: Sendable {
    /// What one step of a search asks or does.
    enum Step: Sendable {
        /// Goes on if the next character is one of these.
        case take(ScalarSet)
        /// Goes on if the place is of this kind.
        case check(Place)
        /// Goes on at both places.
        case fork(Int, Int)
        case jump(Int)
        case found
    }

    /// A place between characters.
    enum Place: Sendable {
        case start, end, wordEdge, noWordEdge
    }

    /// Why a text is no expression, in words for people.
    struct Fault: Error, Sendable {
        let message: String
    }

    /// The longest expression, in bytes.
    static let sourceLimit = 1000
    /// How many steps an expression may have; repetition multiplies them.
    static let stepLimit = 1000
    /// How deep groups may lie within each other.
    static let depthLimit = 32

    /// The expression as it was given.
    let source: String
    private let steps: [Step]

    /// Reads an expression.
    init(_ source: String) throws(Fault) {
        self.source = source
        guard source.utf8.count <= Self.sourceLimit else {
            throw Fault(message: "it is longer than \(Self.sourceLimit) bytes")
        }
        var reader = RegularExpressionReader(source)
        let node = try reader.read()
        var steps: [Step] = []
        try Self.write(node, to: &steps)
        steps.append(.found)
        self.steps = steps
    }

    /// Whether some part of the text is described.
    func isFound(in text: Span<UInt8>) -> Bool {
        let scalars = text.string.unicodeScalars.map(\.value)
        var current = StepSet(count: steps.count)
        var next = StepSet(count: steps.count)
        for place in 0...scalars.count {
            // A search may begin at any place.
            if follow(0, at: place, in: scalars, &current) { return true }
            guard place < scalars.count else { return false }
            for step in current.members {
                if case .take(let set) = steps[step], set.contains(scalars[place]),
                    follow(step + 1, at: place + 1, in: scalars, &next)
                {
                    return true
                }
            }
            swap(&current, &next)
            next.removeAll()
        }
        return false
    }

    /// Adds the steps that are reached from one without taking a character; returns whether the end is among them.
    private func follow(_ first: Int, at place: Int, in scalars: [UInt32], _ reached: inout StepSet) -> Bool {
        var open = [first]
        while let step = open.popLast() {
            guard reached.insert(step) else { continue }
            switch steps[step] {
            case .take: break
            case .check(let kind):
                if Self.isPlace(kind, at: place, in: scalars) { open.append(step + 1) }
            case .fork(let one, let other): open += [one, other]
            case .jump(let target): open.append(target)
            case .found: return true
            }
        }
        return false
    }

    private static func isPlace(_ kind: Place, at place: Int, in scalars: [UInt32]) -> Bool {
        switch kind {
        case .start: return place == 0
        case .end: return place == scalars.count
        case .wordEdge, .noWordEdge:
            let before = place > 0 && ScalarSet.word.contains(scalars[place - 1])
            let after = place < scalars.count && ScalarSet.word.contains(scalars[place])
            return (before != after) == (kind == .wordEdge)
        }
    }

    // MARK: Steps

    private static func write(_ node: RegularExpressionNode, to steps: inout [Step]) throws(Fault) {
        guard steps.count < stepLimit else {
            throw Fault(message: "it has more than \(stepLimit) steps; repeat less")
        }
        switch node {
        case .empty: break
        case .set(let set): steps.append(.take(set))
        case .place(let place): steps.append(.check(place))
        case .sequence(let parts):
            for part in parts { try write(part, to: &steps) }
        case .choice(let parts): try writeChoice(parts[...], to: &steps)
        case .repetition(let part, let minimum, let maximum):
            try writeRepetition(of: part, minimum, maximum, to: &steps)
        }
    }

    private static func writeChoice(_ parts: ArraySlice<RegularExpressionNode>, to steps: inout [Step]) throws(Fault) {
        guard let first = parts.first else { return }
        guard parts.count > 1 else { return try write(first, to: &steps) }
        let fork = steps.count
        steps.append(.jump(0))
        try write(first, to: &steps)
        let end = steps.count
        steps.append(.jump(0))
        steps[fork] = .fork(fork + 1, steps.count)
        try writeChoice(parts.dropFirst(), to: &steps)
        steps[end] = .jump(steps.count)
    }

    private static func writeRepetition(
        of part: RegularExpressionNode, _ minimum: Int, _ maximum: Int?, to steps: inout [Step]
    ) throws(Fault) {
        for _ in 0..<minimum { try write(part, to: &steps) }
        guard let maximum else {
            let fork = steps.count
            steps.append(.jump(0))
            try write(part, to: &steps)
            steps.append(.jump(fork))
            steps[fork] = .fork(fork + 1, steps.count)
            return
        }
        for _ in 0..<max(0, maximum - minimum) {
            let fork = steps.count
            steps.append(.jump(0))
            try write(part, to: &steps)
            steps[fork] = .fork(fork + 1, steps.count)
        }
    }
}

/// Steps that a search has reached, each once.
private struct StepSet {
    private(set) var members: [Int] = []
    private var isMember: [Bool]

    init(count: Int) {
        isMember = Array(repeating: false, count: count)
    }

    mutating func insert(_ step: Int) -> Bool {
        guard !isMember[step] else { return false }
        isMember[step] = true
        members.append(step)
        return true
    }

    mutating func removeAll() {
        for step in members { isMember[step] = false }
        members.removeAll(keepingCapacity: true)
    }
}

/// The steps that an expression stands for.
struct RegularExpressionProgram: Sendable {
    /// What one step of a search asks or does.
    enum Step: Sendable {
        /// Goes on if the next character is in the set of this number.
        case take(Int)
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

    /// What stands before a place, as far as expressions can ask.
    enum Before: UInt8, Sendable {
        case nothing, word, other
    }

    /// How many steps an expression may have; repetition multiplies them.
    static let stepLimit = 1000
    /// How much may be written down for those, what repeats nothing included.
    private static let workLimit = 10_000

    private(set) var steps: [Step] = []
    /// The sets of characters, each once.
    private(set) var sets: [ScalarSet] = []
    /// Whether some step asks for the edge of a word.
    private(set) var asksForWords = false
    private var numbers: [ScalarSet: Int] = [:]
    private var work = 0

    /// The steps of an expression.
    init(_ node: RegularExpressionNode) throws(RegularExpression.Fault) {
        try write(node)
        steps.append(.found)
        numbers = [:]
    }

    /// The most steps that one character takes.
    var weight: Int { 3 * steps.count + 4 }

    private mutating func write(_ node: RegularExpressionNode) throws(RegularExpression.Fault) {
        work += 1
        guard steps.count < Self.stepLimit, work < Self.workLimit else {
            throw RegularExpression.Fault(message: "it has more than \(Self.stepLimit) steps; repeat less")
        }
        switch node {
        case .empty: break
        case .set(let set): steps.append(.take(number(of: set)))
        case .place(let place):
            if place == .wordEdge || place == .noWordEdge { asksForWords = true }
            steps.append(.check(place))
        case .sequence(let parts):
            for part in parts { try write(part) }
        case .choice(let parts): try writeChoice(parts)
        case .repetition(let part, let minimum, let maximum): try writeRepetition(of: part, minimum, maximum)
        }
    }

    private mutating func number(of set: ScalarSet) -> Int {
        if let number = numbers[set] { return number }
        numbers[set] = sets.count
        sets.append(set.ordered)
        return sets.count - 1
    }

    private mutating func writeChoice(_ parts: [RegularExpressionNode]) throws(RegularExpression.Fault) {
        var ends: [Int] = []
        for (index, part) in parts.enumerated() {
            guard index < parts.count - 1 else {
                try write(part)
                break
            }
            let fork = steps.count
            steps.append(.jump(0))
            try write(part)
            ends.append(steps.count)
            steps.append(.jump(0))
            steps[fork] = .fork(fork + 1, steps.count)
        }
        for end in ends { steps[end] = .jump(steps.count) }
    }

    private mutating func writeRepetition(
        of part: RegularExpressionNode, _ minimum: Int, _ maximum: Int?
    ) throws(RegularExpression.Fault) {
        for _ in 0..<minimum { try write(part) }
        guard let maximum else {
            let fork = steps.count
            steps.append(.jump(0))
            try write(part)
            steps.append(.jump(fork))
            steps[fork] = .fork(fork + 1, steps.count)
            return
        }
        for _ in 0..<max(0, maximum - minimum) {
            let fork = steps.count
            steps.append(.jump(0))
            try write(part)
            steps[fork] = .fork(fork + 1, steps.count)
        }
    }

    /// A search through a text: the steps that are reached, each once.
    struct Walk {
        private let program: RegularExpressionProgram
        /// The steps from which the next character is read, besides the first step, with which a search begins anywhere.
        private(set) var reached: [Int] = []
        private(set) var before = Before.nothing
        private var isSeen: [Bool]
        private var open: [Int] = []
        private var takes: [Int] = []
        private var cost = 0

        init(_ program: RegularExpressionProgram) {
            self.program = program
            isSeen = Array(repeating: false, count: program.steps.count)
        }

        /// Goes to a state that was reached before.
        mutating func move(to reached: [Int], _ before: Before) {
            self.reached = reached
            self.before = before
        }

        /// How many steps were taken since this was asked last.
        mutating func takeCost() -> Int {
            defer { cost = 0 }
            return cost
        }

        /// Reads a character; returns whether the expression was found before it.
        mutating func advance(over scalar: UInt32) -> Bool {
            let isWord = program.asksForWords && ScalarSet.word.contains(scalar)
            if follow(isWord: isWord, isEnd: false) { return true }
            reached.removeAll(keepingCapacity: true)
            for step in takes {
                if case .take(let set) = program.steps[step], program.sets[set].contains(scalar) {
                    reached.append(step + 1)
                }
            }
            cost += takes.count
            before = isWord ? .word : .other
            return false
        }

        /// Whether the expression is found at the end.
        mutating func end() -> Bool { follow(isWord: false, isEnd: true) }

        /// Collects the steps that take a character; returns whether the end of the expression is reached.
        private mutating func follow(isWord: Bool, isEnd: Bool) -> Bool {
            takes.removeAll(keepingCapacity: true)
            open.removeAll(keepingCapacity: true)
            open.append(0)
            open.append(contentsOf: reached)
            var seen: [Int] = []
            var isFound = false
            while let step = open.popLast() {
                cost += 1
                if isSeen[step] { continue }
                isSeen[step] = true
                seen.append(step)
                switch program.steps[step] {
                case .take: takes.append(step)
                case .check(let place):
                    if isPlace(place, isWord: isWord, isEnd: isEnd) { open.append(step + 1) }
                case .fork(let one, let other):
                    open.append(one)
                    open.append(other)
                case .jump(let target): open.append(target)
                case .found: isFound = true
                }
                if isFound { break }
            }
            for step in seen { isSeen[step] = false }
            return isFound
        }

        private func isPlace(_ kind: Place, isWord: Bool, isEnd: Bool) -> Bool {
            switch kind {
            case .start: before == .nothing
            case .end: isEnd
            case .wordEdge: (before == .word) != isWord
            case .noWordEdge: (before == .word) == isWord
            }
        }
    }
}

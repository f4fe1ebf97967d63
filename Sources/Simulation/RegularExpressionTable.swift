/// An expression as a table: a row for each state of a search, a column for each kind of character and one for the end.
struct RegularExpressionTable: Sendable {
    /// How many rows there may be, and how many cells.
    private static let rowLimit = 256
    private static let cellLimit = 16_384
    /// How much work making one may be, in steps.
    private static let workLimit = 20_000

    private static let found = UInt16.max
    /// Nothing that comes can be found any more.
    private static let never = UInt16.max - 1

    private var cells: [UInt16] = []
    /// The kinds of ASCII characters.
    private var kinds: [UInt16] = []
    /// Where the kinds of characters begin, in ascending order.
    private var starts: [UInt32] = []
    private let columns: Int

    /// The table of a program; nil when it would be too large. The work is added.
    init?(_ program: RegularExpressionProgram, _ work: inout Int) {
        var bounds: Set<UInt32> = [0]
        for set in program.sets + (program.asksForWords ? [.word] : []) {
            for range in set.ranges {
                bounds.insert(range.lowerBound)
                bounds.insert(range.upperBound + 1)
            }
        }
        work += bounds.count
        starts = bounds.sorted()
        columns = starts.count + 1
        guard columns * 2 <= Self.cellLimit else { return nil }
        for scalar in UInt32(0)..<128 { kinds.append(UInt16(kind(of: scalar))) }
        guard fill(program, &work) else { return nil }
        markDeadEnds()
    }

    private struct State: Hashable {
        let reached: [Int]
        let before: RegularExpressionProgram.Before
    }

    private mutating func fill(_ program: RegularExpressionProgram, _ work: inout Int) -> Bool {
        var walk = RegularExpressionProgram.Walk(program)
        var states = [State(reached: [], before: .nothing)]
        var rows = [states[0]: 0]
        var row = 0
        let most = work + Self.workLimit
        while row < states.count {
            for column in 0..<columns {
                walk.move(to: states[row].reached, states[row].before)
                let isFound = column == columns - 1 ? walk.end() : walk.advance(over: starts[column])
                work += walk.takeCost() + 1
                guard work < most else { return false }
                if isFound {
                    cells.append(Self.found)
                } else if column == columns - 1 {
                    cells.append(Self.never)
                } else {
                    let state = State(reached: walk.reached.sorted(), before: walk.before)
                    work += state.reached.count
                    let next = rows[state] ?? states.count
                    if next == states.count {
                        guard next < Self.rowLimit, (next + 1) * columns <= Self.cellLimit else { return false }
                        rows[state] = next
                        states.append(state)
                    }
                    cells.append(UInt16(truncatingIfNeeded: next))
                }
            }
            row += 1
        }
        return true
    }

    /// A state that leads only to itself finds nothing.
    private mutating func markDeadEnds() {
        let isDead = (0..<cells.count / columns).map { row in
            cells[row * columns..<(row + 1) * columns].allSatisfy { $0 == row || $0 == Self.never }
        }
        for cell in cells.indices where cells[cell] < Self.never && isDead[Int(cells[cell])] {
            cells[cell] = Self.never
        }
    }

    /// The number of the last kind that begins at the character or before.
    private func kind(of scalar: UInt32) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= scalar { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether some part of the text is described.
    func isFound(in text: Span<UInt8>, _ scratch: MatchScratch) -> Bool {
        let cells = cells.span
        let kinds = kinds.span
        var place = 0
        var row = 0
        while place < text.count {
            let byte = text[place]
            let kind: Int
            if byte < 128 {
                kind = Int(kinds[Int(byte)])
                place += 1
            } else {
                kind = self.kind(of: text.scalar(at: &place))
            }
            let next = cells[row + kind]
            if next >= Self.never {
                scratch.charge(place)
                return next == Self.found
            }
            row = Int(next) * columns
        }
        scratch.charge(place + 1)
        return cells[row + columns - 1] == Self.found
    }
}

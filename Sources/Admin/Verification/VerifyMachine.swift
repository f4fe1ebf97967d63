/// Judges several expectations while entries arrive: event in, action out, no clock and no timer of its own.
///
/// In an ordered verification each entry belongs to one expectation. It is the present one while that one needs more;
/// then the next that means the entry, if all between are met. Whatever fits no place is out of order.
struct VerifyMachine: Sendable {
    /// What an entry turned out to be.
    enum Finding: Sendable, Equatable {
        /// It counts for these expectations.
        case counted([Int])
        /// One more than exactly expected for this expectation.
        case oneTooMany(Int)
        /// It means this expectation, whose turn it is not.
        case outOfOrder(Int)
        /// It must not have come.
        case forbidden
        /// It is nobody's business.
        case ignored
    }

    private enum State: Sendable {
        case idle, counting, settling, finished
    }

    private let amounts: [WaitExpectation.Amount]
    private let isOrdered: Bool
    private let needsQuiet: Bool
    private let wait: Int64
    private let quiet: Int64
    /// How many entries counted for each expectation.
    private(set) var counts: [Int]
    /// The expectation whose turn it is, in an ordered verification.
    private var present = 0
    private var isViolated = false
    private var state = State.idle
    private var isDraining = false

    init(_ question: VerifyQuestion) {
        self.init(
            question.expectations.map(\.amount), isOrdered: question.isOrdered, needsQuiet: question.needsQuiet,
            wait: question.wait ?? 0, settle: question.settle)
    }

    /// A machine that has not started.
    init(
        _ amounts: [WaitExpectation.Amount], isOrdered: Bool = false, needsQuiet: Bool = true, wait: Int64 = 0,
        settle: Int64 = AdminLimits.settle
    ) {
        self.amounts = amounts
        self.isOrdered = isOrdered
        self.needsQuiet = needsQuiet
        self.wait = wait
        quiet = settle
        counts = amounts.map { _ in 0 }
    }

    /// Takes an entry that the expectations of these places mean; a forbidden one fails the verification unless it is
    /// expected.
    mutating func add(_ places: [Int], isForbidden: Bool) -> Finding {
        guard !places.isEmpty else {
            if isForbidden { isViolated = true }
            return isForbidden ? .forbidden : .ignored
        }
        let finding = isOrdered ? place(places) : count(places)
        switch finding {
        case .oneTooMany, .outOfOrder: isViolated = true
        case .counted, .forbidden, .ignored: break
        }
        return finding
    }

    /// Something failed that no expectation is about.
    mutating func violate() { isViolated = true }

    /// Judges what was added before the call began. `isTruncated` says that more may have been forgotten.
    mutating func start(isTruncated: Bool, now: Int64) -> WaitMachine.Action {
        if isViolated { return finish(.forbidden) }
        if isTruncated { return finish(.truncated) }
        guard wait > 0 else { return finish(isMet ? .met : .tooFew) }
        return isMet ? settle(now: now) : count(now: now)
    }

    /// Judges what was added since.
    mutating func judge(now: Int64) -> WaitMachine.Action {
        guard state == .counting || state == .settling else { return .none }
        if isViolated { return finish(.forbidden) }
        return state == .counting && isMet ? settle(now: now) : .none
    }

    /// Takes what is no entry.
    mutating func receive(_ event: WaitMachine.Event, now: Int64) -> WaitMachine.Action {
        guard state == .counting || state == .settling else { return .none }
        switch event {
        case .match: return judge(now: now)
        case .timer:
            if isDraining { return .none }
            isDraining = true
            return .drain
        case .drained:
            guard isDraining else { return .none }
            return finish(isMet ? .met : .tooFew)
        case .removed: return finish(.truncated)
        case .reset: return finish(.reset)
        case .stop: return finish(.stopped)
        }
    }

    /// Whether each expectation has as many entries as it needs.
    var isMet: Bool { amounts.indices.allSatisfy { isMet($0) } }

    private func isMet(_ place: Int) -> Bool { counts[place] >= amounts[place].number }

    private mutating func count(_ places: [Int]) -> Finding {
        for place in places { counts[place] += 1 }
        for place in places {
            if case .exactly(let number) = amounts[place], counts[place] > number { return .oneTooMany(place) }
        }
        return .counted(places)
    }

    private mutating func place(_ places: [Int]) -> Finding {
        if let none = places.first(where: { amounts[$0] == .exactly(0) }) {
            counts[none] += 1
            return .oneTooMany(none)
        }
        if places.contains(present), !isMet(present) {
            counts[present] += 1
            return .counted([present])
        }
        if let next = places.first(where: { place in place > present && (present..<place).allSatisfy { isMet($0) } }) {
            present = next
            counts[next] += 1
            return .counted([next])
        }
        guard places.contains(present) else { return .outOfOrder(places[0]) }
        counts[present] += 1
        if case .exactly = amounts[present] { return .oneTooMany(present) }
        return .counted([present])
    }

    private mutating func count(now: Int64) -> WaitMachine.Action {
        state = .counting
        return .setTimer(at: now + wait)
    }

    /// None for the whole wait is what expecting nothing means; all others need only the usual quiet behind them.
    private mutating func settle(now: Int64) -> WaitMachine.Action {
        guard needsQuiet else { return finish(.met) }
        let expectsNothing = amounts.allSatisfy { $0.number == 0 }
        state = .settling
        isDraining = false
        return .setTimer(at: now + (expectsNothing ? wait : quiet))
    }

    private mutating func finish(_ verdict: WaitMachine.Verdict) -> WaitMachine.Action {
        state = .finished
        return .finish(verdict)
    }
}

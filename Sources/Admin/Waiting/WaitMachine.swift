/// Judges an expectation while matches arrive: event in, action out, no clock and no timer of its own.
///
/// Times are milliseconds of any clock that does not go back. Before a verdict that rests on time alone, the machine
/// asks for a drain: what was journaled before the timer fired may still be on its way, and counts.
package struct WaitMachine: Sendable {
    /// What happens.
    package enum Event: Sendable, Equatable {
        /// A match arrived.
        case match
        /// The timer fired.
        case timer
        /// All matches journaled before the drain was asked for have been given in.
        case drained
        /// Somebody deleted entries up to this number.
        case removed(through: UInt64)
        /// The journal was reset.
        case reset
        /// The server stops.
        case stop
    }

    /// What the caller must do.
    package enum Action: Sendable, Equatable {
        /// Nothing; wait for the next event.
        case none
        /// Replace the timer by one at this time.
        case setTimer(at: Int64)
        /// Give in ``Event/drained`` behind the matches that are on their way.
        case drain
        /// Answer; the machine takes no more events.
        case finish(Verdict)
    }

    /// How it ended.
    package enum Verdict: Sendable, Equatable {
        case met
        /// The time ran out before there were enough.
        case tooFew
        /// One more than exactly expected arrived.
        case tooMany
        /// Something arrived that must not, or at the wrong place.
        case forbidden
        /// Entries that might have matched are no longer held, so there is no telling.
        case truncated
        /// Looking took more steps than one call may.
        case spent
        case reset
        case stopped
    }

    private enum State: Sendable {
        case idle
        /// Waiting for matches until the deadline.
        case counting
        /// The number is right; waiting for quiet until the deadline.
        case settling
        case finished
    }

    /// How many matches were counted.
    package private(set) var matches = 0
    private let expectation: WaitExpectation
    private var isTruncated = false
    private var state = State.idle
    private var isDraining = false

    /// A machine that has not started.
    package init(_ expectation: WaitExpectation) {
        self.expectation = expectation
    }

    /// Begins with the matches that are there already. `isTruncated` says that more may have been forgotten.
    package mutating func start(matches: Int, isTruncated: Bool, now: Int64) -> Action {
        self.matches = matches
        self.isTruncated = isTruncated
        switch expectation.amount {
        case .atLeast(let number):
            if matches >= number { return finish(.met) }
        case .exactly(let number):
            if matches > number { return finish(.tooMany) }
            if isTruncated { return finish(.truncated) }
        }
        guard let wait = expectation.wait, wait > 0 else { return judgeCount() }
        if case .exactly(let number) = expectation.amount, matches == number {
            return settle(number: number, wait: wait, now: now)
        }
        state = .counting
        return .setTimer(at: now + wait)
    }

    /// Takes an event and says what to do.
    package mutating func receive(_ event: Event, now: Int64) -> Action {
        guard state == .counting || state == .settling else { return .none }
        switch event {
        case .match:
            matches += 1
            return judgeMatch(now: now)
        case .timer:
            if isDraining { return .none }
            isDraining = true
            return .drain
        case .drained:
            guard isDraining else { return .none }
            return state == .settling ? finish(.met) : judgeCount()
        case .removed: return .none
        case .reset: return finish(.reset)
        case .stop: return finish(.stopped)
        }
    }

    private mutating func judgeMatch(now: Int64) -> Action {
        switch expectation.amount {
        case .atLeast(let number):
            return matches >= number ? finish(.met) : .none
        case .exactly(let number):
            if matches > number { return finish(.tooMany) }
            return matches == number ? settle(number: number, wait: expectation.wait ?? 0, now: now) : .none
        }
    }

    /// None for the whole wait is what `exactly=0` means; any other number needs only the usual quiet behind it.
    private mutating func settle(number: Int, wait: Int64, now: Int64) -> Action {
        state = .settling
        isDraining = false
        return .setTimer(at: now + (number == 0 ? wait : expectation.settle))
    }

    private mutating func judgeCount() -> Action {
        if matches == expectation.amount.number { return finish(.met) }
        return finish(isTruncated ? .truncated : .tooFew)
    }

    private mutating func finish(_ verdict: Verdict) -> Action {
        state = .finished
        return .finish(verdict)
    }
}

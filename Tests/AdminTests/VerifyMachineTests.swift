import Testing

@testable import Admin

/// Several expectations judged without clock or journal.
struct VerifyMachineTests {
    private typealias Amount = WaitExpectation.Amount

    /// The verdict at once on entries that mean the expectations of these places.
    private func verdict(
        _ amounts: [WaitExpectation.Amount], _ entries: [[Int]], isOrdered: Bool = false
    ) -> WaitMachine.Verdict? {
        var machine = VerifyMachine(amounts, isOrdered: isOrdered)
        for places in entries { _ = machine.add(places, isForbidden: false) }
        guard case .finish(let verdict) = machine.start(isTruncated: false, now: 0) else { return nil }
        return verdict
    }

    @Test(
        arguments: [
            ([[0], [1]], .met), ([[1], [0]], .met), ([[0], [0], [1]], .met), ([[0]], .tooFew),
            ([[0], [1], [1]], .forbidden),
            ([[0, 1]], .met), ([[], [0], [], [1]], .met), ([], .tooFew),
        ] as [([[Int]], WaitMachine.Verdict)])
    func `at least one and exactly one, in any order`(entries: [[Int]], expected: WaitMachine.Verdict) {
        #expect(verdict([.atLeast(1), .exactly(1)], entries) == expected)
    }

    @Test(
        arguments: [
            ([[0], [1], [1], [2]], .met), ([[0], [1], [1], [1], [2]], .met), ([[0], [1], [2]], .forbidden),
            ([[1], [0], [1], [2]], .forbidden), ([[0], [1], [1], [2], [1]], .forbidden),
            ([[0], [0], [1], [1], [2]], .forbidden),
            ([[0], [1], [1]], .tooFew), ([[0, 1], [0, 1], [1], [2]], .met), ([[0], [1, 2], [1], [1, 2]], .met),
            ([[2]], .forbidden), ([[0], [1], [1], [2], [2]], .forbidden), ([[0], [], [1], [], [1], [2], []], .met),
        ] as [([[Int]], WaitMachine.Verdict)])
    func `start, two or more updates, end, in order`(entries: [[Int]], expected: WaitMachine.Verdict) {
        #expect(verdict([.exactly(1), .atLeast(2), .exactly(1)], entries, isOrdered: true) == expected)
    }

    @Test func `what an entry turned out to be`() {
        var machine = VerifyMachine([.exactly(1), .exactly(1), .exactly(0)], isOrdered: true)
        #expect(machine.add([], isForbidden: false) == .ignored)
        #expect(machine.add([0], isForbidden: true) == .counted([0]))
        #expect(machine.add([], isForbidden: true) == .forbidden)
        #expect(machine.add([1], isForbidden: false) == .counted([1]))
        #expect(machine.add([0], isForbidden: false) == .outOfOrder(0))
        #expect(machine.add([1, 2], isForbidden: false) == .oneTooMany(2))
        #expect(machine.counts == [1, 1, 1])
    }

    @Test func `an evicted window never passes, whatever is expected`() {
        for amounts in [[Amount.atLeast(1)], [.exactly(1)], [.exactly(0)], []] {
            for wait in [Int64(0), 1000] {
                var machine = VerifyMachine(amounts, wait: wait)
                for (place, amount) in amounts.enumerated() where amount.number > 0 {
                    _ = machine.add([place], isForbidden: false)
                }
                #expect(machine.start(isTruncated: true, now: 0) == .finish(.truncated))
            }
        }
        var machine = VerifyMachine([.exactly(0)])
        _ = machine.add([0], isForbidden: false)
        #expect(machine.start(isTruncated: true, now: 0) == .finish(.forbidden))
    }

    @Test func `without anything that could still go wrong, the last match ends it`() {
        var machine = VerifyMachine([.atLeast(1), .atLeast(1)], needsQuiet: false, wait: 5000)
        #expect(machine.start(isTruncated: false, now: 100) == .setTimer(at: 5100))
        _ = machine.add([0], isForbidden: false)
        #expect(machine.judge(now: 150) == .none)
        _ = machine.add([1], isForbidden: false)
        #expect(machine.judge(now: 200) == .finish(.met))
        #expect(machine.judge(now: 200) == .none)
    }

    @Test func `else quiet must follow, once, and a fault ends it at once`() {
        for isViolated in [false, true] {
            var machine = VerifyMachine([.exactly(1)], wait: 5000, settle: 300)
            _ = machine.start(isTruncated: false, now: 0)
            _ = machine.add([0], isForbidden: false)
            #expect(machine.judge(now: 100) == .setTimer(at: 400))
            _ = machine.add([], isForbidden: isViolated)
            #expect(machine.judge(now: 200) == (isViolated ? .finish(.forbidden) : .none))
            #expect(machine.receive(.timer, now: 400) == (isViolated ? .none : .drain))
            #expect(machine.receive(.drained, now: 400) == (isViolated ? .none : .finish(.met)))
        }
    }

    @Test func `expecting nothing takes the whole wait`() {
        for amounts in [[], [Amount.exactly(0)]] {
            var machine = VerifyMachine(amounts, wait: 5000, settle: 300)
            #expect(machine.start(isTruncated: false, now: 0) == .setTimer(at: 5000))
        }
    }

    @Test func `a match on its way when the time runs out counts`() {
        var machine = VerifyMachine([.atLeast(1)], needsQuiet: false, wait: 1000)
        _ = machine.start(isTruncated: false, now: 0)
        #expect(machine.receive(.timer, now: 1000) == .drain)
        #expect(machine.receive(.timer, now: 1000) == .none)
        _ = machine.add([0], isForbidden: false)
        #expect(machine.judge(now: 1001) == .finish(.met))
        var late = VerifyMachine([.atLeast(1)], wait: 1000)
        _ = late.start(isTruncated: false, now: 0)
        _ = late.receive(.timer, now: 1000)
        #expect(late.receive(.drained, now: 1000) == .finish(.tooFew))
    }

    @Test func `reset and stop end it`() {
        for (event, verdict) in [(WaitMachine.Event.reset, WaitMachine.Verdict.reset), (.stop, .stopped)] {
            var machine = VerifyMachine([.atLeast(1)], wait: 1000)
            _ = machine.start(isTruncated: false, now: 0)
            #expect(machine.receive(event, now: 1) == .finish(verdict))
        }
    }
}

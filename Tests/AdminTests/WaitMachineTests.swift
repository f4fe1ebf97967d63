import Testing

@testable import Admin

/// The judgement of expectations, with a clock of plain numbers.
struct WaitMachineTests {
    /// A machine driven by hand.
    private struct Bench {
        var machine: WaitMachine

        init(_ amount: WaitExpectation.Amount, wait: Int64? = nil, settle: Int64 = 200) {
            machine = WaitMachine(WaitExpectation(amount, wait: wait, settle: settle))
        }

        mutating func start(_ matches: Int, truncated: Bool = false) -> WaitMachine.Action {
            machine.start(matches: matches, isTruncated: truncated, now: 0)
        }

        mutating func at(_ now: Int64, _ event: WaitMachine.Event) -> WaitMachine.Action {
            machine.receive(event, now: now)
        }
    }

    @Test(arguments: [
        (WaitExpectation.Amount.atLeast(2), 1, WaitMachine.Verdict.tooFew), (.atLeast(2), 2, .met),
        (.atLeast(2), 3, .met),
        (.exactly(2), 1, .tooFew), (.exactly(2), 2, .met), (.exactly(2), 3, .tooMany), (.exactly(0), 0, .met),
        (.exactly(0), 1, .tooMany),
    ])
    func `without a wait the count is judged at once`(
        amount: WaitExpectation.Amount, matches: Int, verdict: WaitMachine.Verdict
    ) {
        var bench = Bench(amount)
        #expect(bench.start(matches) == .finish(verdict))
        var zero = Bench(amount, wait: 0)
        #expect(zero.start(matches) == .finish(verdict))
    }

    @Test func `count returns the instant the last match arrives`() {
        var bench = Bench(.atLeast(3), wait: 5000)
        #expect(bench.start(1) == .setTimer(at: 5000))
        #expect(bench.at(10, .match) == .none)
        #expect(bench.at(20, .match) == .finish(.met))
        #expect(bench.machine.matches == 3)
    }

    @Test func `count that is there already returns at once`() {
        var bench = Bench(.atLeast(1), wait: 5000)
        #expect(bench.start(4) == .finish(.met))
    }

    @Test func `a deadline drains before it judges`() {
        var bench = Bench(.atLeast(1), wait: 5000)
        _ = bench.start(0)
        #expect(bench.at(5000, .timer) == .drain)
        #expect(bench.at(5001, .drained) == .finish(.tooFew))
    }

    @Test func `a match that was on its way at the deadline counts`() {
        var bench = Bench(.atLeast(1), wait: 5000)
        _ = bench.start(0)
        #expect(bench.at(5000, .timer) == .drain)
        #expect(bench.at(5001, .match) == .finish(.met))
        #expect(bench.at(5001, .drained) == .none)
    }

    @Test func `exactly settles behind the last match`() {
        var bench = Bench(.exactly(2), wait: 5000, settle: 300)
        #expect(bench.start(1) == .setTimer(at: 5000))
        #expect(bench.at(100, .match) == .setTimer(at: 400))
        #expect(bench.at(400, .timer) == .drain)
        #expect(bench.at(401, .drained) == .finish(.met))
    }

    @Test func `exactly settles when the matches are there from the start`() {
        var bench = Bench(.exactly(1), wait: 5000)
        #expect(bench.start(1) == .setTimer(at: 200))
        #expect(bench.at(200, .timer) == .drain)
        #expect(bench.at(200, .drained) == .finish(.met))
    }

    @Test func `exactly fails at once on one more`() {
        var bench = Bench(.exactly(1), wait: 5000)
        #expect(bench.start(0) == .setTimer(at: 5000))
        #expect(bench.at(10, .match) == .setTimer(at: 210))
        #expect(bench.at(11, .match) == .finish(.tooMany))
    }

    @Test func `one more that was on its way when the quiet ended is one too many`() {
        var bench = Bench(.exactly(1), wait: 5000)
        _ = bench.start(1)
        #expect(bench.at(200, .timer) == .drain)
        #expect(bench.at(200, .match) == .finish(.tooMany))
    }

    @Test func `the last match in time may settle behind the deadline`() {
        var bench = Bench(.exactly(1), wait: 1000)
        _ = bench.start(0)
        #expect(bench.at(999, .match) == .setTimer(at: 1199))
        #expect(bench.at(1199, .timer) == .drain)
        #expect(bench.at(1199, .drained) == .finish(.met))
    }

    @Test func `a match during the drain of the deadline settles like any other`() {
        var bench = Bench(.exactly(1), wait: 1000)
        _ = bench.start(0)
        #expect(bench.at(1000, .timer) == .drain)
        #expect(bench.at(1000, .match) == .setTimer(at: 1200))
        #expect(bench.at(1000, .drained) == .none)
        #expect(bench.at(1200, .timer) == .drain)
        #expect(bench.at(1200, .drained) == .finish(.met))
    }

    @Test func `exactly too few runs out of time`() {
        var bench = Bench(.exactly(2), wait: 1000)
        _ = bench.start(1)
        #expect(bench.at(1000, .timer) == .drain)
        #expect(bench.at(1000, .drained) == .finish(.tooFew))
    }

    @Test func `none means none for the whole wait`() {
        var bench = Bench(.exactly(0), wait: 1000, settle: 200)
        #expect(bench.start(0) == .setTimer(at: 1000))
        #expect(bench.at(1000, .timer) == .drain)
        #expect(bench.at(1000, .drained) == .finish(.met))
        var other = Bench(.exactly(0), wait: 1000)
        _ = other.start(0)
        #expect(other.at(1, .match) == .finish(.tooMany))
    }

    @Test func `an evicted window is never a pass for exactly`() {
        var bench = Bench(.exactly(1), wait: 1000)
        #expect(bench.start(1, truncated: true) == .finish(.truncated))
        var tooMany = Bench(.exactly(1), wait: 1000)
        #expect(tooMany.start(2, truncated: true) == .finish(.tooMany))
        var atOnce = Bench(.exactly(0))
        #expect(atOnce.start(0, truncated: true) == .finish(.truncated))
    }

    @Test func `an evicted window does not hide a count that is met, and explains one that is not`() {
        var met = Bench(.atLeast(1), wait: 1000)
        #expect(met.start(1, truncated: true) == .finish(.met))
        var unmet = Bench(.atLeast(2), wait: 1000)
        #expect(unmet.start(1, truncated: true) == .setTimer(at: 1000))
        #expect(unmet.at(1000, .timer) == .drain)
        #expect(unmet.at(1000, .drained) == .finish(.truncated))
        var atOnce = Bench(.atLeast(2))
        #expect(atOnce.start(1, truncated: true) == .finish(.truncated))
    }

    @Test func `reset and stop end a wait in every state`() {
        for prefix in [[], [WaitMachine.Event.match], [.timer]] {
            for (event, verdict) in [(WaitMachine.Event.reset, WaitMachine.Verdict.reset), (.stop, .stopped)] {
                var bench = Bench(.exactly(1), wait: 1000)
                _ = bench.start(0)
                for event in prefix { _ = bench.at(5, event) }
                #expect(bench.at(6, event) == .finish(verdict))
                #expect(bench.at(7, .match) == .none)
                #expect(bench.at(7, .timer) == .none)
            }
        }
    }

    @Test func `a second timer while draining changes nothing, and a drain nobody asked for neither`() {
        var bench = Bench(.atLeast(1), wait: 1000)
        _ = bench.start(0)
        #expect(bench.at(10, .drained) == .none)
        #expect(bench.at(1000, .timer) == .drain)
        #expect(bench.at(1000, .timer) == .none)
    }
}

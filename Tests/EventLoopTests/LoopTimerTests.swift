import Testing

@testable import EventLoop

struct LoopTimerTests {
    @Test func `timers fire once, in the order of their times`() throws {
        var fired: [Int] = []
        var timers: [LoopTimer] = []
        try runLoop { loop in
            for delay in [30, 1, 15, 0] {
                timers.append(
                    try loop.after(milliseconds: Int64(delay)) {
                        fired.append(delay)
                        if delay == 30 { loop.stop() }
                    })
            }
        }
        #expect(fired == [0, 1, 15, 30])
    }

    @Test(arguments: [1, 7, 20] as [Int64])
    func `a timer is never early`(delay: Int64) throws {
        var timer: LoopTimer?
        var waited: Int64 = 0
        try runLoop { loop in
            let start = EventLoop.monotonicNanoseconds()
            timer = try loop.after(milliseconds: delay) {
                waited = EventLoop.monotonicNanoseconds() - start
                loop.stop()
            }
        }
        #expect(waited >= delay * 1_000_000)
        _ = timer
    }

    @Test func `a timer set late in a long turn is not early either`() throws {
        var timer: LoopTimer?
        var waited: Int64 = 0
        try runLoop { loop in
            loop.mailbox.post { _ in }
            timer = try loop.after(milliseconds: 0) {
                let turnStart = EventLoop.monotonicMilliseconds()
                while EventLoop.monotonicMilliseconds() < turnStart + 20 {}
                let start = EventLoop.monotonicNanoseconds()
                timer = try? loop.after(milliseconds: 10) {
                    waited = EventLoop.monotonicNanoseconds() - start
                    loop.stop()
                }
            }
        }
        #expect(waited >= 10_000_000)
        _ = timer
    }

    @Test func `a cancelled or released timer does not fire`() throws {
        var last: LoopTimer?
        try runLoop { loop in
            let cancelled = try loop.after(milliseconds: 1) { Issue.record("cancelled, yet called") }
            cancelled.cancel()
            cancelled.cancel()
            var released: LoopTimer? = try loop.after(milliseconds: 1) { Issue.record("released, yet called") }
            released = nil
            _ = released
            last = try loop.after(milliseconds: 5) { loop.stop() }
            _ = cancelled
        }
        _ = last
    }

    @Test func `a timer may release itself in its own call and lets go of what it holds`() throws {
        final class Token {}
        weak var token: Token?
        var timer: LoopTimer?
        try runLoop { loop in
            let held = Token()
            token = held
            timer = try loop.after(milliseconds: 0) {
                timer = nil
                _ = held
                loop.stop()
            }
        }
        #expect(timer == nil)
        #expect(token == nil)
    }

    @Test func `a time beyond all bounds is no overflow`() throws {
        var last: LoopTimer?
        var far: [LoopTimer] = []
        try runLoop { loop in
            far.append(try loop.after(milliseconds: .max) { Issue.record("called") })
            far.append(try loop.after(milliseconds: .max / 1_000_000) { Issue.record("called") })
            last = try loop.after(milliseconds: .min) { loop.stop() }
        }
        _ = last
    }
}

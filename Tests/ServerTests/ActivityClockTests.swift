import Synchronization
import Testing

@testable import Server

/// For how long a server has not been used.
struct ActivityClockTests {
    /// A time that a test sets.
    private final class Time: Sendable {
        let milliseconds = Atomic<Int64>(1000)
        func advance(_ by: Int64) { milliseconds.add(by, ordering: .relaxed) }
    }

    @Test func `a note begins the time anew`() {
        let time = Time()
        let clock = ActivityClock { time.milliseconds.load(ordering: .relaxed) }
        #expect(clock.idleMilliseconds() == 0)
        time.advance(70)
        #expect(clock.idleMilliseconds() == 70)
        clock.note()
        time.advance(5)
        #expect(clock.idleMilliseconds() == 5)
    }

    @Test func `while a call is open there is no idle time, and its end begins it anew`() {
        let time = Time()
        let clock = ActivityClock { time.milliseconds.load(ordering: .relaxed) }
        clock.begin()
        clock.begin()
        time.advance(500)
        #expect(clock.idleMilliseconds() == 0)
        clock.end()
        time.advance(500)
        #expect(clock.idleMilliseconds() == 0)
        clock.end()
        time.advance(3)
        #expect(clock.idleMilliseconds() == 3)
    }

    @Test func `what nobody watches is not noted`() {
        let time = Time()
        let clock = ActivityClock(isWatched: false) { time.milliseconds.load(ordering: .relaxed) }
        time.advance(9)
        clock.note()
        #expect(clock.idleMilliseconds() == 9)
    }
}

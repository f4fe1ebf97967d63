import Foundation
import Simulation
import Testing

struct ServerClockTests {
    @Test func `a real clock shows the machine's time`() {
        let before = Int64(Date().timeIntervalSince1970 * 1000) - 1
        let now = ServerClock().now()
        let after = Int64(Date().timeIntervalSince1970 * 1000) + 1
        #expect((before...after).contains(now.machine))
        #expect(now.server == now.machine)
        #expect(ServerClock().mode == .real)
    }

    @Test func `a frozen clock stands, moves when told, and runs again`() {
        let clock = ServerClock(frozenAt: 1000)
        #expect(clock.mode == .frozen)
        #expect(clock.now().server == 1000)
        clock.advance(by: 61 * 60_000)
        #expect(clock.now().server == 3_661_000)
        #expect(clock.now().machine > 1_700_000_000_000)
        clock.freeze(at: 5)
        #expect(clock.now().server == 5)
        clock.run(offset: -7_200_000)
        #expect(clock.mode == .offset)
        #expect(clock.offsetMilliseconds == -7_200_000)
        let now = clock.now()
        #expect(now.server == now.machine - 7_200_000)
        clock.advance(by: 7_200_000)
        #expect(clock.mode == .real)
        clock.reset()
        #expect(clock.now().server == 1000)
    }

    @Test func `a clock ahead stays ahead after a reset`() {
        let clock = ServerClock(offset: 60_000)
        clock.freeze(at: 1)
        clock.reset()
        #expect(clock.mode == .offset)
        #expect(clock.offsetMilliseconds == 60_000)
    }

    @Test func `moves from many threads add up`() async {
        let clock = ServerClock(frozenAt: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<500 { clock.advance(by: 1) } } }
        }
        #expect(clock.now().server == 4000)
    }
}

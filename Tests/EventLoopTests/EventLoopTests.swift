import Foundation
import Testing

@testable import EventLoop

struct EventLoopTests {
    @Test func `stop before run ends it at once`() throws {
        let loop = try EventLoop()
        loop.stop()
        loop.run()
    }

    @Test func `all handlers of a turn run before its single end`() throws {
        let pairs = try (0..<5).map { _ in try SocketPair() }
        var events: [String] = []
        var watches: [SocketWatch] = []
        var handlers: [Handler] = []
        try runLoop { loop in
            loop.onTurnEnd = {
                events.append("end")
                loop.stop()
            }
            for (index, pair) in pairs.enumerated() {
                let handler = Handler(onReadable: {
                    drain(pair.near)
                    events.append("read \(index)")
                    loop.requestTurnEnd()
                })
                handlers.append(handler)
                watches.append(try loop.watch(pair.near, handler))
                pair.poke()
            }
        }
        #expect(events.count == 6)
        #expect(Set(events.dropLast()) == Set((0..<5).map { "read \($0)" }))
        #expect(events.last == "end")
    }

    @Test func `timers and jobs of a turn run before its end`() throws {
        var events: [String] = []
        var timer: LoopTimer?
        try runLoop { loop in
            loop.onTurnEnd = {
                events.append("end")
                loop.stop()
            }
            timer = try loop.after(milliseconds: 0) {
                events.append("timer")
                loop.requestTurnEnd()
            }
            loop.mailbox.post { loop in
                loop.requestTurnEnd()
            }
        }
        // Both may fall into one turn or into two; the end never comes first.
        #expect(events.last == "end")
        _ = timer
    }

    @Test func `a turn without a request has no end`() throws {
        let pair = try SocketPair()
        var ends = 0
        var watch: SocketWatch?
        let handler = Handler()
        try runLoop { loop in
            loop.onTurnEnd = { ends += 1 }
            var reads = 0
            handler.onReadable = {
                drain(pair.near)
                reads += 1
                if reads == 3 { loop.stop() } else { pair.poke() }
            }
            watch = try loop.watch(pair.near, handler)
            pair.poke()
        }
        #expect(ends == 0)
        _ = watch
    }

    @Test func `a request made at the end of a turn is served before the loop waits`() throws {
        var ends = 0
        try runLoop { loop in
            loop.onTurnEnd = {
                ends += 1
                if ends < 3 { loop.requestTurnEnd() } else { loop.stop() }
            }
            loop.requestTurnEnd()
        }
        #expect(ends == 3)
    }

    @Test func `sockets are looked at between turn ends that ask for each other`() throws {
        let pair = try SocketPair()
        var watch: SocketWatch?
        let handler = Handler()
        try runLoop { loop in
            loop.onTurnEnd = { loop.requestTurnEnd() }
            handler.onReadable = { loop.stop() }
            watch = try loop.watch(pair.near, handler)
            loop.requestTurnEnd()
            pair.poke()
        }
        _ = watch
    }

    @Test func `the end of the last turn is called after stop`() throws {
        var ends = 0
        try runLoop { loop in
            loop.onTurnEnd = { ends += 1 }
            loop.mailbox.post { loop in
                loop.stop()
                loop.requestTurnEnd()
            }
        }
        #expect(ends == 1)
    }

    @Test func `the wall clock is read once in a turn`() throws {
        let pair = try SocketPair()
        var times: [Int64] = []
        let handler = Handler()
        var watch: SocketWatch?
        try runLoop { loop in
            handler.onReadable = {
                drain(pair.near)
                let first = loop.turnTime
                // Longer than the clock's step, without a sleep.
                let start = EventLoop.monotonicMilliseconds()
                while EventLoop.monotonicMilliseconds() < start + 3 {}
                #expect(loop.turnTime == first)
                times.append(first)
                if times.count == 2 { loop.stop() } else { pair.poke() }
            }
            watch = try loop.watch(pair.near, handler)
            pair.poke()
        }
        #expect(times[1] > times[0])
        #expect(abs(Double(times[1]) - Date().timeIntervalSince1970 * 1000) < 60_000)
        _ = watch
    }

    @Test func `a loop and what is registered with it are freed in any order`() throws {
        weak var released: EventLoop?
        let pair = try SocketPair()
        let handler = Handler()
        var watch: SocketWatch?
        var timer: LoopTimer?
        try {
            let loop = try EventLoop()
            released = loop
            watch = try loop.watch(pair.near, handler)
            timer = try loop.after(milliseconds: 10) {}
            loop.mailbox.post { _ in }
        }()
        #expect(released != nil)
        watch?.cancel()
        watch = nil
        #expect(timer != nil)
        timer = nil
        #expect(released == nil)
    }
}

import Foundation
import Testing

@testable import EventLoop

/// libevent gives signals to one loop of the process at a time.
@Suite(.serialized)
struct SignalWatchTests {
    @Test func `a signal calls its body on the loop, each time it comes`() throws {
        var calls = 0
        var watch: SignalWatch?
        try runLoop { loop in
            watch = try loop.onSignal(SIGUSR1) {
                #expect(loop.isCurrent)
                calls += 1
                if calls == 2 { loop.stop() } else { kill(getpid(), SIGUSR1) }
            }
            kill(getpid(), SIGUSR1)
        }
        #expect(calls == 2)
        _ = watch
    }

    @Test func `two signals are told apart, and a released watch is not called`() throws {
        var calls: [String] = []
        var watches: [SignalWatch] = []
        try runLoop { loop in
            // Keeps the default action away while the other is released.
            signal(SIGUSR1, SIG_IGN)
            var released: SignalWatch? = try loop.onSignal(SIGUSR1) { calls.append("released") }
            released = nil
            _ = released
            signal(SIGUSR1, SIG_IGN)
            watches.append(
                try loop.onSignal(SIGUSR2) {
                    calls.append("second")
                    loop.stop()
                })
            kill(getpid(), SIGUSR1)
            kill(getpid(), SIGUSR2)
        }
        #expect(calls == ["second"])
        signal(SIGUSR1, SIG_DFL)
    }

    @Test func `a watch may release itself in its own call`() throws {
        var watch: SignalWatch?
        try runLoop { loop in
            watch = try loop.onSignal(SIGUSR2) {
                watch = nil
                loop.stop()
            }
            kill(getpid(), SIGUSR2)
        }
        #expect(watch == nil)
    }

    @Test func `a signal that cannot be caught is refused`() throws {
        let loop = try EventLoop()
        #expect(throws: EventLoopError.self) { _ = try loop.onSignal(SIGKILL) {} }
    }

    @Test func `writing to a peer that has gone is an error, not the end`() throws {
        _ = try EventLoop()
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        close(ends[1])
        var byte: UInt8 = 0
        #expect(write(ends[0], &byte, 1) == -1)
        #expect(errno == EPIPE)
        close(ends[0])
    }
}

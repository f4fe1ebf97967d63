import Foundation
import Testing

@testable import EventLoop

struct SocketWatchTests {
    @Test func `write interest is off at first and can be switched`() throws {
        let pair = try SocketPair()
        var events: [String] = []
        let handler = Handler()
        try runLoop { loop in
            let watch = try loop.watch(pair.near, handler)
            #expect(watch.wantsRead)
            #expect(!watch.wantsWrite)
            handler.onReadable = {
                drain(pair.near)
                events.append("read")
                watch.wantsWrite = true
            }
            handler.onWritable = {
                events.append("write")
                watch.wantsWrite = false
                if events.count == 4 {
                    handler.onReadable = {}
                    handler.onWritable = {}
                    loop.stop()
                } else {
                    pair.poke()
                }
            }
            pair.poke()
        }
        #expect(events == ["read", "write", "read", "write"])
    }

    @Test func `read interest can be switched off and on`() throws {
        let pair = try SocketPair()
        var reads = 0
        let handler = Handler()
        var timer: LoopTimer?
        try runLoop { loop in
            let watch = try loop.watch(pair.near, handler)
            watch.wantsRead = false
            pair.poke()
            handler.onReadable = {
                reads += 1
                handler.onReadable = {}
                watch.cancel()
                loop.stop()
            }
            timer = try loop.after(milliseconds: 1) {
                #expect(reads == 0)
                watch.wantsRead = true
            }
        }
        #expect(reads == 1)
        _ = timer
    }

    /// A connection as the server has it: it owns its watch, and its owner holds the only reference.
    private final class Connection: ReadinessHandler {
        var watch: SocketWatch?
        let pair: SocketPair
        var closed: (() -> Void)?
        let tail = [UInt8](repeating: 7, count: 1000)

        init(_ pair: SocketPair) { self.pair = pair }

        func readable() {
            watch?.cancel()
            watch = nil
            closed?()
            // Still ourselves: the call keeps us alive, though nobody else does.
            #expect(tail.allSatisfy { $0 == 7 })
        }

        func writable() {}
    }

    @Test func `a handler may cancel its watch and give itself up within its call`() throws {
        let pair = try SocketPair()
        weak var released: Connection?
        try runLoop { loop in
            var owner: [Connection] = [Connection(pair)]
            released = owner[0]
            owner[0].watch = try loop.watch(pair.near, owner[0])
            owner[0].closed = {
                owner.removeAll()
                loop.stop()
            }
            pair.poke()
        }
        #expect(released == nil)
    }

    @Test func `a handler may release itself without cancelling first`() throws {
        final class Careless: ReadinessHandler {
            var watch: SocketWatch?
            var giveUp: (() -> Void)?
            deinit { watch?.cancel() }
            func readable() { giveUp?() }
            func writable() {}
        }
        let pair = try SocketPair()
        weak var released: Careless?
        try runLoop { loop in
            var owner: Careless? = Careless()
            released = owner
            owner?.watch = try loop.watch(pair.near, try #require(owner))
            owner?.giveUp = {
                owner = nil
                loop.stop()
            }
            pair.poke()
        }
        #expect(released == nil)
    }

    @Test func `a watch cancelled by another handler of the same turn is not called`() throws {
        let pairs = try (0..<2).map { _ in try SocketPair() }
        var calls = 0
        var watches: [SocketWatch] = []
        let handlers = [Handler(), Handler()]
        try runLoop { loop in
            for index in 0..<2 {
                handlers[index].onReadable = {
                    calls += 1
                    watches[1 - index].cancel()
                    loop.stop()
                }
                watches.append(try loop.watch(pairs[index].near, handlers[index]))
                pairs[index].poke()
            }
        }
        #expect(calls == 1)
    }

    @Test func `a cancelled watch takes orders without effect`() throws {
        let pair = try SocketPair()
        let handler = Handler(onReadable: { Issue.record("called") }, onWritable: { Issue.record("called") })
        var timer: LoopTimer?
        try runLoop { loop in
            let watch = try loop.watch(pair.near, handler)
            watch.cancel()
            watch.cancel()
            watch.wantsRead = true
            watch.wantsWrite = true
            #expect(!watch.wantsRead && !watch.wantsWrite)
            pair.poke()
            timer = try loop.after(milliseconds: 2) { loop.stop() }
        }
        _ = timer
    }

    @Test func `a descriptor that cannot be watched is refused with its number`() throws {
        let loop = try EventLoop()
        let handler = Handler()
        #expect {
            _ = try loop.watch(9999, handler)
        } throws: { error in
            (error as? EventLoopError)?.errorNumber == EBADF && "\(error)".contains("9999")
        }
    }

    @Test func `the peer's end is readable`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        var watch: SocketWatch?
        let handler = Handler()
        try runLoop { loop in
            handler.onReadable = {
                var byte: UInt8 = 0
                #expect(read(ends[0], &byte, 1) == 0)
                watch?.cancel()
                loop.stop()
            }
            watch = try loop.watch(ends[0], handler)
            close(ends[1])
        }
        close(ends[0])
    }
}

import Foundation
import Locking
import Synchronization
import Testing

@testable import EventLoop

struct MailboxTests {
    @Test func `jobs posted before the loop runs are run in order`() throws {
        let log = Lock<[Int]>([])
        try runLoop { loop in
            for number in 0..<5 { loop.mailbox.post { _ in log.withLock { $0.append(number) } } }
            loop.mailbox.post { $0.stop() }
        }
        #expect(log.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test func `many threads post, and each one's order is kept`() throws {
        let threads = 8
        let jobs = 2_000
        let seen = Lock<[[Int]]>(Array(repeating: [], count: threads))
        let left = Atomic<Int>(threads * jobs)
        let worker = try LoopThread(name: "mailbox test") { _ in }
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<jobs {
                worker.mailbox.post { loop in
                    #expect(loop.isCurrent)
                    seen.withLock { $0[thread].append(number) }
                    if left.subtract(1, ordering: .relaxed).newValue == 0 { loop.stop() }
                }
            }
        }
        worker.join()
        for thread in 0..<threads { #expect(seen.withLock { $0[thread] } == Array(0..<jobs)) }
    }

    @Test func `a job posted by a job runs in a later round, so that sockets get their turn`() throws {
        let pair = try SocketPair()
        var watch: SocketWatch?
        let handler = Handler()
        try runLoop { loop in
            @Sendable func again(_ loop: EventLoop) { loop.mailbox.post(again) }
            handler.onReadable = { loop.stop() }
            watch = try loop.watch(pair.near, handler)
            loop.mailbox.post(again)
            pair.poke()
        }
        _ = watch
    }

    @Test func `a job that was taken is run though the loop stops, and later ones are dropped`() throws {
        let log = Lock<[String]>([])
        let loop = try EventLoop()
        loop.mailbox.post { loop in
            loop.stop()
            #expect(loop.mailbox.post { _ in log.withLock { $0.append("last") } })
        }
        loop.run()
        #expect(log.withLock { $0 } == ["last"])
        #expect(!loop.mailbox.post { _ in log.withLock { $0.append("too late") } })
        #expect(log.withLock { $0 } == ["last"])
    }

    @Test func `a mailbox may outlive its loop`() throws {
        let mailbox: Mailbox
        do {
            let loop = try EventLoop()
            mailbox = loop.mailbox
        }
        #expect(!mailbox.post { _ in Issue.record("run") })
    }

    @Test func `dropped jobs let go of what they hold`() throws {
        final class Token: Sendable {}
        weak var released: Token?
        do {
            let loop = try EventLoop()
            let token = Token()
            released = token
            loop.mailbox.post { _ in _ = token }
        }
        #expect(released == nil)
    }
}

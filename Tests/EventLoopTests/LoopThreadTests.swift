import Foundation
import Locking
import Synchronization
import Testing

@testable import EventLoop

struct LoopThreadTests {
    @Test func `set-up has run on the thread when the initialiser returns`() throws {
        let isOnLoop = Atomic<Bool>(false)
        let thread = try LoopThread(name: "a name longer than fifteen bytes") { loop in
            isOnLoop.store(loop.isCurrent, ordering: .relaxed)
        }
        let wasOnLoop = isOnLoop.load(ordering: .relaxed)
        #expect(wasOnLoop)
        thread.mailbox.post { $0.stop() }
        thread.join()
        thread.join()
        #expect(!thread.mailbox.post { _ in })
    }

    @Test func `an error of set-up is thrown to the starter`() throws {
        #expect(throws: EventLoopError(action: "set up", errorNumber: EPERM)) {
            _ = try LoopThread(name: "fails") { _ in throw EventLoopError(action: "set up", errorNumber: EPERM) }
        }
    }

    @Test func `what set-up made lives on the loop, and ends with it`() throws {
        final class Token: Sendable {}
        final class Box: Sendable {
            let reference = Lock<Token?>(nil)
        }
        let box = Box()
        weak var released: Token?
        do {
            let token = Token()
            released = token
            box.reference.withLock { $0 = token }
        }
        let thread = try LoopThread(name: "owner") { loop in
            let token = box.reference.withLock { $0.take() }
            loop.onTurnEnd = { _ = token }
        }
        #expect(released != nil)
        thread.mailbox.post { $0.stop() }
        thread.join()
        #expect(released == nil)
    }

    @Test func `what set-up was given is let go of when it has run`() throws {
        final class Token: Sendable {}
        weak var released: Token?
        func start() throws -> LoopThread {
            let token = Token()
            released = token
            return try LoopThread(name: "lets go") { _ in _ = token }
        }
        let thread = try start()
        // The set-up's end is seen before its closure's.
        let gate = Latch()
        thread.mailbox.post { _ in gate.open() }
        gate.wait()
        #expect(released == nil)
        thread.mailbox.post { $0.stop() }
        thread.join()
    }
}

struct LoopBoundTests {
    @Test func `a bound value travels through another thread`() throws {
        var arrived = 0
        try runLoop { loop in
            let bound = LoopBound({ (number: Int) in arrived = number }, on: loop)
            let mailbox = loop.mailbox
            Thread.detachNewThread {
                mailbox.post { loop in
                    bound.value(42)
                    loop.stop()
                }
            }
        }
        #expect(arrived == 42)
    }

    @Test func `a bound value traps on another thread`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            let bound = LoopBound(1, on: loop)
            let thread = Thread { _ = bound.value }
            thread.start()
            // The trap ends the process; without it this test fails by the exit below.
            while !thread.isFinished {}
            exit(0)
        }
    }

    @Test func `binding on another thread traps`() async {
        await #expect(processExitsWith: .failure) {
            let thread = try LoopThread(name: "other") { _ in }
            let box = Lock<LoopBound<EventLoop>?>(nil)
            thread.mailbox.post { loop in box.withLock { $0 = LoopBound(loop, on: loop) } }
            while box.withLock({ $0 == nil }) {}
            _ = box.withLock { $0?.value }
            exit(0)
        }
    }
}

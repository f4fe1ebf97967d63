import Foundation
import Locking
import Testing

struct LockTests {
    /// Says when it goes.
    private final class Token: Sendable {}

    /// Two threads in a body at once lose a step, or see the halves differ.
    private final class Shared: Sendable {
        let pair = Lock((first: 0, second: 0))
        let differences = Lock(0)
    }

    private struct Broken: Error, Equatable {}

    @Test func `threads take turns`() async {
        let threads = 4
        let rounds = 20_000
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    for _ in 0..<rounds {
                        shared.pair.withLock { pair in
                            if pair.first != pair.second { shared.differences.withLock { $0 += 1 } }
                            pair.first += 1
                            pair.second += 1
                        }
                    }
                }
            }
        }
        #expect(shared.pair.withLock { $0.first } == threads * rounds)
        #expect(shared.differences.withLock { $0 } == 0)
    }

    @Test func `a body that throws leaves the lock free`() {
        let lock = Lock(1)
        #expect(throws: Broken()) {
            try lock.withLock { value throws(Broken) in
                value = 2
                throw Broken()
            }
        }
        #expect(lock.withLock { $0 } == 2)
    }

    @Test func `the value goes with its lock`() {
        weak var remembered: Token?
        do {
            let lock = Lock(Token())
            remembered = lock.withLock { $0 }
            #expect(remembered != nil)
        }
        #expect(remembered == nil)
    }

    @Test func `a value that cannot be copied can be locked`() {
        struct Single: ~Copyable {
            var count = 0
        }
        let lock = Lock(Single())
        lock.withLock { $0.count += 1 }
        #expect(lock.withLock { $0.count } == 1)
    }
}

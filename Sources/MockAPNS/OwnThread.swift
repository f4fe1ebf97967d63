import EventLoop

/// Work that waits, on a thread of its own, so that it never takes one of the few that run a test's tasks.
enum OwnThread {
    /// Runs the work and returns what came of it.
    static func run<Result: Sendable>(
        _ name: String, _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            detach(name) {
                continuation.resume(with: Swift.Result { try work() })
            }
        }
    }

    /// Runs the work; on the calling thread in the rare case that the system gives no other.
    static func detach(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = try? LoopThread(name: name) { _ in }
        guard let thread else { return work() }
        thread.mailbox.post { loop in
            work()
            loop.stop()
        }
    }
}

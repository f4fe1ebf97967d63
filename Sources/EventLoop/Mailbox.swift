import Locking

/// The outside face of a loop: work handed over from any thread.
package final class Mailbox: Sendable {
    /// A piece of work for the loop's thread.
    package typealias Job = @Sendable (EventLoop) -> Void

    private struct State {
        var jobs: [Job] = []
        var isOpen = true
    }

    private let state = Lock(State())
    let wakeUp: WakeUp

    init() throws(EventLoopError) {
        wakeUp = try WakeUp()
    }

    /// Runs the job on the loop's thread, in the order of posting, and returns true; drops it and returns false when the
    /// loop has ended. Any thread. A job that was taken is run, even when the loop is asked to stop before its turn.
    @discardableResult
    package func post(_ job: @escaping Job) -> Bool {
        let (isTaken, wasEmpty) = state.withLock { state in
            guard state.isOpen else { return (false, false) }
            let wasEmpty = state.jobs.isEmpty
            state.jobs.append(job)
            return (true, wasEmpty)
        }
        // Whoever finds jobs waiting relies on the signal of the first one.
        if wasEmpty { wakeUp.signal() }
        return isTaken
    }

    /// Exchanges the waiting jobs for an empty array, whose room is used again.
    func swapJobs(with batch: inout [Job]) {
        state.withLock { swap(&$0.jobs, &batch) }
    }

    /// Refuses further jobs, and returns those that wait.
    func close() -> [Job] {
        state.withLock { state in
            state.isOpen = false
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}

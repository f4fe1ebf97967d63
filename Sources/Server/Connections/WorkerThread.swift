import EventLoop
import Locking

/// A loop with its worker, as other threads see them.
final class WorkerThread: Sendable {
    private let thread: LoopThread
    private let worker: LoopBound<Worker>

    /// Starts the loop; `setUp` runs on it, before the first connection.
    init(
        index: Int, core: ServerCore, setUp: @escaping @Sendable (Worker) throws -> Void = { _ in }
    ) throws {
        let made = Lock<LoopBound<Worker>?>(nil)
        thread = try LoopThread(name: "apns-\(index)") { loop in
            let worker = Worker(core: core, loop: loop)
            try setUp(worker)
            made.withLock { $0 = LoopBound(worker, on: loop) }
        }
        guard let worker = made.withLock({ $0 }) else { throw StartError("a loop did not start", .internalError) }
        self.worker = worker
    }

    /// Hands a connection over.
    func adopt(_ accepted: AcceptedConnection) {
        thread.mailbox.post { [worker] _ in worker.value.adopt(accepted) }
    }

    /// Runs something on the loop.
    func perform(_ job: @escaping @Sendable (Worker) -> Void) {
        thread.mailbox.post { [worker] _ in job(worker.value) }
    }

    /// Waits until the loop has ended.
    func join() {
        thread.join()
    }
}

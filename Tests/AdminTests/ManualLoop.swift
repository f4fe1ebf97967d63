import Admin
import Foundation
import Locking

/// An ``AdminLoop`` whose clock stands still until a test moves it, and whose jobs run when a test says so.
final class ManualLoop: AdminLoop {
    private final class Timer: AdminTimer {
        let time: Int64
        var body: (() -> Void)?

        init(time: Int64, body: @escaping () -> Void) {
            self.time = time
            self.body = body
        }

        func cancel() { body = nil }
    }

    private final class Jobs: Sendable {
        let waiting = Lock<[@Sendable () -> Void]>([])
    }

    private(set) var milliseconds: Int64 = 1000
    private var timers: [Timer] = []
    private let jobs = Jobs()
    let post: @Sendable (@escaping @Sendable () -> Void) -> Void

    init() {
        let jobs = jobs
        post = { job in jobs.waiting.withLock { $0.append(job) } }
    }

    func after(milliseconds: Int64, _ body: @escaping () -> Void) -> (any AdminTimer)? {
        let timer = Timer(time: self.milliseconds + milliseconds, body: body)
        timers.append(timer)
        return timer
    }

    /// How many timers are pending.
    var pendingTimers: Int { timers.count { $0.body != nil } }

    /// Runs jobs until none is left.
    func run() {
        while true {
            let batch = jobs.waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            if batch.isEmpty { return }
            for job in batch { job() }
        }
    }

    /// Lets the time pass, each timer at its moment, and runs the jobs that come of it.
    func advance(_ milliseconds: Int64) {
        run()
        let end = self.milliseconds + milliseconds
        while let next = timers.filter({ $0.body != nil && $0.time <= end }).min(by: { $0.time < $1.time }) {
            self.milliseconds = max(self.milliseconds, next.time)
            let body = next.body
            next.body = nil
            body?()
            run()
        }
        timers.removeAll { $0.body == nil }
        self.milliseconds = end
    }

    /// Lets the time pass and fires what is due before any job runs, as a loop may.
    func fireTimersFirst(_ milliseconds: Int64) {
        self.milliseconds += milliseconds
        for timer in timers where timer.time <= self.milliseconds {
            let body = timer.body
            timer.body = nil
            body?()
        }
        run()
    }
}

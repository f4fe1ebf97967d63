import Simulation

/// Where calls wait. The journal wakes each by the entry it waits for; nothing here polls or looks twice at an entry.
///
/// Confined to its loop; only the jobs that the journal posts come from other threads.
package final class WaitRoom {
    private let loop: any AdminLoop
    private var waiters: [UInt64: Waiter] = [:]
    private var lastNumber: UInt64 = 0
    private var isClosed = false

    /// Told how many wait whenever one more does.
    var testsOnlyOnEnter: ((Int) -> Void)?

    /// An empty room on this loop.
    package init(loop: any AdminLoop) {
        self.loop = loop
    }

    /// How many calls wait.
    package var count: Int { waiters.count }

    /// Lets a call wait, or answers it at once. Returns a number for ``leave(_:)``; nil when it was answered.
    func enter(_ call: some WaitingCall, _ journal: Journal) throws(Problem) -> UInt64? {
        if isClosed { throw Problem(.stopping, "The server stops and lets no call wait any more.") }
        guard waiters.count < AdminLimits.waiters else { throw Self.tooMany(AdminLimits.waiters) }
        lastNumber += 1
        let number = lastNumber
        let post = loop.post
        let room = LoopConfined(self)
        let follower: Journal.Follower
        let snapshot: Journal.Snapshot
        do throws(Journal.TooManyFollowers) {
            (follower, snapshot) = try journal.follow(after: call.after, matching: call.followed) { event in
                post { room.value?.deliver(event, to: number) }
            }
        } catch {
            throw Self.tooMany(error.limit)
        }
        var call = call
        let action = call.start(snapshot, now: loop.milliseconds)
        waiters[number] = Waiter(journal: journal, follower: follower, call: call)
        perform(action, for: number)
        guard waiters[number] != nil else { return nil }
        testsOnlyOnEnter?(waiters.count)
        return number
    }

    /// Forgets a call whose guest has gone.
    package func leave(_ number: UInt64) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        waiter.timer?.cancel()
        waiter.journal.unfollow(waiter.follower)
    }

    /// Ends every call with ``WaitMachine/Verdict/stopped``; nobody may enter any more.
    package func close() {
        isClosed = true
        for number in waiters.keys.sorted() { receive(.stop, for: number) }
    }

    private func deliver(_ event: Journal.Event, to number: UInt64) {
        switch event {
        case .entry(let entry):
            guard let action = waiters[number]?.call.take(entry, now: loop.milliseconds) else { return }
            perform(action, for: number)
        case .completed: break
        case .reset: receive(.reset, for: number)
        case .closed: receive(.stop, for: number)
        }
    }

    private func receive(_ event: WaitMachine.Event, for number: UInt64) {
        guard let action = waiters[number]?.call.receive(event, now: loop.milliseconds) else { return }
        perform(action, for: number)
    }

    private func perform(_ action: WaitMachine.Action, for number: UInt64) {
        switch action {
        case .none: break
        case .setTimer(let time): setTimer(at: time, for: number)
        case .drain: drain(number)
        case .finish(let verdict):
            guard let waiter = waiters[number] else { return }
            leave(number)
            waiter.call.finish(verdict, now: loop.milliseconds)
        }
    }

    private func setTimer(at time: Int64, for number: UInt64) {
        waiters[number]?.timer?.cancel()
        let timer = loop.after(milliseconds: max(0, time - loop.milliseconds)) { [weak self] in
            self?.receive(.timer, for: number)
        }
        if timer == nil { return receive(.stop, for: number) }
        waiters[number]?.timer = timer
    }

    /// Whatever the journal has numbered by now was posted before this job, so it is counted when the job runs.
    private func drain(_ number: UInt64) {
        guard let cursor = waiters[number]?.journal.cursor else { return }
        let room = LoopConfined(self)
        loop.post {
            room.value?.waiters[number]?.call.account(for: cursor)
            room.value?.receive(.drained, for: number)
        }
    }

    private static func tooMany(_ limit: Int) -> Problem {
        Problem(
            .tooManyWaiters, "\(limit) calls wait already, which is as many as may.",
            hint: "End calls whose answer nobody reads, or ask with a shorter wait.")
    }
}

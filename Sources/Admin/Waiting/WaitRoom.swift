package import Simulation

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
    package func enter(
        _ question: ListQuestion, _ expectation: WaitExpectation, _ journal: Journal,
        reply: @escaping (ListResult) -> Void
    ) throws(Problem) -> UInt64? {
        if isClosed { throw Problem(.stopping, "The server stops and lets no call wait any more.") }
        guard waiters.count < AdminLimits.waiters else { throw Self.tooMany(AdminLimits.waiters) }
        lastNumber += 1
        let number = lastNumber
        let post = loop.post
        let room = LoopConfined(self)
        let follower: Journal.Follower
        let snapshot: Journal.Snapshot
        do throws(Journal.TooManyFollowers) {
            (follower, snapshot) = try journal.follow(after: question.after, matching: question.filter.matcher) {
                event in post { room.value?.deliver(event, to: number) }
            }
        } catch {
            throw Self.tooMany(error.limit)
        }
        var matches = question.collection
        matches.add(snapshot.entries, matching: question.filter.matcher)
        let now = loop.milliseconds
        var machine = WaitMachine(expectation)
        let action = machine.start(matches: matches.count, isTruncated: snapshot.truncated, now: now)
        waiters[number] = Waiter(
            question: question, journal: journal, follower: follower, startedAt: now, reply: reply, machine: machine,
            matches: matches, oldest: snapshot.oldest, truncated: snapshot.truncated, accounted: snapshot.cursor)
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
            waiters[number]?.matches.add(entry)
            receive(.match, for: number)
        case .reset: receive(.reset, for: number)
        case .closed: receive(.stop, for: number)
        }
    }

    private func receive(_ event: WaitMachine.Event, for number: UInt64) {
        guard let action = waiters[number]?.machine.receive(event, now: loop.milliseconds) else { return }
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
            waiter.reply(waiter.result(verdict, now: loop.milliseconds))
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
            room.value?.waiters[number]?.accounted = cursor
            room.value?.receive(.drained, for: number)
        }
    }

    private static func tooMany(_ limit: Int) -> Problem {
        Problem(
            .tooManyWaiters, "\(limit) calls wait already, which is as many as may.",
            hint: "End calls whose answer nobody reads, or ask with a shorter wait.")
    }
}

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
    ///
    /// What the journal holds is looked at in slices, between which other guests have their turns.
    func enter(_ call: some WaitingCall, _ journal: Journal) throws(Problem) -> UInt64? {
        lastNumber += 1
        let number = lastNumber
        let bell = Waiter.Bell()
        let (follower, snapshot) = try follow(call, journal, number, bell)
        var waiter = Waiter(
            journal: journal, follower: follower, bell: bell, call: call, held: snapshot,
            unseen: snapshot.entries.makeIterator(), position: snapshot.cursor)
        waiter.looksItself = follower?.asksItself ?? false
        waiter.call.scratch.remarks = snapshot.remarks
        waiters[number] = waiter
        look(number)
        guard waiters[number] != nil else { return nil }
        testsOnlyOnEnter?(waiters.count)
        return number
    }

    private func follow(
        _ call: some WaitingCall, _ journal: Journal, _ number: UInt64, _ bell: Waiter.Bell
    ) throws(Problem) -> (Journal.Follower?, Journal.Snapshot) {
        guard call.waits else { return (nil, journal.snapshot(after: call.after, for: call.followed)) }
        if isClosed { throw Problem(.stopping, "The server stops and lets no call wait any more.") }
        guard waiters.count < AdminLimits.waiters else { throw Self.tooMany(AdminLimits.waiters) }
        let post = loop.post
        let room = LoopConfined(self)
        do throws(Journal.TooManyFollowers) {
            return try journal.follow(after: call.after, matching: call.followed) { event in
                if case .candidate = event {
                    if bell.ring() { post { room.value?.look(number) } }
                } else {
                    post { room.value?.deliver(event, to: number) }
                }
            }
        } catch {
            throw Self.tooMany(error.limit)
        }
    }

    /// Looks at what was not looked at yet, one slice of it.
    private func look(_ number: UInt64) {
        guard var waiter = waiters[number] else { return }
        waiter.bell.answer()
        waiter.turn?.cancel()
        waiter.turn = nil
        let most = waiter.call.scratch.steps + MatchCost.slice
        if var unseen = waiter.unseen {
            while let entry = unseen.next() {
                waiter.call.see(entry)
                if waiter.call.scratch.isSpent { return perform(.finish(.spent), for: number, waiter) }
                guard waiter.call.scratch.steps < most else {
                    waiter.unseen = unseen
                    // What comes meanwhile is looked at behind all this.
                    waiter.looksItself = true
                    return giveWay(number, waiter)
                }
            }
            waiter.unseen = nil
            let action = waiter.call.start(waiter.held, now: loop.milliseconds)
            perform(action, for: number, waiter)
            guard let present = waiters[number] else { return }
            waiter = present
        }
        guard waiter.looksItself else { return }
        let snapshot = waiter.journal.snapshot(after: waiter.position)
        if snapshot.truncated, snapshot.oldest > waiter.position + 1 {
            return perform(.finish(.truncated), for: number, waiter)
        }
        let matcher = waiter.call.followed
        for entry in snapshot.entries {
            waiter.position = entry.seq
            let isMeant = matcher.matches(entry, scratch: waiter.call.scratch)
            if waiter.call.scratch.isSpent { return perform(.finish(.spent), for: number, waiter) }
            if isMeant {
                perform(waiter.call.take(entry, now: loop.milliseconds), for: number, waiter)
                guard let present = waiters[number] else { return }
                waiter = present
            }
            if waiter.call.scratch.steps >= most { return giveWay(number, waiter) }
        }
        waiters[number] = waiter
    }

    /// Goes on when other guests had their turns.
    private func giveWay(_ number: UInt64, _ waiter: Waiter) {
        var waiter = waiter
        waiter.turn = loop.after(milliseconds: 0) { [weak self] in self?.look(number) }
        waiters[number] = waiter
        if waiter.turn == nil { perform(.finish(.stopped), for: number) }
    }

    private func perform(_ action: WaitMachine.Action, for number: UInt64, _ waiter: Waiter) {
        waiters[number] = waiter
        perform(action, for: number)
    }

    /// Forgets a call whose guest has gone.
    package func leave(_ number: UInt64) {
        guard let waiter = waiters.removeValue(forKey: number) else { return }
        waiter.timer?.cancel()
        waiter.turn?.cancel()
        if let follower = waiter.follower { waiter.journal.unfollow(follower) }
    }

    /// Ends every call with ``WaitMachine/Verdict/stopped``; nobody may enter any more.
    package func close() {
        isClosed = true
        for number in waiters.keys.sorted() { receive(.stop, for: number) }
    }

    private func deliver(_ event: Journal.Event, to number: UInt64) {
        switch event {
        case .entry(let entry):
            // Who looks itself finds it in the journal.
            if waiters[number]?.looksItself ?? false { return look(number) }
            guard let action = waiters[number]?.call.take(entry, now: loop.milliseconds) else { return }
            perform(action, for: number)
        case .completed, .candidate: break
        case .removed(let last): receive(.removed(through: last), for: number)
        case .reset: receive(.reset, for: number)
        case .closed: receive(.stop, for: number)
        }
    }

    private func receive(_ event: WaitMachine.Event, for number: UInt64) {
        // Before all was seen there is nothing to judge but that it ends.
        if waiters[number]?.unseen != nil {
            switch event {
            case .reset: return perform(.finish(.reset), for: number)
            case .stop: return perform(.finish(.stopped), for: number)
            case .match, .timer, .drained: return
            case .removed: break
            }
        }
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
        drain(number, to: cursor)
    }

    private func drain(_ number: UInt64, to cursor: UInt64) {
        let room = LoopConfined(self)
        loop.post {
            if let waiter = room.value?.waiters[number], waiter.looksItself, waiter.position < cursor {
                room.value?.look(number)
                let isBehind = room.value?.waiters[number].map { $0.position < cursor && $0.turn != nil } ?? false
                if isBehind {
                    _ = room.value?.loop.after(milliseconds: 1) { room.value?.drain(number, to: cursor) }
                    return
                }
            }
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

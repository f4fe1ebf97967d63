import APNs
import Simulation

/// A verification that is judged, at once or while it waits.
struct VerifyWait: WaitingCall {
    private let question: VerifyQuestion
    private let reply: (VerifyResult) -> Void
    let scratch = MatchScratch()
    /// Watches the sender, when a finding about conduct over time is asked for or forbidden.
    private var conduct: Conduct?
    private var machine: VerifyMachine
    private var result: VerifyResult
    private var startedAt: Int64 = 0

    /// A verification that has not begun; `reply` is called with its result.
    init(_ question: VerifyQuestion, _ journal: Journal, reply: @escaping (VerifyResult) -> Void) {
        self.question = question
        self.reply = reply
        if question.asksForConduct {
            var conduct = Conduct()
            // What came before says what the sender should have known.
            if question.after > 0 {
                for entry in journal.snapshot().entries.prefix(while: { $0.seq <= question.after })
                where question.scope.matches(entry, scratch: scratch) { _ = conduct.see(entry) }
            }
            self.conduct = conduct
        }
        machine = VerifyMachine(question)
        result = VerifyResult(question)
    }

    var after: UInt64 { question.after }
    var followed: Matcher { question.followed }

    var waits: Bool { question.wait ?? 0 > 0 }

    mutating func see(_ entry: JournalEntry) {
        if question.scope.matches(entry, scratch: scratch) { add(entry) }
    }

    mutating func start(_ snapshot: Journal.Snapshot, now: Int64) -> WaitMachine.Action {
        startedAt = now
        result.oldest = snapshot.oldest
        result.gap = snapshot.gap(after: question.after)
        result.cursor = snapshot.cursor
        return machine.start(isTruncated: result.truncated, now: now)
    }

    mutating func take(_ entry: JournalEntry, now: Int64) -> WaitMachine.Action {
        result.cursor = max(result.cursor, entry.seq)
        add(entry)
        return machine.judge(now: now)
    }

    mutating func receive(_ event: WaitMachine.Event, now: Int64) -> WaitMachine.Action {
        if case .removed(let last) = event {
            guard last > question.after else { return .none }
            result.gap = "entries up to #\(last) were deleted while this call waited"
        }
        return machine.receive(event, now: now)
    }

    mutating func account(for cursor: UInt64) { result.cursor = max(result.cursor, cursor) }

    func finish(_ verdict: WaitMachine.Verdict, now: Int64) {
        var result = result
        result.verdict = verdict
        result.waitedMilliseconds = now - startedAt
        reply(result)
    }

    private mutating func add(_ entry: JournalEntry) {
        let remarks = conduct?.see(entry) ?? []
        scratch.remarks = remarks.isEmpty ? [:] : [entry.seq: remarks]
        let places = question.expectations.indices.filter {
            question.expectations[$0].filter.matcher.matches(entry, scratch: scratch)
        }
        let isOther = question.forbidsOthers && entry.isAcceptedPush
        let isRejection = question.forbidsRejections && entry.content.outcome == .rejected
        switch machine.add(places, isForbidden: isOther || isRejection) {
        case .counted(let places): note(entry, places)
        case .oneTooMany(let place): note(entry, question.isOrdered ? [place] : places)
        case .outOfOrder(let place): result.arrive(entry, for: place, isOutOfOrder: true)
        case .forbidden: if isOther { result.others.add(entry) } else { result.rejections.add(entry) }
        case .ignored: break
        }
        guard !question.forbiddenFindings.isEmpty else { return }
        let codes = entry.content.findings.map(\.code) + remarks.map(\.code)
        if codes.contains(where: { code in question.forbiddenFindings.contains { $0.objects(to: code) } }) {
            result.findings.add(entry)
            machine.violate()
        }
    }

    private mutating func note(_ entry: JournalEntry, _ places: [Int]) {
        for place in places {
            result.matched[place].add(entry)
            if question.isOrdered { result.arrive(entry, for: place, isOutOfOrder: false) }
        }
    }
}

extension JournalEntry {
    /// Whether the entry is a push that was accepted; requests that manage channels are none.
    var isAcceptedPush: Bool { content.outcome == .accepted && content.kind != .channels }
}

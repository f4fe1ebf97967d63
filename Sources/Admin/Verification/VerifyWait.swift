import APNs
import Simulation

/// A verification that is judged, at once or while it waits.
struct VerifyWait: WaitingCall {
    private let question: VerifyQuestion
    private let reply: (VerifyResult) -> Void
    let scratch = MatchScratch()
    private let forbidden: Set<String>
    /// Watches the sender, when a finding about conduct over time is forbidden.
    private var conduct: Conduct?
    private var machine: VerifyMachine
    private var result: VerifyResult
    private var startedAt: Int64 = 0

    /// A verification that has not begun; `reply` is called with its result.
    init(_ question: VerifyQuestion, reply: @escaping (VerifyResult) -> Void) {
        self.question = question
        self.reply = reply
        let forbidden = Set(question.forbiddenFindings)
        self.forbidden = forbidden
        conduct =
            FindingCode.conductCodes.contains { forbidden.contains($0.code.description) } ? Conduct() : nil
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
        result.truncated = snapshot.truncated
        result.cursor = snapshot.cursor
        return machine.start(isTruncated: snapshot.truncated, now: now)
    }

    mutating func take(_ entry: JournalEntry, now: Int64) -> WaitMachine.Action {
        result.cursor = max(result.cursor, entry.seq)
        add(entry)
        return machine.judge(now: now)
    }

    mutating func receive(_ event: WaitMachine.Event, now: Int64) -> WaitMachine.Action {
        machine.receive(event, now: now)
    }

    mutating func account(for cursor: UInt64) { result.cursor = max(result.cursor, cursor) }

    func finish(_ verdict: WaitMachine.Verdict, now: Int64) {
        var result = result
        result.verdict = verdict
        result.waitedMilliseconds = now - startedAt
        reply(result)
    }

    private mutating func add(_ entry: JournalEntry) {
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
        guard !forbidden.isEmpty else { return }
        let codes = entry.content.findings.map(\.code) + (conduct?.see(entry).map(\.code) ?? [])
        if codes.contains(where: { forbidden.contains($0.code.description) }) {
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

package import Simulation

/// What came of a question.
package struct ListResult: Sendable {
    package var matches: MatchCollection
    /// Everything up to this number was looked at.
    package var cursor: UInt64
    package var oldest: UInt64
    package var truncated: Bool
    /// How an expectation ended; a plain list is always met.
    package var verdict: WaitMachine.Verdict
    package var waitedMilliseconds: Int64

    /// A result.
    package init(
        matches: MatchCollection, cursor: UInt64, oldest: UInt64, truncated: Bool, verdict: WaitMachine.Verdict,
        waitedMilliseconds: Int64
    ) {
        self.matches = matches
        self.cursor = cursor
        self.oldest = oldest
        self.truncated = truncated
        self.verdict = verdict
        self.waitedMilliseconds = waitedMilliseconds
    }

    /// What the journal holds now, judged at once.
    package init(_ question: ListQuestion, _ journal: Journal) {
        let snapshot = journal.snapshot(after: question.after, for: question.filter.matcher)
        matches = question.collection
        matches.add(snapshot, matching: question.filter.matcher)
        cursor = snapshot.cursor
        oldest = snapshot.oldest
        truncated = snapshot.truncated
        verdict = .met
        waitedMilliseconds = 0
        guard var expectation = question.expectation else { return }
        expectation.wait = nil
        var machine = WaitMachine(expectation)
        let action = machine.start(matches: matches.count, isTruncated: truncated, now: 0)
        if case .finish(let verdict) = action { self.verdict = verdict }
    }

    /// The `after` of the next call: nothing up to it is missing from an answer that shows these items.
    package func nextCursor(_ items: [JournalEntry], newestFirst: Bool) -> UInt64 {
        guard !newestFirst, matches.count > items.count, let last = items.last else { return cursor }
        return last.seq
    }
}

import APNs

/// Finds the likeliest cause of an expectation that was not met, and says it in a sentence.
struct HintWriter {
    let renderer: EntryRenderer
    let matcher: Matcher
    let misses: [NearMiss]
    let seen: NearMissReport.Seen
    let matched: Int
    /// A match from before the cursor.
    let early: JournalEntry?
    let cursor: UInt64
    /// The last connection whose TLS handshake failed.
    let handshake: JournalEntry?
    /// The last connection that broke.
    let broken: JournalEntry?
    /// The last request that was refused.
    let refused: JournalEntry?

    /// The first cause that applies, the most certain first.
    var hint: String? {
        refusedMatch ?? earlyMatch ?? handshakes ?? otherRefusals ?? oneDifference ?? brokenConnections ?? silence
    }

    /// The push came and was refused.
    private var refusedMatch: String? {
        guard let miss = misses.first, miss.isOnlyRefused else { return nil }
        let content = miss.entry.content
        let device = matcher.exactDevices == nil ? "" : " to this device"
        let verb = content.outcome == .rejected ? "was rejected" : "was lost on purpose"
        return "A matching push\(device) \(verb) (\(id(miss.entry))): \(cause(of: miss.entry))"
    }

    /// The push came before the test took its cursor.
    private var earlyMatch: String? {
        guard matched == 0, let early else { return nil }
        return
            "A matching push (\(id(early)), number \(early.seq)) arrived before the cursor \(cursor): take the cursor "
            + "before the code under test sends."
    }

    /// The sender could not connect.
    private var handshakes: String? {
        guard seen.handshakesFailed > 0, let handshake else { return nil }
        let explanation = handshake.content.breakage?.explanation ?? ""
        let subject = seen.handshakesFailed == 1 ? "A TLS handshake" : "\(seen.handshakesFailed) TLS handshakes"
        return "\(subject) failed: \(explanation)"
    }

    /// Other pushes came and were refused, perhaps all for one cause.
    private var otherRefusals: String? {
        guard matched == 0, seen.rejected > 0, seen.accepted == 0, let refused else { return nil }
        let subject = seen.rejected == 1 ? "The only push was" : "All \(seen.rejected) pushes were"
        let last = seen.rejected == 1 ? "" : "the last "
        return "\(subject) rejected, \(last)with \(refused.answerText) (\(id(refused))): \(cause(of: refused))"
    }

    /// A push came that is the expected one but for one field.
    private var oneDifference: String? {
        guard let miss = misses.first, miss.comparison.differ.count == 1, let difference = miss.comparison.differ.first
        else { return nil }
        return "A push (\(id(miss.entry))) agrees in all but \(difference.field): expected \(difference.expected), "
            + "got \(difference.actual)."
    }

    /// Something connected that is no sender of pushes.
    private var brokenConnections: String? {
        guard seen.broken > 0, let explanation = broken?.content.breakage?.explanation else { return nil }
        let subject = seen.broken == 1 ? "A connection" : "\(seen.broken) connections"
        return "\(subject) broke before a request arrived: \(explanation)"
    }

    /// Nothing came at all.
    private var silence: String? {
        guard matched == 0, seen == NearMissReport.Seen() else { return nil }
        return
            "Nothing arrived after cursor \(cursor), not even a connection: check the host and port that the sender uses."
    }

    private func id(_ entry: JournalEntry) -> String { renderer.id(of: entry) }

    private func cause(of entry: JournalEntry) -> String {
        entry.content.failures.first?.explanation ?? entry.answerText
    }
}

extension JournalEntry {
    /// The answer, for people: `403 ExpiredProviderToken`.
    package var answerText: String {
        switch (content.status, content.reason) {
        case (0, let reason): reason?.word ?? "no answer"
        case (let status, let reason?): "\(status) \(reason.word)"
        case (let status, nil): "\(status)"
        }
    }
}

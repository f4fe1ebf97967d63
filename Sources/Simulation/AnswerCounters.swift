import APNs

/// How often each kind of answer was given.
///
/// Accepted pushes, the many, are counted by push type in an array; the kinds of all other answers are few, and so is their
/// number.
struct AnswerCounters {
    private static let unknownIndex = PushType.allCases.count
    private var accepted = [UInt64](repeating: 0, count: unknownIndex + 1)
    private var others: [Journal.Answer: UInt64] = [:]
    /// By code; most entries have no findings.
    private var findings: [String: UInt64] = [:]
    /// By cause.
    private var breakages: [String: UInt64] = [:]

    /// Counts an entry by its facts; they have no references, so that handing them over costs little.
    mutating func count(_ facts: JournalEntry.Facts) {
        if case .accepted = facts.outcome, facts.status == 200 {
            accepted[facts.pushType?.index ?? Self.unknownIndex] &+= 1
            return
        }
        let answer = Journal.Answer(
            outcome: facts.outcome, status: facts.status, reason: facts.reason, pushType: facts.pushType)
        others[answer, default: 0] += 1
    }

    /// Takes back what ``count(_:)`` did for an entry of which something else is true by now.
    mutating func takeBack(_ facts: JournalEntry.Facts) {
        if case .accepted = facts.outcome, facts.status == 200 {
            accepted[facts.pushType?.index ?? Self.unknownIndex] &-= 1
            return
        }
        let answer = Journal.Answer(
            outcome: facts.outcome, status: facts.status, reason: facts.reason, pushType: facts.pushType)
        guard let count = others[answer] else { return }
        others[answer] = count > 1 ? count - 1 : nil
    }

    /// Counts what only some entries have: findings, and the cause of a connection that broke.
    mutating func countRare(_ content: JournalEntry.Content) {
        for finding in content.findings { findings[finding.code.code.description, default: 0] += 1 }
        if let breakage = content.breakage { breakages[breakage.cause, default: 0] += 1 }
    }

    /// Adds the counts to statistics.
    func fill(_ statistics: inout Journal.Statistics) {
        statistics.answers = others
        statistics.findings = findings
        statistics.breakages = breakages
        let types: [PushType?] = PushType.allCases + [nil]
        for (type, count) in zip(types, accepted) where count > 0 {
            let answer = Journal.Answer(outcome: .accepted, status: 200, reason: nil, pushType: type)
            statistics.answers[answer] = count
        }
        for (answer, count) in statistics.answers {
            switch answer.outcome {
            case .accepted: statistics.accepted += count
            case .rejected: statistics.rejected += count
            case .faulted: statistics.faulted += count
            case .broken: statistics.broken += count
            }
        }
    }
}

extension PushType {
    /// The place in the table of push types.
    fileprivate var index: Int {
        switch self {
        case .alert: 0
        case .background: 1
        case .complication: 2
        case .controls: 3
        case .fileprovider: 4
        case .liveactivity: 5
        case .location: 6
        case .mdm: 7
        case .pushtotalk: 8
        case .voip: 9
        case .widgets: 10
        }
    }
}

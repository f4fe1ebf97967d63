import APNs
import Simulation

/// What a sender's pushes say about the sender: totals, findings with examples, connections, tokens, slow answers.
struct SenderReport {
    /// A kind of finding and what showed it.
    struct Row {
        let code: FindingCode
        var count = 0
        var examples: [(entry: JournalEntry, message: String)] = []
    }

    /// What was seen of connections.
    struct Connections {
        var opened = 0
        var requests = 0
        var mostRequests = 0
        var handshakesFailed = 0
        var broken = 0
    }

    /// What was seen of provider tokens.
    struct Tokens {
        var keys: Set<String> = []
        /// Different tokens, by key and time of issue.
        var issued: Set<String> = []
        var oldestMilliseconds: Int64 = 0
        var certificates: Set<String> = []
    }

    /// How many entries show a finding, and how many slow answers are listed.
    static let exampleLimit = 3

    let after: UInt64
    private(set) var cursor: UInt64
    private(set) var isTruncated: Bool
    private(set) var outcomes: [JournalEntry.Outcome: Int] = [:]
    private(set) var rows: [Row] = []
    private(set) var connections = Connections()
    private(set) var tokens = Tokens()
    /// The slowest answers, slowest first.
    private(set) var slowest: [JournalEntry] = []
    /// What gates ask about.
    private(set) var tally = GateTally()

    /// Looks through the entries of a snapshot that are meant.
    ///
    /// `remarks` are what the sender's conduct showed, by the numbers of the entries.
    init(
        _ snapshot: Journal.Snapshot, after: UInt64, matching matcher: Matcher,
        remarks: [UInt64: [Conduct.Remark]]
    ) {
        self.after = after
        cursor = snapshot.cursor
        let gap = snapshot.gap(after: after)
        isTruncated = gap != nil
        tally.gap = gap
        var places: [String: Int] = [:]
        var requests: [UInt64: Int] = [:]
        let scratch = MatchScratch()
        scratch.remarks = remarks
        for entry in snapshot.entries where matcher.matches(entry, scratch: scratch) {
            let content = entry.content
            outcomes[content.outcome, default: 0] += 1
            note(content, &requests)
            for finding in content.findings { add(finding.code, finding.message, entry, &places) }
            tally.note(entry)
            for remark in remarks[entry.seq] ?? [] {
                add(remark.code, remark.message, entry, &places)
                tally.note(remark.code, remark.message, entry.seq)
            }
            noteSpeed(of: entry)
        }
        connections.opened = requests.count
        connections.requests = requests.values.reduce(0, +)
        connections.mostRequests = requests.values.max() ?? 0
        rows.sort {
            ($0.code.severity == .error ? 0 : 1, $0.code.code.description) < (
                $1.code.severity == .error ? 0 : 1, $1.code.code.description
            )
        }
    }

    private mutating func add(
        _ code: FindingCode, _ message: String, _ entry: JournalEntry, _ places: inout [String: Int]
    ) {
        let place = places[code.code.description] ?? rows.count
        if place == rows.count {
            places[code.code.description] = place
            rows.append(Row(code: code))
        }
        rows[place].count += 1
        if rows[place].examples.count < Self.exampleLimit { rows[place].examples.append((entry, message)) }
    }

    private mutating func note(_ content: JournalEntry.Content, _ requests: inout [UInt64: Int]) {
        if let breakage = content.breakage {
            connections.broken += 1
            if breakage.isHandshake { connections.handshakesFailed += 1 }
            return
        }
        requests[content.connection.value.id, default: 0] += 1
        switch content.authentication {
        case .none: break
        case .certificate(let subject): tokens.certificates.insert(subject)
        case .token(let keyID, let teamID, let issuedAt, _):
            tokens.keys.insert("\(teamID)/\(keyID)")
            tokens.issued.insert("\(teamID)/\(keyID)/\(issuedAt)")
            if let age = Int64(exactly: (Double(content.serverTime) - issuedAt * 1000).rounded()) {
                tokens.oldestMilliseconds = max(tokens.oldestMilliseconds, age)
            }
        }
    }

    private mutating func noteSpeed(of entry: JournalEntry) {
        guard let time = entry.afterMilliseconds, time > 0 else { return }
        let place = slowest.firstIndex { time > $0.afterMilliseconds ?? 0 } ?? slowest.count
        guard place < Self.exampleLimit else { return }
        slowest.insert(entry, at: place)
        if slowest.count > Self.exampleLimit { slowest.removeLast() }
    }
}

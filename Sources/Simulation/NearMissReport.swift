/// Why nothing matched: the entries that came nearest, what was seen instead, and the likeliest cause in a sentence.
package struct NearMissReport: Sendable {
    /// What was seen after the cursor.
    package struct Seen: Sendable, Equatable {
        package var accepted = 0
        package var rejected = 0
        package var faulted = 0
        /// Connections with at least one entry.
        package var connections = 0
        /// Connections that broke during the TLS handshake.
        package var handshakesFailed = 0
        /// All connections that broke before they became a request, failed handshakes among them.
        package var broken = 0

        package init() {}
    }

    /// How many near misses a report holds.
    package static let limit = 3

    /// The nearest entries after the cursor, nearest first.
    package private(set) var misses: [NearMiss] = []
    /// What was seen after the cursor.
    package private(set) var seen = Seen()
    /// What probably happened and what to do; nil when there is nothing to say.
    package private(set) var hint: String?

    /// Looks through entries in ascending order; those up to `cursor` are only looked at for a push that came too early.
    ///
    /// Entries that match are no misses: a report is also made when too few or too many came.
    package init(
        matcher: Matcher, entries: some BidirectionalCollection<JournalEntry>, after cursor: UInt64,
        renderer: EntryRenderer
    ) {
        let scratch = MatchScratch()
        var connections: Set<UInt64> = []
        var early: JournalEntry?
        var ranked: [NearMiss] = []
        var matched = 0
        // The newest come first, so that of equals the newest stays in front.
        for entry in entries.reversed() {
            guard entry.seq > cursor else {
                if matched == 0, early == nil, matcher.matches(entry, scratch: scratch) { early = entry }
                if early != nil || matched > 0 { break }
                continue
            }
            connections.insert(entry.content.connection.value.id)
            count(entry)
            guard entry.content.outcome != .broken else { continue }
            let comparison = matcher.compare(entry, scratch: scratch)
            if comparison.differ.isEmpty {
                matched += 1
            } else {
                Self.insert(NearMiss(entry: entry, comparison: comparison), into: &ranked)
            }
        }
        seen.connections = connections.count
        // An entry that agrees in nothing that was asked for is no near miss.
        misses = ranked.filter { !$0.comparison.agree.isEmpty || $0.isOnlyRefused }
        func last(where condition: (JournalEntry) -> Bool) -> JournalEntry? {
            entries.last { $0.seq <= cursor || condition($0) }.flatMap { $0.seq > cursor ? $0 : nil }
        }
        let writer = HintWriter(
            renderer: renderer, matcher: matcher, misses: misses, seen: seen, matched: matched, early: early,
            cursor: cursor, handshake: last { $0.content.breakage?.isHandshake ?? false },
            broken: last { $0.content.outcome == .broken }, refused: last { $0.content.outcome == .rejected })
        hint = writer.hint
    }

    private mutating func count(_ entry: JournalEntry) {
        switch entry.content.outcome {
        case .accepted: seen.accepted += 1
        case .rejected: seen.rejected += 1
        case .faulted: seen.faulted += 1
        case .broken:
            seen.broken += 1
            if entry.content.breakage?.isHandshake ?? false { seen.handshakesFailed += 1 }
        }
    }

    /// Puts the miss in its place and keeps the nearest.
    private static func insert(_ miss: NearMiss, into ranked: inout [NearMiss]) {
        let place = ranked.firstIndex { isNearer(miss, than: $0) } ?? ranked.count
        guard place < limit else { return }
        ranked.insert(miss, at: place)
        if ranked.count > limit { ranked.removeLast() }
    }

    private static func isNearer(_ left: NearMiss, than right: NearMiss) -> Bool {
        if left.isOnlyRefused != right.isOnlyRefused { return left.isOnlyRefused }
        if left.comparison.differ.count != right.comparison.differ.count {
            return left.comparison.differ.count < right.comparison.differ.count
        }
        return left.weight > right.weight
    }
}

extension NearMiss {
    /// Of entries with as many differences, the one for the same device is nearer than one for the same topic.
    fileprivate var weight: Int {
        comparison.agree.reduce(0) { sum, field in
            switch field {
            case "device": sum + 4
            case "apnsId", "collapseId": sum + 3
            case "outcome": sum
            default: sum + (field.contains(".") ? 2 : 1)
            }
        }
    }
}

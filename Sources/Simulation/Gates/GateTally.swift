package import APNs

/// What gates ask about, counted as it happens: refusals nobody asked for by reason, findings by code, rules that never fired.
///
/// It survives whatever happens to the entries themselves.
package struct GateTally: Sendable {
    /// How often something happened, and the first time in words.
    package struct Count: Sendable, Equatable {
        package var number: UInt64 = 0
        /// "#7: There is no apns-topic."
        package var example = ""
    }

    /// What a gate objects to.
    package struct Objection: Sendable {
        package let gate: Gate
        /// How often; 0 when that is not known any more.
        package let count: UInt64
        /// "2 refused (MissingTopic 2); the first was #7: There is no apns-topic."
        package let words: String
        /// Whether the answer is not known any more.
        package let isUnknown: Bool
    }

    /// How many ids of rules are told.
    package static let namedRules = 10

    /// Refusals that no rule, no device's state and no moved clock asked for.
    package private(set) var refusals: [Reason: Count] = [:]
    /// By code.
    package private(set) var findings: [String: Count] = [:]
    /// The ids of rules that never fired.
    package var unusedRules: [String] = []
    /// Why refusals and findings are not known to be all; nil when they are.
    package var gap: String?
    /// Why findings about the sender's conduct are not known to be all; nil when they are.
    package var conductGap: String?

    /// Nothing yet.
    package init() {}

    /// Counts an entry that is not an ordinary accepted push.
    package mutating func note(_ entry: JournalEntry) {
        let content = entry.content
        if content.outcome == .rejected, !content.isAskedFor {
            let explanation = content.failures.first?.explanation ?? "it was refused"
            Self.add(
                "#\(entry.seq): \(explanation)", to: &refusals[content.reason ?? .internalServerError, default: Count()]
            )
        }
        for finding in content.findings { note(finding.code, finding.message, entry.seq) }
    }

    /// Counts a finding.
    package mutating func note(_ code: FindingCode, _ message: String, _ seq: UInt64) {
        Self.add("#\(seq): \(message)", to: &findings[code.code.description, default: Count()])
    }

    private static func add(_ example: @autoclosure () -> String, to count: inout Count) {
        count.number += 1
        if count.number == 1 { count.example = example() }
    }

    /// The same with examples that name their namespace, unless it is the default one.
    package func labelled(_ namespace: String) -> GateTally {
        guard namespace != Namespace.defaultName else { return self }
        var tally = self
        tally.refusals = refusals.mapValues { Count(number: $0.number, example: "\(namespace) \($0.example)") }
        tally.findings = findings.mapValues { Count(number: $0.number, example: "\(namespace) \($0.example)") }
        return tally
    }

    /// Adds what another namespace counted.
    package mutating func add(_ other: GateTally) {
        refusals.merge(other.refusals) { Self.sum($0, $1) }
        findings.merge(other.findings) { Self.sum($0, $1) }
        unusedRules += other.unusedRules
        gap = gap ?? other.gap
        conductGap = conductGap ?? other.conductGap
    }

    private static func sum(_ left: Count, _ right: Count) -> Count {
        Count(number: left.number + right.number, example: left.example)
    }

    /// How many refusals nobody asked for there are, without those of the reasons that may be.
    package func refused(allowing allowed: Set<Reason>) -> UInt64 {
        refusals.reduce(0) { allowed.contains($1.key) ? $0 : $0 + $1.value.number }
    }

    /// How many findings a gate objects to.
    package func found(_ gate: Gate) -> UInt64 { counted(gate).reduce(0) { $0 + $1.count.number } }

    private func counted(_ gate: Gate) -> [(word: String, count: Count)] {
        FindingCode.all.filter { gate.objects(to: $0) }.compactMap { code in
            let word = code.code.description
            return findings[word].map { (word, $0) }
        }
    }

    /// What the gates object to, in their order.
    package func objections(_ gates: [Gate], allowing allowed: Set<Reason> = []) -> [Objection] {
        gates.compactMap { objection($0, allowed) }
    }

    private func objection(_ gate: Gate, _ allowed: Set<Reason>) -> Objection? {
        switch gate {
        case .rejected:
            let kinds = refusals.filter { !allowed.contains($0.key) }
                .map { (word: $0.key.spelling().description, count: $0.value) }
            return Self.objection(gate, kinds, "refused") ?? unknown(gate, gap)
        case .findings, .finding:
            let noun =
                switch gate {
                case .findings(.error): "findings of severity error"
                case .finding: "such findings"
                default: "findings"
                }
            return Self.objection(gate, counted(gate), noun)
                ?? unknown(gate, gap ?? (gate.asksForConduct ? conductGap : nil))
        case .unusedRules:
            guard !unusedRules.isEmpty else { return nil }
            let rest = unusedRules.count - Self.namedRules
            let names =
                unusedRules.prefix(Self.namedRules).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            return Objection(
                gate: gate, count: UInt64(unusedRules.count), words: "\(names) never fired", isUnknown: false)
        }
    }

    private static func objection(_ gate: Gate, _ kinds: [(word: String, count: Count)], _ noun: String) -> Objection? {
        let number = kinds.reduce(0) { $0 + $1.count.number }
        guard number > 0 else { return nil }
        let sorted = kinds.sorted { ($1.count.number, $0.word) < ($0.count.number, $1.word) }
        let list = sorted.map { "\($0.word) \($0.count.number)" }.joined(separator: ", ")
        let what = number == 1 && noun.hasPrefix("findings") ? "finding" + noun.dropFirst("findings".count) : noun
        return Objection(
            gate: gate, count: number, words: "\(number) \(what) (\(list)); for example \(sorted[0].count.example)",
            isUnknown: false)
    }

    private func unknown(_ gate: Gate, _ gap: String?) -> Objection? {
        gap.map { Objection(gate: gate, count: 0, words: "journal-truncated: \($0)", isUnknown: true) }
    }
}

extension JournalEntry.Content {
    /// Whether a refusal is what the test ordered: by a rule, a magic device token, a device's state, a key or certificate that
    /// it revoked, or by a clock that it moved.
    package var isAskedFor: Bool {
        guard let first = failures.first else { return false }
        switch first.check {
        case .script, .deviceActive: return true
        case .tokenAge:
            guard serverTime != receivedAt, case .token(_, _, let issuedAt, _) = authentication else { return false }
            return ProviderToken.isAcceptable(issuedAt: issuedAt, now: receivedAt / 1000)
        default: return first.isAskedFor
        }
    }
}

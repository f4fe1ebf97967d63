import APNs
import JSON
import Simulation

/// What happened in a namespace, judged at its end by what was counted over its life.
struct NamespaceVerdict: Sendable {
    /// How many of each kind are listed; the numbers count all.
    static let listed = 3

    private let name: String
    private let renderer: EntryRenderer
    private let statistics: Journal.Statistics
    private let tally: GateTally
    private let allowed: Set<Reason>
    private let objections: [GateTally.Objection]
    /// The last that the journal held: refused pushes that nobody ordered, and entries with findings of severity error.
    private let refused: [JournalEntry]
    private let faulty: [JournalEntry]
    private let remarks: [UInt64: [Conduct.Remark]]

    /// Ends a namespace and judges it, with what was still on its way. Refusals with the allowed reasons pass.
    init(ending namespace: Namespace, of worlds: Worlds, allowing allowed: Set<Reason>) {
        let journal = namespace.simulator.journal
        name = namespace.name
        renderer = journal.renderer
        self.allowed = allowed
        let remarks = journal.remarks
        let entries = journal.snapshot().entries
        _ = worlds.remove(namespace.name)
        statistics = journal.statistics
        let tally = namespace.tally
        self.tally = tally
        objections = tally.objections(Gate.clean, allowing: allowed)
        self.remarks = remarks
        refused = Array(
            entries.lazy.filter { entry in
                guard entry.content.outcome == .rejected, !entry.content.isAskedFor else { return false }
                return !(entry.content.reason.map { allowed.contains($0) } ?? false)
            }.prefix(Self.listed))
        faulty = Array(entries.lazy.filter { !Self.errors($0, remarks).isEmpty }.prefix(Self.listed))
    }

    private static func errors(
        _ entry: JournalEntry, _ remarks: [UInt64: [Conduct.Remark]]
    ) -> [(code: FindingCode, message: String)] {
        let all =
            entry.content.findings.map { (code: $0.code, message: $0.message) }
            + (remarks[entry.seq] ?? []).map { (code: $0.code, message: $0.message) }
        return all.filter { $0.code.severity == .error }
    }

    /// Whether nothing unexpected happened.
    var isClean: Bool { objections.isEmpty }

    /// The summary.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("removed")
        writer.string(name)
        write(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// The refusal, which lists what was unexpected.
    var problem: Problem {
        let isUnknown = objections.allSatisfy(\.isUnknown)
        var problem = Problem(
            isUnknown ? .journalTruncated : .unclean,
            isUnknown
                ? "The namespace \(quoted(name)) was deleted, and whether it was clean is not known: \(words)."
                : "The namespace \(quoted(name)) was deleted, and was not clean: \(words).",
            hint: hint)
        problem.members = { [self] writer in
            writer.key("removed")
            writer.string(name)
            write(to: &writer)
        }
        problem.ownText = "417 \(problem.title)\n" + text
        return problem
    }

    private var hint: String? {
        if let explanation = refused.first?.content.failures.first?.explanation { return explanation }
        return objections.first { !$0.isUnknown }.map { "GET /v1/report before the end shows more of \($0.gate.word)." }
    }

    /// The summary for people.
    var text: String {
        var lines = [
            "\(name): \(statistics.accepted) accepted, \(statistics.rejected) refused, \(statistics.faulted) faulted, "
                + "\(statistics.broken) broken"
        ]
        lines += objections.map { "not clean: \($0.gate.word): \($0.words)" }
        return lines.joined(separator: "\n") + "\n" + EntryLines(refused).text
            + faulty.flatMap { entry in
                Self.errors(entry, remarks).map { "#\(entry.seq)  \($0.code.code)  \($0.message)\n" }
            }.joined()
    }

    private var words: String { objections.map { "\($0.gate.word): \($0.words)" }.joined(separator: "; ") }

    private func write(to writer: inout JSONWriter) {
        writer.key("clean")
        writer.boolean(isClean)
        let counts: [(StaticString, UInt64)] = [
            ("accepted", statistics.accepted), ("rejected", statistics.rejected), ("faulted", statistics.faulted),
            ("broken", statistics.broken), ("unexpectedRefusals", tally.refused(allowing: allowed)),
            ("errorFindings", tally.found(.findings(.error))), ("unusedRuleCount", UInt64(tally.unusedRules.count)),
        ]
        for (name, count) in counts {
            writer.key(name)
            writer.integer(count)
        }
        objections.write(to: &writer)
        writer.key("unusedRules")
        writer.beginArray()
        for id in tally.unusedRules.prefix(Self.listed) { writer.string(id) }
        writer.endArray()
        for (name, entries) in [("refused", refused), ("findings", faulty)] as [(StaticString, [JournalEntry])] {
            writer.key(name)
            writer.beginArray()
            for entry in entries { renderer.write(entry, showing: remarks[entry.seq] ?? [], to: &writer) }
            writer.endArray()
        }
    }
}

extension [GateTally.Objection] {
    /// Adds the member `objections`: what each gate objects to.
    func write(to writer: inout JSONWriter) {
        writer.key("objections")
        writer.beginArray()
        for objection in self {
            writer.beginObject()
            writer.key("gate")
            writer.string(objection.gate.word)
            writer.key("count")
            if objection.isUnknown { writer.null() } else { writer.integer(objection.count) }
            writer.key("words")
            writer.string(objection.words)
            writer.endObject()
        }
        writer.endArray()
    }
}

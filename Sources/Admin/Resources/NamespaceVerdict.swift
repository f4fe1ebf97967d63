import APNs
import JSON
import Simulation

/// What happened in a namespace, judged at its end.
struct NamespaceVerdict: Sendable {
    /// How many of each kind are listed; the numbers count all.
    static let listed = 3

    private let name: String
    private let renderer: EntryRenderer
    private let statistics: Journal.Statistics
    /// Refused pushes that nobody ordered.
    private let refused: [JournalEntry]
    /// Entries with findings of severity error.
    private let faulty: [JournalEntry]
    /// The ids of rules that never fired.
    private let unused: [String]

    /// Judges a namespace as it stands.
    init(_ namespace: Namespace) {
        name = namespace.name
        renderer = namespace.simulator.journal.renderer
        statistics = namespace.simulator.journal.statistics
        let entries = namespace.simulator.journal.snapshot().entries
        refused = entries.filter { $0.content.outcome == .rejected && $0.content.rule == nil }
        faulty = entries.filter { $0.content.findings.contains { $0.code.severity == .error } }
        unused = namespace.simulator.script.neverFired(now: namespace.simulator.clock.now().server)
    }

    /// Whether nothing unexpected happened.
    var isClean: Bool { refused.isEmpty && faulty.isEmpty && unused.isEmpty }

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
        var problem = Problem(
            .unclean, "The namespace \(quoted(name)) was deleted, and was not clean: \(words.joined(separator: ", ")).",
            hint: refused.first.flatMap { $0.content.failures.first?.explanation })
        problem.members = { [self] writer in
            writer.key("removed")
            writer.string(name)
            write(to: &writer)
        }
        problem.ownText = "417 \(problem.title)\n" + text
        return problem
    }

    /// The summary for people.
    var text: String {
        var lines = [
            "\(name): \(statistics.accepted) accepted, \(statistics.rejected) refused, \(statistics.faulted) faulted, "
                + "\(statistics.broken) broken"
        ]
        lines += words.map { "not clean: \($0)" }
        return lines.joined(separator: "\n") + "\n" + EntryLines(Array(refused.prefix(Self.listed))).text
            + faulty.prefix(Self.listed).flatMap { entry in
                entry.content.findings.filter { $0.code.severity == .error }.map {
                    "#\(entry.seq)  \($0.code.code)  \($0.message)\n"
                }
            }.joined()
    }

    private var words: [String] {
        var words: [String] = []
        if !refused.isEmpty { words.append("\(refused.count) refused") }
        if !faulty.isEmpty { words.append("\(faulty.count) with findings of severity error") }
        if !unused.isEmpty {
            let shown = unused.prefix(Self.listed).map { quoted($0) }.joined(separator: ", ")
            words.append("\(unused.count) rules never fired (\(shown)\(unused.count > Self.listed ? ", …" : ""))")
        }
        return words
    }

    private func write(to writer: inout JSONWriter) {
        writer.key("clean")
        writer.boolean(isClean)
        let counts: [(StaticString, UInt64)] = [
            ("accepted", statistics.accepted), ("rejected", statistics.rejected), ("faulted", statistics.faulted),
            ("broken", statistics.broken), ("unexpectedRefusals", UInt64(refused.count)),
            ("errorFindings", UInt64(faulty.count)), ("unusedRuleCount", UInt64(unused.count)),
        ]
        for (name, count) in counts {
            writer.key(name)
            writer.integer(count)
        }
        writer.key("unusedRules")
        writer.beginArray()
        for id in unused.prefix(Self.listed) { writer.string(id) }
        writer.endArray()
        for (name, entries) in [("refused", refused), ("findings", faulty)] as [(StaticString, [JournalEntry])] {
            writer.key(name)
            writer.beginArray()
            for entry in entries.prefix(Self.listed) { renderer.write(entry, to: &writer) }
            writer.endArray()
        }
    }
}

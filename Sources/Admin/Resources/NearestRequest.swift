import JSON
import Simulation

/// The request that came nearest to a rule that never fired, and why the rule did not touch it.
struct NearestRequest {
    private let entry: JournalEntry
    private let comparison: Matcher.Comparison
    private let why: String?

    /// Looks through the newest entries; nil when there is none to speak of.
    init?(_ rule: Rule, _ journal: Journal) {
        guard rule.stage != .connection else { return nil }
        let scratch = MatchScratch(limit: AdminLimits.explainingSteps / AdminLimits.nearestRules)
        var best: (entry: JournalEntry, comparison: Matcher.Comparison)?
        for entry in journal.snapshot().entries.reversed().prefix(AdminLimits.nearestWindow)
        where entry.content.breakage == nil {
            let comparison = rule.matcher.compare(entry, scratch: scratch)
            if scratch.isSpent { break }
            if best.map({ comparison.differ.count < $0.comparison.differ.count }) ?? true { best = (entry, comparison) }
            if comparison.differ.isEmpty { break }
        }
        guard let best else { return nil }
        entry = best.entry
        comparison = best.comparison
        why = comparison.differ.isEmpty ? Self.why(rule, best.entry) : nil
    }

    /// Why a request that the rule means was not touched.
    private static func why(_ rule: Rule, _ entry: JournalEntry) -> String {
        if rule.stage == .afterValidation, entry.content.outcome == .rejected, entry.content.rule == nil {
            return "It was refused (\(entry.outcomeText)), and the rule looks at valid requests only; "
                + "stage beforeValidation looks at all."
        }
        if let other = entry.content.rule { return "The rule \(other.id) was asked first and fired." }
        if rule.skip > 0 { return "The first \(rule.skip) are skipped." }
        if let every = rule.every { return "Only each \(every). is touched." }
        if let state = rule.state { return "The state was not \(state)." }
        if rule.from != nil || rule.until != nil {
            return "It came outside of the times of between, or before the rule."
        }
        if rule.probability != nil { return "Chance spared it, or it came before the rule was made." }
        return "It came before the rule was made."
    }

    /// Adds the member `nearest`.
    func write(_ renderer: EntryRenderer, to writer: inout JSONWriter) {
        writer.key("nearest")
        writer.beginObject()
        writer.key("id")
        writer.string(renderer.id(of: entry))
        Matcher.Comparison.write(agree: comparison.agree, differ: comparison.differ, to: &writer)
        if let why {
            writer.key("why")
            writer.string(why)
        }
        writer.endObject()
    }
}

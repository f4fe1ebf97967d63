import HTTP
import JSON
import Simulation

/// Why an expectation was not met: what was expected, what came instead, and the most likely reason.
///
/// Made only when a call fails, from one look at the journal.
struct MissReport: Sendable {
    let question: ListQuestion
    let result: ListResult
    let seen: SeenSince
    let nearMisses: [NearMiss]
    /// What matched although too much of it came: the last few.
    let surplus: [JournalEntry]
    /// The newest match from before the question's cursor.
    let earlier: JournalEntry?
    /// The newest request that was refused.
    let rejected: JournalEntry?
    /// The newest connection that broke before it became a request.
    let broken: JournalEntry?
    let renderer: EntryRenderer
    let listeners: [String]

    /// A brief report has only its title.
    init(
        _ question: ListQuestion, _ result: ListResult, _ journal: Journal, listeners: [String], isBrief: Bool = false
    ) {
        self.question = question
        self.result = result
        self.listeners = listeners
        renderer = journal.renderer
        let snapshot = isBrief ? nil : journal.snapshot(after: question.after, for: question.filter.matcher)
        let window = snapshot?.entries ?? JournalEntries()
        let scratch = MatchScratch()
        scratch.remarks = snapshot?.remarks ?? [:]
        seen = SeenSince(window)
        let isSurplus = result.verdict == .tooMany
        nearMisses =
            isSurplus
            ? []
            : NearMiss.nearest(
                to: question, among: window.suffix(AdminLimits.nearMissWindow), limit: AdminLimits.nearMisses, scratch)
        surplus = isSurplus ? result.matches.oldestFirst.suffix(AdminLimits.nearMisses) : []
        // Too many are explained by themselves, and looking through all that is held takes its time.
        earlier =
            isBrief || isSurplus
            ? nil : Self.newest(of: question, among: journal.snapshot().entries, scratch.remarks)
        rejected = window.last { $0.content.outcome == .rejected }
        broken = window.last { $0.content.outcome == .broken }
    }

    /// The newest match from before the question's cursor, as far as a bounded look goes.
    private static func newest(
        of question: ListQuestion, among entries: JournalEntries, _ remarks: [UInt64: [Conduct.Remark]]
    ) -> JournalEntry? {
        let scratch = MatchScratch(limit: AdminLimits.explainingSteps)
        scratch.remarks = remarks
        return entries.last { entry in
            entry.seq <= question.after && !scratch.isSpent
                && question.filter.matcher.matches(entry, scratch: scratch)
        }
    }

    /// The refusal.
    var problem: Problem {
        let isNoSuchThing = question.expectation == nil
        var problem = Problem(isNoSuchThing ? .notFound : .expectationUnmet, title: title, detail, hint: hint)
        problem.members = { [self] in writeMembers(to: &$0) }
        problem.ownText = MissText(self).text
        return problem
    }

    /// "1 of 1 expected notification did not arrive within 5 s".
    var title: String {
        guard let expectation = question.expectation else { return "No \(question.subject.noun(1)) matches" }
        let number = expectation.amount.number
        let count = result.matches.count
        let noun = question.subject.noun
        switch result.verdict {
        case .tooMany where number == 0:
            return "\(count) \(noun(count)) arrived where none was expected"
        case .tooMany:
            return "\(count) \(noun(count)) arrived where exactly \(number) \(number == 1 ? "was" : "were") expected"
        default:
            let missing = "\(number - count) of \(number) expected \(noun(number))"
            return expectation.wait.map { "\(missing) did not arrive within \(DurationText.words($0))" }
                ?? "\(missing) \(number - count == 1 ? "has" : "have") not arrived"
        }
    }

    /// What the filters were, and what was seen.
    private var detail: String {
        let filters = question.filter.asked.description.map { "\($0.field)=\($0.value)" }.joined(separator: " ")
        return (filters.isEmpty ? "No filters." : "Filters: \(filters).") + " Seen since cursor \(question.after): "
            + "\(seen.words)."
    }

    /// The most likely reason, in a sentence.
    var hint: String? { MissHint(self).sentence }

    /// Adds what tells why.
    func writeMembers(to writer: inout JSONWriter) {
        writer.key("expected")
        writeExpectation(to: &writer)
        writer.key("matched")
        writer.integer(result.matches.count)
        writer.key("after")
        writer.integer(question.after)
        writer.key("cursor")
        writer.integer(result.cursor)
        writer.key("truncated")
        writer.boolean(result.truncated)
        writer.key("timedOut")
        writer.boolean(result.verdict == .tooFew)
        writer.key("waitedMs")
        writer.integer(result.waitedMilliseconds)
        writer.key("seenSince")
        writer.beginObject()
        for (name, count) in seen.counts {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
        if !surplus.isEmpty {
            writer.key("matches")
            writer.beginArray()
            for entry in surplus { writeReference(entry, to: &writer) }
            writer.endArray()
        }
        writer.key("nearMisses")
        writer.beginArray()
        for miss in nearMisses { write(miss, to: &writer) }
        writer.endArray()
    }

    private func writeExpectation(to writer: inout JSONWriter) {
        writer.beginObject()
        if let expectation = question.expectation {
            switch expectation.amount {
            case .atLeast(let number):
                writer.key("count")
                writer.integer(number)
            case .exactly(let number):
                writer.key("exactly")
                writer.integer(number)
                writer.key("settleMs")
                writer.integer(expectation.settle)
            }
            if let wait = expectation.wait {
                writer.key("waitMs")
                writer.integer(wait)
            }
        }
        writer.key("filters")
        writer.beginObject()
        for (field, value) in question.filter.asked.description {
            writer.key(dynamic: field)
            writer.string(value)
        }
        writer.endObject()
        writer.endObject()
    }

    private func writeReference(_ entry: JournalEntry, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(renderer.id(of: entry))
        writer.key("seq")
        writer.integer(entry.seq)
        writer.key("apnsId")
        if let id = entry.content.apnsID { writer.string(id.description) } else { writer.null() }
        writer.endObject()
    }

    private func write(_ miss: NearMiss, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("id")
        writer.string(renderer.id(of: miss.entry))
        writer.key("seq")
        writer.integer(miss.entry.seq)
        Matcher.Comparison.write(agree: miss.agree, differ: miss.differ, to: &writer)
        writer.endObject()
    }
}

import APNs
import JSON
import Simulation

/// Why a verification failed: a section for each expectation that is not met, what must not have come, and the order.
struct VerifyReport: Sendable {
    /// An expectation that is not met.
    struct Failure: Sendable {
        let name: String
        /// What tells why; nil for those beyond the first few.
        let report: MissReport?
        let title: String
    }

    let question: VerifyQuestion
    let result: VerifyResult
    let failures: [Failure]
    let renderer: EntryRenderer

    init(_ question: VerifyQuestion, _ result: VerifyResult, _ journal: Journal, listeners: [String]) {
        self.question = question
        self.result = result
        renderer = journal.renderer
        var failures: [Failure] = []
        for (expectation, matches) in zip(question.expectations, result.matched) {
            let number = expectation.amount.number
            let isTooMany = if case .exactly = expectation.amount { matches.count > number } else { false }
            guard matches.count < number || isTooMany else { continue }
            let asked = ListQuestion(
                expectation.filter, about: expectation.subject, after: question.after,
                WaitExpectation(expectation.amount, wait: question.wait, settle: question.settle))
            let isExplained = failures.count < AdminLimits.explainedExpectations
            let report = MissReport(
                asked,
                ListResult(
                    matches: matches, cursor: result.cursor, oldest: result.oldest, truncated: result.truncated,
                    verdict: isTooMany ? .tooMany : .tooFew, waitedMilliseconds: result.waitedMilliseconds),
                journal, listeners: listeners, isBrief: !isExplained)
            failures.append(
                Failure(name: expectation.name, report: isExplained ? report : nil, title: report.title))
        }
        self.failures = failures
    }

    /// The refusal.
    var problem: Problem {
        var problem = Problem(.expectationUnmet, title: title, detail, hint: hint)
        problem.members = { [self] in writeMembers(to: &$0) }
        problem.ownText = VerifyText(self).text
        return problem
    }

    /// "2 of 3 expectations not met, 1 unexpected push".
    var title: String {
        var parts: [String] = []
        if !failures.isEmpty {
            let all = question.expectations.count
            parts.append("\(failures.count) of \(all) \(all == 1 ? "expectation" : "expectations") not met")
        }
        if let arrival = result.outOfOrder { parts.append("#\(arrival.entry.seq) is out of order") }
        for (kept, one, many) in [
            (result.others, "unexpected push", "unexpected pushes"),
            (result.rejections, "unexpected refusal", "unexpected refusals"),
            (result.findings, "entry with a finding that is not allowed", "entries with findings that are not allowed"),
        ] where kept.count > 0 {
            parts.append("\(kept.count) \(kept.count == 1 ? one : many)")
        }
        return parts.joined(separator: ", ")
    }

    private var detail: String {
        let first = failures.first.map { "\($0.name): \($0.title)." }
        let waited = result.waitedMilliseconds > 0 ? " Waited \(DurationText.words(result.waitedMilliseconds))." : ""
        return [first, order?.sentence].compactMap(\.self).joined(separator: " ") + waited
    }

    /// The most likely reason, in a sentence.
    var hint: String? {
        if let hint = failures.lazy.compactMap({ $0.report?.hint }).first { return hint }
        if let rejected = result.rejections.items.first {
            let explanation = rejected.content.failures.first?.explanation ?? ""
            return "#\(rejected.seq) (\(renderer.id(of: rejected))) was refused: \(explanation)"
        }
        if let other = result.others.items.first {
            return "#\(other.seq) (\(renderer.id(of: other))) is expected by nobody. Several tests on one server? "
                + "A scope, such as {\"device\": …}, leaves the others' pushes out."
        }
        return nil
    }

    /// The order that was wanted beside the one that came.
    var order: VerifyOrder? {
        result.outOfOrder.map { VerifyOrder(question.expectations.map(\.name), result.arrivals, $0) }
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.key("pass")
        writer.boolean(false)
        writer.key("after")
        writer.integer(question.after)
        Self.write(result, question, renderer, to: &writer)
        writer.key("timedOut")
        writer.boolean(result.verdict == .tooFew)
        writer.key("failed")
        writer.beginArray()
        for failure in failures {
            writer.beginObject()
            writer.key("name")
            writer.string(failure.name)
            writer.key("title")
            writer.string(failure.title)
            if let report = failure.report {
                report.writeMembers(to: &writer)
                writer.key("hint")
                writer.string(report.hint)
            }
            writer.endObject()
        }
        writer.endArray()
        for (name, kept) in unexpected {
            writer.key(name)
            write(kept, to: &writer)
        }
        if let order {
            writer.key("order")
            writer.string(order.text)
        }
    }

    /// What must not have come, by kind.
    private var unexpected: [(name: StaticString, entries: MatchCollection)] {
        [("others", result.others), ("rejections", result.rejections), ("findings", result.findings)]
    }

    private func write(_ kept: MatchCollection, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("count")
        writer.integer(kept.count)
        writer.key("items")
        writer.beginArray()
        for entry in kept.items { renderer.write(entry, to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    /// Adds what verifications that pass and those that fail have in common.
    static func write(
        _ result: VerifyResult, _ question: VerifyQuestion, _ renderer: EntryRenderer, to writer: inout JSONWriter
    ) {
        writer.key("cursor")
        writer.integer(result.cursor)
        writer.key("matched")
        writer.beginObject()
        for (expectation, matches) in zip(question.expectations, result.matched) {
            writer.key(dynamic: expectation.name)
            writer.beginArray()
            for entry in matches.items { writer.string(renderer.id(of: entry)) }
            writer.endArray()
        }
        writer.endObject()
        writer.key("truncated")
        writer.boolean(result.truncated)
        writer.key("waitedMs")
        writer.integer(result.waitedMilliseconds)
    }
}

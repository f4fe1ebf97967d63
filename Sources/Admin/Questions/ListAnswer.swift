import JSON
import Simulation

/// Makes the answer to a question, whatever came of it.
struct ListAnswer {
    private let question: ListQuestion
    private let journal: Journal
    private let environment: AdminEnvironment
    private let preference: ContentPreference

    init(
        _ question: ListQuestion, _ journal: Journal, _ environment: AdminEnvironment, preference: ContentPreference
    ) {
        self.question = question
        self.journal = journal
        self.environment = environment
        self.preference = preference
    }

    /// The answer.
    func response(_ result: ListResult) -> AdminResponse {
        switch result.verdict {
        case .met: shown(result)
        case .tooFew where question.acceptsTimeout && question.form == .list: shown(result)
        case .tooFew, .tooMany, .forbidden: miss(result).response(preference)
        case .truncated: truncated(result).response(preference)
        case .spent: WaitProblem.spent().response(preference)
        case .reset: WaitProblem.reset(journal, after: result.waitedMilliseconds).response(preference)
        case .stopped: WaitProblem.stopped(after: result.waitedMilliseconds).response(preference)
        }
    }

    private func shown(_ result: ListResult) -> AdminResponse {
        switch question.form {
        case .list:
            return preference == .text ? lines(result) : list(result)
        case .latest:
            guard let entry = result.matches.items.first else { return miss(result).response(preference) }
            return preference == .text ? lines(result) : latest(entry)
        }
    }

    /// Lines for people; where to go on, which has no place in them, is told by the header field.
    private func lines(_ result: ListResult) -> AdminResponse {
        var response = AdminResponse(text: EntryLines(result.matches.items).text)
        let cursor = result.nextCursor(result.matches.items, newestFirst: question.newestFirst)
        response.headers.append((AdminResponse.cursorField, String(cursor)))
        return response
    }

    private func list(_ result: ListResult) -> AdminResponse {
        let items = result.matches.items
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        let remarks = items.isEmpty ? [:] : journal.remarks
        for entry in items { write(entry, showing: remarks[entry.seq] ?? [], to: &writer) }
        writer.endArray()
        writer.key("matched")
        writer.integer(result.matches.count)
        writer.key("returned")
        writer.integer(items.count)
        writer.key("cursor")
        writer.integer(result.nextCursor(items, newestFirst: question.newestFirst))
        writer.key("oldest")
        writer.integer(result.oldest)
        writer.key("truncated")
        writer.boolean(result.truncated)
        writer.key("timedOut")
        writer.boolean(result.verdict == .tooFew)
        writer.key("waitedMs")
        writer.integer(result.waitedMilliseconds)
        writer.endObject()
        return AdminResponse(.json, writer.bytes)
    }

    private func latest(_ entry: JournalEntry) -> AdminResponse {
        var writer = JSONWriter()
        write(entry, showing: journal.remarks[entry.seq] ?? [], to: &writer)
        return AdminResponse(.json, writer.bytes)
    }

    private func write(_ entry: JournalEntry, showing remarks: [Conduct.Remark], to writer: inout JSONWriter) {
        guard let projection = question.projection else {
            return journal.renderer.write(entry, showing: remarks, to: &writer)
        }
        var whole = JSONWriter()
        journal.renderer.write(entry, showing: remarks, to: &whole)
        projection.write(whole.bytes, to: &writer)
    }

    private func miss(_ result: ListResult) -> Problem {
        let listeners = environment.info().listeners.filter { $0.kind != "admin" }
        return MissReport(question, result, journal, listeners: listeners.map(\.address)).problem
    }

    private func truncated(_ result: ListResult) -> Problem {
        var problem = WaitProblem.truncated(after: question.after, oldest: result.oldest)
        let (matched, cursor, oldest, waited) = (
            result.matches.count, result.cursor, result.oldest, result.waitedMilliseconds
        )
        problem.members = { writer in
            writer.key("matched")
            writer.integer(matched)
            writer.key("cursor")
            writer.integer(cursor)
            writer.key("oldest")
            writer.integer(oldest)
            writer.key("truncated")
            writer.boolean(true)
            writer.key("waitedMs")
            writer.integer(waited)
        }
        return problem
    }
}

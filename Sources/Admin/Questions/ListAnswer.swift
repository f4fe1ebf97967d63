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
        case .tooFew, .tooMany: miss(result).response(preference)
        case .truncated: truncated(result).response(preference)
        case .reset: reset(result).response(preference)
        case .stopped: stopped(result).response(preference)
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
        for entry in items { write(entry, to: &writer) }
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
        write(entry, to: &writer)
        return AdminResponse(.json, writer.bytes)
    }

    private func write(_ entry: JournalEntry, to writer: inout JSONWriter) {
        guard let projection = question.projection else { return journal.renderer.write(entry, to: &writer) }
        var whole = JSONWriter()
        journal.renderer.write(entry, to: &whole)
        projection.write(whole.bytes, to: &writer)
    }

    private func miss(_ result: ListResult) -> Problem {
        let listeners = environment.info().listeners.filter { $0.kind != "admin" }
        return MissReport(question, result, journal, listeners: listeners.map(\.address)).problem
    }

    private func truncated(_ result: ListResult) -> Problem {
        let from = question.after == 0 ? "the beginning" : "cursor \(question.after)"
        var problem = Problem(
            .journalTruncated,
            "The question counts from \(from), but the journal holds nothing before #\(result.oldest) any more: "
                + "older entries were evicted, and some of them may have matched.",
            hint: "Take a cursor before acting (GET /v1/cursor, or after=now) and ask with after=CURSOR; "
                + "or start the server with a larger --max-entries or --max-bytes.")
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

    private func reset(_ result: ListResult) -> Problem {
        Problem(
            .reset,
            "The journal was reset \(DurationText.words(result.waitedMilliseconds)) after this call began to wait.",
            hint: "Another test may share this server: reset before the suite, not between tests that run in parallel.")
    }

    private func stopped(_ result: ListResult) -> Problem {
        Problem(
            .stopping,
            "The server stops; this call had waited for \(DurationText.words(result.waitedMilliseconds)).")
    }
}

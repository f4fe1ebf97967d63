import JSON
import Simulation

/// The refusals that all waiting calls have in common.
enum WaitProblem {
    /// Entries that the question is about are no longer held.
    static func truncated(after: UInt64, oldest: UInt64) -> Problem {
        Problem(
            .journalTruncated,
            "The question counts from \(after == 0 ? "the beginning" : "cursor \(after)"), but the journal holds nothing "
                + "before #\(oldest) any more: older entries were evicted, and some of them may have matched.",
            hint: "Take a cursor before acting (GET /v1/cursor, or after=now) and ask with after=CURSOR; "
                + "or start the server with a larger --max-entries or --max-bytes.")
    }

    /// The same in the words of whoever knows why.
    static func truncated(after: UInt64, because gap: String) -> Problem {
        Problem(
            .journalTruncated,
            "The question counts from \(after == 0 ? "the beginning" : "cursor \(after)"), and not everything since is known: "
                + "\(gap).",
            hint: "Take a cursor before acting (GET /v1/cursor, or after=now), after what was deleted, and ask with "
                + "after=CURSOR.")
    }

    /// The journal was reset, or its namespace deleted, so many milliseconds after the call came.
    static func reset(_ journal: Journal, after milliseconds: Int64) -> Problem {
        if journal.isRetired {
            return Problem(
                .reset, title: "The namespace was deleted while this call waited",
                "The namespace \(quoted(journal.renderer.namespace)) was deleted \(DurationText.words(milliseconds)) after "
                    + "this call began to wait.")
        }
        return Problem(
            .reset, "The journal was reset \(DurationText.words(milliseconds)) after this call began to wait.",
            hint: "Another test may share this server: reset before the suite, not between tests that run in parallel.")
    }

    /// A question that took more steps than it may, and was given up.
    static func spent() -> Problem {
        tooCostly(
            "Answering this took more than the \(MatchCost.queryLimit) steps that one call may take, and was given up.",
            budget: MatchCost.queryLimit, used: MatchCost.queryLimit)
    }

    /// A question that takes, or could take, more than one call may.
    static func tooCostly(_ words: String, budget: Int, used: Int) -> Problem {
        var problem = Problem(
            .tooCostly, words,
            hint: "Narrow the question with device, topic or after; use fewer patterns, or simpler ones: exact values "
                + "cost next to nothing, even thousands of them.")
        problem.members = { writer in
            writer.key("budget")
            writer.integer(budget)
            writer.key("used")
            writer.integer(used)
        }
        return problem
    }

    /// The server stops, so many milliseconds after the call came.
    static func stopped(after milliseconds: Int64) -> Problem {
        Problem(.stopping, "The server stops; this call had waited for \(DurationText.words(milliseconds)).")
    }
}

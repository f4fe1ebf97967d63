import JSON
import Simulation

/// Makes the answer to a verification, whatever came of it.
struct VerifyAnswer {
    private let question: VerifyQuestion
    private let journal: Journal
    private let environment: AdminEnvironment
    private let preference: ContentPreference

    init(
        _ question: VerifyQuestion, _ journal: Journal, _ environment: AdminEnvironment, preference: ContentPreference
    ) {
        self.question = question
        self.journal = journal
        self.environment = environment
        self.preference = preference
    }

    /// The answer.
    func response(_ result: VerifyResult) -> AdminResponse {
        switch result.verdict {
        case .met: met(result)
        case .tooFew, .tooMany, .forbidden: report(result).problem.response(preference)
        case .truncated: truncated(result).response(preference)
        case .spent: WaitProblem.spent().response(preference)
        case .reset: WaitProblem.reset(journal, after: result.waitedMilliseconds).response(preference)
        case .stopped: WaitProblem.stopped(after: result.waitedMilliseconds).response(preference)
        }
    }

    private func met(_ result: VerifyResult) -> AdminResponse {
        if preference == .text {
            let counts = zip(question.expectations, result.matched).map { "\($0.name) \($1.count)" }
            return AdminResponse(
                text: "verified" + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")) + "\n")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("pass")
        writer.boolean(true)
        VerifyReport.write(result, question, journal.renderer, to: &writer)
        writer.endObject()
        return AdminResponse(.json, writer.bytes)
    }

    private func truncated(_ result: VerifyResult) -> Problem {
        var problem = WaitProblem.truncated(after: question.after, because: result.gap ?? "")
        let (question, renderer) = (question, journal.renderer)
        problem.members = { writer in
            writer.key("pass")
            writer.boolean(false)
            writer.key("oldest")
            writer.integer(result.oldest)
            VerifyReport.write(result, question, renderer, to: &writer)
        }
        return problem
    }

    private func report(_ result: VerifyResult) -> VerifyReport {
        let listeners = environment.info().listeners.filter { $0.kind != "admin" }
        return VerifyReport(question, result, journal, listeners: listeners.map(\.address))
    }
}

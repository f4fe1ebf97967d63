import APNs
import HTTP
import JSON
import Simulation

/// What the journal says about the sender, and the journal itself to take away.
enum ReportResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/report", .requests, "What the sender does: findings with examples, connections, tokens.",
            details: """
                Findings about single requests, and those about conduct over time that no single answer can tell \
                (`L001` to `L005`, `L011`, `L012`, `L015`, `L016`, `L018`, `L030`; `GET /v1/findings` explains all). The report is made \
                from the entries that are held; `truncated` says that there were more: some were evicted since the last \
                reset, or, with `after`, deleted behind that cursor. A reset, or the deletion of everything, begins anew.
                """,
            parameters: FilterParameters.all + [
                ListParameters.after, reportFormat, GateParameters.failOn, GateParameters.allow,
            ], takesPaths: true,
            answers: [
                AdminRoute.Answer(200, "`totals`, `findings`, `connections`, `tokens`, `slowest`."),
                AdminRoute.Answer(417, "A gate of `failOn` objects: the report with `objections`.", .problem),
                AdminRoute.Answer(200, "As Markdown.", .markdown), AdminRoute.Answer(200, "As JUnit.", .xml),
            ],
            examples: [
                AdminRoute.Example("Since a cursor", "/v1/report?after=$CURSOR"),
                AdminRoute.Example("For people", "/v1/report?format=md"),
                AdminRoute.Example("As a gate", "/v1/report?failOn=rejected,findings:error&allow=Unregistered"),
                AdminRoute.Example("For continuous integration", "/v1/report?format=junit"),
            ], handler: report),
        AdminRoute(
            .get, "/v1/export", .requests, "The journal to take away: one object a line, or a case for each request.",
            details: """
                The entries are those that are held when the call comes; lines are made as fast as they are read, so the \
                answer may be as large as it likes. `POST /v1/import` takes them in again.
                """,
            parameters: FilterParameters.all + [ListParameters.after, exportFormat], takesPaths: true,
            answers: [
                AdminRoute.Answer(200, "The entries, oldest first.", .lines),
                AdminRoute.Answer(200, "As JUnit: refusals are failures.", .xml),
                AdminRoute.Answer(429, "Too many guests take exports.", .problem),
            ],
            examples: [
                AdminRoute.Example("All entries", "/v1/export"),
                AdminRoute.Example("Refusals as test failures", "/v1/export?format=junit&after=$CURSOR"),
            ], handler: export),
    ]

    private static let reportFormat = Parameter(
        "format", .word(["json", "md", "junit"]), "The form of the report.", example: "md", standard: "json")
    private static let exportFormat = Parameter(
        "format", .word(["ndjson", "junit"]), "The form of the entries.", example: "junit", standard: "ndjson")

    private static func report(_ call: AdminCall) throws(Problem) -> Answering {
        let filter = try Filter(call, about: .requests)
        let after = try ListQuestion.cursor(call.query, call.journal)
        let gates = try GateParameters.gates(call.query)
        let allowed = try GateParameters.allowed(call.query)
        let format = try call.query.word(reportFormat.name) ?? (call.preference == .text ? "md" : "json")
        // Asked before and after, as entries may come and be deleted meanwhile.
        let before = call.journal.remarks
        let snapshot = call.journal.snapshot(after: after)
        try filter.checkCost(of: snapshot.entries.count)
        let remarks = before.merging(call.journal.remarks) { $1 }
        let report = SenderReport(snapshot, after: after, matching: filter.matcher, remarks: remarks)
        var tally = report.tally
        tally.unusedRules = call.simulator.script.neverFired(now: call.simulator.clock.now().server)
        let objections = tally.objections(gates, allowing: allowed)
        let forms = ReportForms(report, call.journal.renderer, objections: objections)
        let status = objections.isEmpty ? 200 : 417
        switch format {
        case "md": return .now(AdminResponse(status: status, .markdown, Array(forms.markdown.utf8)))
        case "junit": return .now(AdminResponse(status: status, .xml, Array(forms.junit.utf8)))
        default:
            if !objections.isEmpty { throw forms.problem }
            return .now(AdminResponse(.json, forms.json))
        }
    }

    private static func export(_ call: AdminCall) throws(Problem) -> Answering {
        let filter = try Filter(call, about: .requests)
        let after = try ListQuestion.cursor(call.query, call.journal)
        let format = try call.query.word(exportFormat.name)
        try filter.checkCost(of: call.journal.snapshot(after: after).entries.count)
        guard format == "junit" else {
            var lines = ExportLines(
                call.journal.snapshot(after: after, for: filter.matcher), matching: filter.matcher,
                call.journal.renderer)
            return .pieces(.lines) { lines.next() }
        }
        let scratch = MatchScratch()
        let snapshot = call.journal.snapshot(after: after, for: filter.matcher)
        scratch.remarks = snapshot.remarks
        let entries = snapshot.entries.filter {
            filter.matcher.matches($0, scratch: scratch)
        }
        let renderer = call.journal.renderer
        var document = JUnitDocument("mock-apns.requests")
        for entry in entries { document.add(JUnitDocument.Case(entry, renderer)) }
        return .now(AdminResponse(.xml, Array(document.text.utf8)))
    }
}

extension JUnitDocument.Case {
    /// A request as a case: a refusal is a failure, a broken connection an error.
    fileprivate init(_ entry: JournalEntry, _ renderer: EntryRenderer) {
        let content = entry.content
        let words = [
            content.pushType?.rawValue, content.device.map { content.request.text(in: $0) },
            content.request.text(.apnsTopic),
        ]
        self.init(name: (["#\(entry.seq)"] + words.compactMap(\.self)).joined(separator: " "))
        milliseconds = entry.afterMilliseconds ?? 0
        switch content.outcome {
        case .accepted: break
        case .broken: error = (content.breakage?.cause ?? "broken", content.breakage?.explanation ?? "")
        case .rejected, .faulted:
            let explanations = content.failures.map(\.explanation).joined(separator: "\n")
            failure = (
                content.reason?.spelling().description ?? content.outcome.rawValue,
                "\(entry.outcomeText)\n\(explanations)"
            )
        }
        if !content.findings.isEmpty {
            output = content.findings.map { "\($0.code.code) \($0.message)" }.joined(separator: "\n")
        }
    }
}

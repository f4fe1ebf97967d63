import APNs
import JSON
import Simulation

/// A report in the forms in which it is given out.
struct ReportForms {
    private let report: SenderReport
    private let renderer: EntryRenderer
    /// What the gates object to.
    private let objections: [GateTally.Objection]

    init(_ report: SenderReport, _ renderer: EntryRenderer, objections: [GateTally.Objection] = []) {
        self.report = report
        self.renderer = renderer
        self.objections = objections
    }

    // MARK: JSON

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// The refusal of a report to which gates object, with the report's members.
    var problem: Problem {
        let words = objections.map { "\($0.gate.word): \($0.words)" }.joined(separator: "; ")
        var problem = Problem(
            objections.allSatisfy(\.isUnknown) ? .journalTruncated : .expectationUnmet, "Gates object: \(words).",
            hint: "GET /v1/requests?outcome=rejected and ?finding=CODE list the requests.")
        problem.members = { [self] in writeMembers(to: &$0) }
        return problem
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.key("after")
        writer.integer(report.after)
        writer.key("cursor")
        writer.integer(report.cursor)
        writer.key("truncated")
        writer.boolean(report.isTruncated)
        writer.key("totals")
        writer.beginObject()
        for outcome in JournalEntry.Outcome.allCases {
            writer.key(dynamic: outcome.rawValue)
            writer.integer(report.outcomes[outcome] ?? 0)
        }
        writer.endObject()
        objections.write(to: &writer)
        writer.key("findings")
        writer.beginArray()
        for row in report.rows { write(row, to: &writer) }
        writer.endArray()
        for (name, numbers) in [("connections", connections), ("tokens", tokens)]
            as [(StaticString, [(StaticString, Int64)])]
        {
            writer.key(name)
            writer.beginObject()
            for (name, number) in numbers {
                writer.key(name)
                writer.integer(number)
            }
            writer.endObject()
        }
        writer.key("slowest")
        writer.beginArray()
        for entry in report.slowest {
            writer.beginObject()
            writeReference(entry, to: &writer)
            writer.key("afterMs")
            writer.integer(entry.afterMilliseconds)
            writer.endObject()
        }
        writer.endArray()
    }

    private var connections: [(StaticString, Int64)] {
        [
            ("opened", Int64(report.connections.opened)), ("requests", Int64(report.connections.requests)),
            ("mostRequests", Int64(report.connections.mostRequests)), ("broken", Int64(report.connections.broken)),
            ("handshakesFailed", Int64(report.connections.handshakesFailed)),
        ]
    }

    private var tokens: [(StaticString, Int64)] {
        [
            ("keys", Int64(report.tokens.keys.count)), ("issued", Int64(report.tokens.issued.count)),
            ("oldestMs", report.tokens.oldestMilliseconds), ("certificates", Int64(report.tokens.certificates.count)),
        ]
    }

    private func write(_ row: SenderReport.Row, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("code")
        writer.string(row.code.code.description)
        writer.key("severity")
        writer.string(row.code.severity.rawValue)
        writer.key("count")
        writer.integer(row.count)
        writer.key("expected")
        writer.string(row.code.expected.description)
        writer.key("fix")
        writer.string(row.code.fix.description)
        writer.key("examples")
        writer.beginArray()
        for example in row.examples {
            writer.beginObject()
            writeReference(example.entry, to: &writer)
            writer.key("message")
            writer.string(example.message)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private func writeReference(_ entry: JournalEntry, to writer: inout JSONWriter) {
        writer.key("id")
        writer.string(renderer.id(of: entry))
        writer.key("seq")
        writer.integer(entry.seq)
    }

    // MARK: Markdown

    var markdown: String {
        var lines = ["# What the sender does", ""]
        let totals = JournalEntry.Outcome.allCases.map { "\(report.outcomes[$0] ?? 0) \($0.rawValue)" }
        lines.append("Since cursor \(report.after): \(totals.joined(separator: ", ")).")
        if let gap = report.tally.gap { lines.append("Not all is part of this: \(gap).") }
        if !objections.isEmpty {
            lines += ["", "## Gates", ""] + objections.map { "* **\($0.gate.word)** objects: \($0.words)" }
        }
        lines += ["", "## Findings", ""]
        if report.rows.isEmpty { lines.append("None.") }
        for row in report.rows {
            lines.append(
                "* **\(row.code.code)** (\(row.code.severity.rawValue), \(row.count == 1 ? "once" : "\(row.count) times")): expected \(row.code.expected). \(row.code.fix)"
            )
            lines += row.examples.map {
                "  * #\($0.entry.seq): \($0.message.split(separator: "\n").joined(separator: " "))"
            }
        }
        let connections = report.connections
        lines += [
            "", "## Connections and tokens", "",
            "\(connections.opened) connections carried \(connections.requests) requests, \(connections.mostRequests) at most; "
                + "\(connections.handshakesFailed) handshakes failed.",
            "\(report.tokens.issued.count) provider tokens of \(report.tokens.keys.count) keys, at most "
                + "\(DurationText.words(report.tokens.oldestMilliseconds)) old; \(report.tokens.certificates.count) client "
                + "certificates.",
        ]
        if !report.slowest.isEmpty {
            let slow = report.slowest.map { "#\($0.seq) \($0.afterMilliseconds ?? 0) ms" }
            lines += ["", "Slowest answers: \(slow.joined(separator: ", "))."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: JUnit

    /// One case for each kind of conduct, and for whatever else was found.
    var junit: String {
        let conduct = FindingCode.all.filter { $0.code.description.hasPrefix("L") }
        let others = report.rows.map(\.code).filter { code in !conduct.contains { $0 == code } }
        var document = JUnitDocument("mock-apns.conduct")
        for code in conduct + others {
            let row = report.rows.first { $0.code == code }
            let text = row.map { row in
                let examples = row.examples.map { "#\($0.entry.seq): \($0.message)" }
                return
                    (["\(row.count == 1 ? "once" : "\(row.count) times"); expected \(code.expected)"] + examples + [
                        code.fix.description
                    ]).joined(
                        separator: "\n")
            }
            document.add(
                JUnitDocument.Case(
                    name: "\(code.code) \(code.expected)", failure: text.map { (code.severity.rawValue, $0) }))
        }
        for objection in objections {
            document.add(JUnitDocument.Case(name: "gate \(objection.gate.word)", failure: ("gate", objection.words)))
        }
        return document.text
    }
}

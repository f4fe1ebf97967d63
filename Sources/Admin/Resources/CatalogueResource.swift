import APNs
import JSON

/// What the words in answers and findings mean.
enum CatalogueResource {
    /// Its rows of the route table.
    static let routes: [AdminRoute] = [
        AdminRoute(
            .get, "/v1/reasons", .catalogues, "Every reason of APNs: status, meaning, usual cause, fix.",
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`")],
            examples: [AdminRoute.Example("All reasons", "/v1/reasons")], handler: reasons),
        AdminRoute(
            .get, "/v1/findings", .catalogues, "Every code of a finding: severity, what is expected, fix, source.",
            answers: [AdminRoute.Answer(200, "`{\"items\": [...]}`")],
            examples: [AdminRoute.Example("All finding codes", "/v1/findings")], handler: findings),
    ]

    private static func reasons(_ call: AdminCall) throws(Problem) -> Answering {
        list(Reason.allCases) { reason, writer in
            let row = reason.row
            writer.key("reason")
            writer.string(constant: row.spelling)
            writer.key("documentedAs")
            writer.string(constant: row.documentedSpelling)
            writer.key("status")
            writer.integer(row.status)
            writer.key("meaning")
            writer.string(row.meaning.description)
            writer.key("cause")
            writer.string(row.usualCause.description)
            writer.key("fix")
            writer.string(row.fix.description)
            writer.key("retry")
            writer.string(row.retry.rawValue)
            writer.key("answers")
            writer.beginArray()
            for name in row.occurrence.names { writer.string(name) }
            writer.endArray()
            writer.key("source")
            writer.string(row.source.description)
        }
    }

    private static func findings(_ call: AdminCall) throws(Problem) -> Answering {
        list(FindingCode.all) { code, writer in
            writer.key("code")
            writer.string(code.code.description)
            writer.key("severity")
            writer.string(code.severity.rawValue)
            writer.key("expected")
            writer.string(code.expected.description)
            writer.key("fix")
            writer.string(code.fix.description)
            writer.key("source")
            writer.string(code.source.description)
        }
    }

    private static func list<Row>(_ rows: [Row], _ write: (Row, inout JSONWriter) -> Void) -> Answering {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            write(row, &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .now(AdminResponse(.json, writer.bytes))
    }
}

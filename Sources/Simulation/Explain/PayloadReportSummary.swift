package import APNs
package import JSON

/// Reports on many payloads, summed up.
package struct PayloadReportSummary: Sendable {
    private var accepted = 0
    private var refused = 0
    private var errors = 0
    private var warnings = 0

    /// No reports yet.
    package init() {}

    /// How many payloads were reported on.
    package var files: Int { accepted + refused }
    /// Whether one of them would be refused.
    package var hasRefused: Bool { refused > 0 }

    /// Counts a report.
    package mutating func add(_ report: PayloadReport) {
        if report.isAccepted { accepted += 1 } else { refused += 1 }
        errors += report.count(.error)
        warnings += report.count(.warning)
    }

    /// The sums in a line.
    package func text(_ style: TextStyle) -> String {
        let shown = refused > 0 ? style.bad("\(refused) refused") : "0 refused"
        return "\(Self.count(files, "file")): \(accepted) accepted, \(shown); "
            + "\(Self.count(errors, "error")), \(Self.count(warnings, "warning"))\n"
    }

    /// Adds the sums as an object.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("files")
        writer.integer(files)
        writer.key("accepted")
        writer.integer(accepted)
        writer.key("refused")
        writer.integer(refused)
        writer.key("errors")
        writer.integer(errors)
        writer.key("warnings")
        writer.integer(warnings)
        writer.endObject()
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

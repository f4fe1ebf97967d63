import APNs
import EventLoop
import Server
import Simulation

/// `report`: what the sender does.
enum ReportCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
        var format = Format.md
        var gates: [Gate] = []
    }

    /// The forms of a report.
    enum Format: String, Sendable, CaseIterable {
        case md, json, junit
    }

    static let command = Command(
        "report", "[--format md|json|junit] [--fail-on WHAT] [--allow REASON]",
        "Prints what the sender does: findings with examples, connections, tokens.",
        notes: """
            The report is about what came since the last reset, or since --after. Where entries of that time were evicted, or deleted
            behind --after, a gate cannot know, says journal-truncated and fails.
            """,
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("format", "FORM", default: "md", "md, json or junit") {
                        (settings, value) throws(UsageError) in settings.format = try FlagValue.choice(value)
                    }.withoutVariable,
                    .list("fail-on", "WHAT", GateFlags.failOnHelp) { (settings, values) throws(UsageError) in
                        settings.gates = try GateFlags.gates(values)
                    }.withoutVariable,
                    .list("allow", "REASON", GateFlags.allowHelp) { (settings, values) throws(UsageError) in
                        for reason in try GateFlags.reasons(values) {
                            settings.query.add("allow", reason.spelling().description)
                        }
                    }.withoutVariable,
                    .value("after", "CURSOR", "only what came after this cursor") { $0.query.add("after", $1) }
                        .withoutVariable,
                ]),
            Settings.filterFlags, Settings.outcomeFlags, Settings.clientFlags,
        ]
    ) { result in
        let settings = result.settings
        let client = AdminClient(settings: settings.client)
        var query = settings.query
        query.add("format", settings.client.output == .text ? settings.format.rawValue : "json")
        if !settings.gates.isEmpty { query.add("failOn", settings.gates.map(\.word).joined(separator: ",")) }
        let response = try client.send("/v1/report" + query.text, accept: client.accept)
        // A report to which gates object is one all the same.
        guard response.status == 200 || response.status == 417 else {
            try client.printBody(of: response)
            return response.exitCode
        }
        if !settings.client.isQuiet { StandardStream.output.write(response.text.endingInLineFeed) }
        return response.exitCode
    }
}

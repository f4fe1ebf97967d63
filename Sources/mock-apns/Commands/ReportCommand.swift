import EventLoop
import JSON
import Server

/// `report`: what the sender does.
enum ReportCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
        var format = Format.md
        var failOn: [String] = []
    }

    /// The forms of a report.
    enum Format: String, Sendable, CaseIterable {
        case md, json, junit
    }

    static let command = Command(
        "report", "[--format md|json|junit] [--fail-on error|warning|rejected|CODE]",
        "Prints what the sender does: findings with examples, connections, tokens.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("format", "FORM", default: "md", "md, json or junit") {
                        (settings, value) throws(UsageError) in settings.format = try FlagValue.choice(value)
                    }.withoutVariable,
                    .list(
                        "fail-on", "WHAT", "exit code 1 for findings: error, warning (both), rejected, or a code: L004"
                    ) {
                        $0.failOn = $1.flatMap { $0.split(separator: ",").map(String.init) }
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
        let response = try client.send("/v1/report" + query.text, accept: client.accept)
        if !settings.client.isQuiet || response.status != 200 { try client.printBody(of: response) }
        guard response.status == 200, !settings.failOn.isEmpty else { return response.exitCode }
        return try fails(settings, client) ? .expectationUnmet : .success
    }

    private static func fails(_ settings: Settings, _ client: AdminClient) throws -> Bool {
        let response = try client.send("/v1/report" + settings.query.text, accept: "application/json")
        var document = JSONDocument()
        guard document.parse(response.body, in: response.body.indices) == nil else {
            throw CommandFailure("the server's answer is not JSON", .internalError)
        }
        let rejected = document.element(at: "totals.rejected").flatMap { document.integer($0) } ?? 0
        let findings = document.member("findings", of: document.root).map(document.children) ?? []
        return settings.failOn.contains { word in
            switch word {
            case "rejected": rejected > 0
            case "warning": !findings.isEmpty
            default:
                findings.contains { finding in
                    [document.member("code", of: finding), document.member("severity", of: finding)].contains {
                        $0.flatMap { document.string($0) } == word
                    }
                }
            }
        }
    }
}

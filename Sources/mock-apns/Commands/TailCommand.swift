import EventLoop
import Server

/// `tail`: the log as it grows.
enum TailCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
        var follows = false
        var limit = 10
    }

    static let command = Command(
        "tail", "[-f] [filters]", "Prints the newest entries, and with -f those that come, until it is stopped.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    Flag<Settings>.toggle("follow", letter: "f", "go on with what comes") { $0.follows = $1 }
                        .withoutVariable,
                    .value("lines", "N", default: "10", "how many of the newest entries first") {
                        (settings, value) throws(UsageError) in
                        settings.limit = try FlagValue.integer(value, in: 0...1000)
                    }.withoutVariable,
                ]),
            Settings.filterFlags, Settings.outcomeFlags, Settings.clientFlags,
        ]
    ) { result in
        try Tail(result.settings).run()
    }

    /// Asks for the newest entries, and then reads the stream of what comes after them.
    private struct Tail {
        let settings: Settings
        let client: AdminClient

        init(_ settings: Settings) {
            self.settings = settings
            client = AdminClient(settings: settings.client)
        }

        func run() throws -> ExitCode {
            var newest = settings.query
            newest.add("order", "desc")
            newest.add("limit", String(max(settings.limit, 1)))
            let response = try client.send("/v1/requests" + newest.text, accept: client.accept)
            guard response.status == 200 else {
                try client.printBody(of: response)
                return response.exitCode
            }
            if settings.limit > 0 { try show(response) }
            return settings.follows ? try follow(after: cursor(of: response)) : .success
        }

        private func follow(after cursor: String) throws -> ExitCode {
            var query = settings.query
            query.add("after", cursor)
            query.add("types", "notification,rejected,faulted,broken")
            let isText = settings.client.output == .text
            var lines = EventLines()
            let response = try client.read(
                "/v1/events" + query.text, accept: isText ? client.accept : "application/x-ndjson"
            ) { piece in
                StandardStream.output.write(isText ? String(decoding: piece, as: UTF8.self) : lines.entries(piece))
            }
            guard response.status == 200 else { return response.exitCode }
            throw CommandFailure("\(settings.client.admin) has ended the stream: the server stops", .unreachable)
        }

        /// The newest come first; they are printed the other way round.
        private func show(_ response: HTTP1Client.Response) throws {
            let text = settings.client.output == .text ? response.text : try EntryList(response.body).lines
            let lines = text.split(separator: "\n")
            StandardStream.output.write(lines.reversed().map { $0 + "\n" }.joined())
        }

        /// Where to go on.
        private func cursor(of response: HTTP1Client.Response) throws -> String {
            if settings.client.output != .text, let cursor = try EntryList(response.body).integer("cursor") {
                return String(cursor)
            }
            guard let cursor = response.header("mock-apns-cursor") else {
                throw CommandFailure(
                    "\(settings.client.admin) does not answer like mock-apns: no mock-apns-cursor", .unreachable)
            }
            return cursor
        }
    }
}

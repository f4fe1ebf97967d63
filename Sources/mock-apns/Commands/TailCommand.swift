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

    /// How long the server holds each question while nothing comes.
    private static let waitMilliseconds: Int64 = 60_000

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

    /// Asks for what came after the last answer, again and again; the server answers when there is something.
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
            var response = try client.send("/v1/requests" + newest.text, accept: client.accept)
            if settings.limit > 0 || response.status != 200 { try show(response, isNewestFirst: true) }
            while settings.follows, response.status == 200 {
                var query = settings.query
                query.add("after", try cursor(of: response))
                query.add("wait", "\(TailCommand.waitMilliseconds)ms")
                query.add("onTimeout", "ok")
                query.add("limit", "1000")
                response = try client.send(
                    "/v1/requests" + query.text, accept: client.accept, waitMilliseconds: TailCommand.waitMilliseconds)
                try show(response, isNewestFirst: false)
            }
            return response.exitCode
        }

        private func show(_ response: HTTP1Client.Response, isNewestFirst: Bool) throws {
            guard response.status == 200 else { return try client.printBody(of: response) }
            let text = settings.client.output == .text ? response.text : try EntryList(response.body).lines
            guard isNewestFirst else {
                StandardStream.output.write(text)
                return
            }
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

import EventLoop
import Server

/// `export`: the journal to take away.
enum ExportCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
        var file: String?
    }

    static let command = Command(
        "export", "[--format ndjson|junit] [filters] [-O FILE]",
        "Prints all entries that are held, one object a line, or as JUnit with refusals as failures.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("format", "FORM", default: "ndjson", "ndjson or junit") { $0.query.add("format", $1) }
                        .withoutVariable,
                    .value("file", letter: "O", "FILE", "write there instead of printing") { $0.file = $1 }
                        .withoutVariable,
                    .value("after", "CURSOR", "only what came after this cursor") { $0.query.add("after", $1) }
                        .withoutVariable,
                ]),
            Settings.filterFlags, Settings.outcomeFlags, Settings.clientFlags,
        ]
    ) { result in
        try AdminClient(settings: result.settings.client).write(
            "/v1/export" + result.settings.query.text, to: result.settings.file)
    }
}

/// `openapi`: the admin API as a document.
enum OpenAPICommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var file: String?
    }

    static let command = Command(
        "openapi", "[-O FILE]", "Prints the admin API as an OpenAPI 3.1 document.", settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("file", letter: "O", "FILE", "write there instead of printing") { $0.file = $1 }
                        .withoutVariable
                ]),
            Settings.clientFlags,
        ]
    ) { result in
        try AdminClient(settings: result.settings.client).write("/openapi.json", to: result.settings.file)
    }
}

extension AdminClient {
    /// Prints a document as it is, or writes it to a file.
    fileprivate func write(_ target: String, to file: String?) throws -> ExitCode {
        let response = try send(target)
        guard response.status == 200, let file else {
            if response.status == 200 {
                StandardStream.output.write(response.text.endingInLineFeed)
            } else {
                try printBody(of: response)
            }
            return response.exitCode
        }
        try TextFile.replace(file, with: response.text)
        return .success
    }
}

import Server

/// `show`: one entry, whole.
enum ShowCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var isRaw = false
    }

    static let command = Command(
        "show", "ID [--raw]", "Prints one entry with the checks that were made: `mock-apns show n_…`.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    Flag<Settings>.toggle("raw", "the request as it came: header fields and body") { $0.isRaw = $1 }
                        .withoutVariable
                ]),
            Settings.clientFlags,
        ],
        operands: 1...1
    ) { result in
        let settings = result.settings
        let path = "/v1/requests/" + Query.escaped(result.operands[0]) + (settings.isRaw ? "/raw" : "")
        return try AdminClient(settings: settings.client).show(path, Query())
    }
}

/// `cursor`: the number of the newest entry.
enum CursorCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
    }

    static let command = Command(
        "cursor", "", "Prints the cursor: take it before acting, and wait for what comes after it.",
        settings: Settings(), flags: [Settings.clientFlags]
    ) { result in
        var settings = result.settings.client
        settings.isQuiet = false
        return try AdminClient(settings: settings).show("/v1/cursor", Query())
    }
}

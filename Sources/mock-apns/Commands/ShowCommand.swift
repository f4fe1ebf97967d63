import Server

/// `show`: one entry, whole, or in a form to pass on.
enum ShowCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        /// What stands behind the entry's path, and the query; the last flag wins.
        var form = ""
        var query = Query()
    }

    static let command = Command(
        "show", "ID [--preview | --raw | --curl | --apns | --test LANG]",
        "Prints one entry with the checks that were made, or as something to paste: `mock-apns show n_…`.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "As",
                [
                    Flag<Settings>.toggle("raw", "the request as it came: header fields and body") {
                        if $1 { $0.form = "/raw" }
                    }.withoutVariable,
                    Flag<Settings>.toggle("curl", "a curl command that sends it again; set JWT before pasting") {
                        if $1 { $0.form = "/curl" }
                    }.withoutVariable,
                    Flag<Settings>.toggle("apns", "a file for `xcrun simctl push`") {
                        if $1 { $0.form = "/apns" }
                    }.withoutVariable,
                    Flag<Settings>.toggle("preview", "what the phone shows because of it, in lines") {
                        if $1 { $0.form = "/preview" }
                    }.withoutVariable,
                    .value("test", "LANG", "an assertion for a test: swift, pytest, go, junit or sh") {
                        $0.form = "/test"
                        $0.query.add("lang", $1)
                    }.withoutVariable,
                ]),
            Settings.clientFlags,
        ],
        operands: 1...1
    ) { result in
        let settings = result.settings
        let path = "/v1/requests/" + Query.escaped(result.operands[0]) + settings.form
        return try AdminClient(settings: settings.client).show(path, settings.query)
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

import Server

/// `reset`: back to the state at start.
enum ResetCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var kept: [String]?
    }

    static let command = Command(
        "reset", "[--keep PART]",
        "Puts the server, or one namespace (-n), back to its state at start: the journal is forgotten.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .list("keep", "PART", "what stays as it is: journal, keys, devices, channels, rules, clock") {
                        (settings, values) in
                        settings.kept = values.flatMap { $0.split(separator: ",").map(String.init) }
                    }.withoutVariable
                ]),
            Settings.clientFlags,
        ]
    ) { result in
        let body = result.settings.kept.map { JSONBody.object(["keep": .texts($0)]) } ?? []
        return try AdminClient(settings: result.settings.client).change("/v1/reset", method: "POST", body: body)
    }
}

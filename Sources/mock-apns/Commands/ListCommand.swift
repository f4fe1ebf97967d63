import Server

/// `list`: entries of the log.
enum ListCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
        var isAcceptedOnly = false
    }

    static let command = Command(
        "list", "[filters]",
        "Prints what the server has seen: pushes accepted and refused, and connections that broke.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "Page",
                [
                    Flag<Settings>.toggle("accepted", "accepted pushes only") { $0.isAcceptedOnly = $1 }
                        .withoutVariable,
                    .value("after", "CURSOR", "only what came after this cursor") { $0.query.add("after", $1) }
                        .withoutVariable,
                    .value("limit", "N", default: "100", "how many") { $0.query.add("limit", $1) }.withoutVariable,
                    .value("order", "ORDER", default: "asc", "asc for the oldest first, desc for the newest") {
                        $0.query.add("order", $1)
                    }.withoutVariable,
                ]),
            Settings.filterFlags, Settings.outcomeFlags, Settings.clientFlags,
        ]
    ) { result in
        let path = result.settings.isAcceptedOnly ? "/v1/notifications" : "/v1/requests"
        return try AdminClient(settings: result.settings.client).show(path, result.settings.query)
    }
}

/// `last`: the newest accepted push.
enum LastCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
    }

    static let command = Command(
        "last", "[filters]", "Prints the newest accepted push that matches. Exit code 1 when there is none.",
        settings: Settings(), flags: [Settings.filterFlags, Settings.clientFlags]
    ) { result in
        try AdminClient(settings: result.settings.client).show("/v1/notifications/latest", result.settings.query)
    }
}

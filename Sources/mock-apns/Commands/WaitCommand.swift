import Server

/// `wait`: blocks until the pushes have come.
enum WaitCommand {
    struct Settings: FiltersEntries {
        var client = ClientSettings()
        var query = Query()
        var count: UInt64?
        var exactly: UInt64?
        var waitMilliseconds: Int64 = 5_000
    }

    static let command = Command(
        "wait", "[filters] [--count N | --exactly N | --none] [--for 5s] [--after CURSOR]",
        "Waits until pushes that match were accepted, and prints them. Exit code 1, with the nearest misses, when they"
            + " were not.",
        notes: """
            Take a cursor before acting, so that older pushes do not count:
              c=$(mock-apns cursor); ./place-order 42
              mock-apns wait --after "$c" --device "$TOKEN" --where aps.alert.title='Shipped*' --exactly 1
            """,
        settings: Settings(),
        flags: [
            FlagGroup(
                "Expectation",
                [
                    .value("count", "N", default: "1", "at least so many; done the instant the last one comes") {
                        (settings, value) throws(UsageError) in
                        settings.count = try FlagValue.integer(value, in: 1...1_000_000)
                    }.withoutVariable,
                    .value("exactly", "N", "so many and no more; fails the instant one more comes") {
                        (settings, value) throws(UsageError) in
                        settings.exactly = try FlagValue.integer(value, in: 0...1_000_000)
                    }.withoutVariable,
                    Flag<Settings>.toggle("none", "none at all; the same as --exactly 0") { if $1 { $0.exactly = 0 } }
                        .withoutVariable,
                    .value(
                        "settle", "DURATION", default: "200ms",
                        "how long it must stay quiet after the last of --exactly"
                    ) {
                        $0.query.add("settle", $1)
                    }.withoutVariable,
                    .value("for", "DURATION", default: "5s", "how long to wait at most") {
                        (settings, value) throws(UsageError) in
                        settings.waitMilliseconds = try FlagValue.milliseconds(value)
                    }.withoutVariable,
                    .value("after", "CURSOR", "only what came after this cursor; `now` for what comes from now on") {
                        $0.query.add("after", $1)
                    }.withoutVariable,
                ]),
            Settings.filterFlags, Settings.clientFlags,
        ]
    ) { result in
        let settings = result.settings
        if settings.count != nil, settings.exactly != nil {
            throw UsageError("--count and --exactly (or --none) exclude each other")
        }
        var query = settings.query
        query.add("wait", "\(settings.waitMilliseconds)ms")
        if let exactly = settings.exactly {
            query.add("exactly", String(exactly))
        } else {
            query.add("count", String(settings.count ?? 1))
        }
        return try AdminClient(settings: settings.client).show(
            "/v1/notifications", query, waitMilliseconds: settings.waitMilliseconds)
    }
}

import Server

extension SendSettings {
    /// The flags of `send`.
    static let flags: [FlagGroup<SendSettings>] = [
        message.withoutVariables, headers.withoutVariables, load.withoutVariables, server,
    ]

    private static let message = FlagGroup<SendSettings>(
        "Message",
        [
            .value("title", "TEXT", "the title of the alert") { $0.title = $1 },
            .value("subtitle", "TEXT", "its subtitle") { $0.subtitle = $1 },
            .value("body", "TEXT", default: "Hello from mock-apns", "its body") { $0.body = $1 },
            .value("badge", "N", "the number on the icon; 0 clears it") { (settings, value) throws(UsageError) in
                settings.badge = try FlagValue.integer(value, in: 0...Int.max)
            },
            .value("sound", "NAME", "the sound: default") { $0.sound = $1 },
            .value("thread", "ID", "thread-id") { $0.thread = $1 },
            .value("category", "NAME", "the category") { $0.category = $1 },
            .list("data", "KEY=VALUE", "a custom key; the value is JSON, or else a text") {
                (settings, values) throws(UsageError) in
                for value in values { try settings.addData(value) }
            },
            .value("payload", "FILE", "send this file as it is instead; - for standard input") { $0.payloadFile = $1 },
        ])

    private static let headers = FlagGroup<SendSettings>(
        "Header fields",
        [
            .value("to", "TOKEN", "the device token; see mock-apns token") { $0.device = $1 },
            .value("topic", "TOPIC", default: "com.example.app", "apns-topic") { $0.topic = $1 },
            .value("type", "TYPE", default: "alert", "apns-push-type") { $0.pushType = $1 },
            .value("priority", "N", "apns-priority") { $0.priority = $1 },
            .value("expiration", "SECONDS", "apns-expiration") { $0.expiration = $1 },
            .value("collapse-id", "ID", "apns-collapse-id") { $0.collapseID = $1 },
            .value("apns-id", "UUID", "apns-id") { $0.apnsID = $1 },
        ])

    private static let load = FlagGroup<SendSettings>(
        "How often",
        [
            .value("count", letter: "c", "N", default: "1", "how many times") { (settings, value) throws(UsageError) in
                settings.count = try FlagValue.integer(value, in: 1...100_000_000)
            },
            .value("rate", "N", default: "as fast as possible", "so many a second") {
                (settings, value) throws(UsageError) in
                settings.ratePerSecond = Double(try FlagValue.integer(value, in: 1...1_000_000))
            },
            .value("connections", "N", default: "1", "over so many connections") {
                (settings, value) throws(UsageError) in
                settings.connections = try FlagValue.integer(value, in: 1...1000)
            },
        ])

    private static let server = FlagGroup<SendSettings>(
        "Server and output",
        [
            .value("url", "URL", default: "https://127.0.0.1:2197", "the APNs listener") { $0.url = $1 },
            .value("certs", "DIR", default: "certs", "the server's folder of certificates and keys") {
                $0.certificates = $1
            },
            .value("team", "TEAM", default: "MOCKTEAM01", "the team of the key in that folder") { $0.team = $1 },
            .value("ca", "FILE", default: "ca.pem of --certs", "the certificate to trust") { $0.authority = $1 }
                .withoutVariable,
            .value("key", "FILE.p8:KEYID:TEAM", default: "the one of --certs", "the key to sign with") {
                (settings, value) throws(UsageError) in settings.key = try KeyFile(value)
            }.withoutVariable,
            .value("output", letter: "o", "FORM", default: "text", "text or json") {
                (settings, value) throws(UsageError) in settings.output = try FlagValue.choice(value)
            }.withoutVariable,
            .toggle("quiet", letter: "q", "print nothing but errors; the exit code tells") { $0.isQuiet = $1 }
                .withoutVariable,
        ])

    private mutating func addData(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw UsageError("\"\(text)\" is not KEY=VALUE")
        }
        data.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
    }
}

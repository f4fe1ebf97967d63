import Server
import Simulation

/// `devices`: the devices that the server knows.
enum DevicesCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var count: Int?
        var topics: [String]?
        var environment: String?
        var state: String?
        var since: String?
        var os: String?
        var locale: String?
        var limit: Int?
    }

    static let command = Command(
        "devices", "[ls | add [TOKEN] | set TOKEN --state NAME | rm TOKEN | inbox TOKEN]",
        "Lists, registers and changes devices: `mock-apns devices set TOKEN --state unregistered --since -1h`.",
        notes: """
            `devices add -c 3 --topic com.acme.app` makes three devices and prints their tokens; `devices add TOKEN` registers
            a token of your own. States: active (or online), offline, unregistered, expired. `devices inbox TOKEN` shows what
            the device would be showing now.
            """,
        settings: Settings(), flags: [deviceFlags, Settings.clientFlags], operands: 0...2
    ) { result in
        let (settings, client) = (result.settings, AdminClient(settings: result.settings.client))
        let token = result.operands.count > 1 ? result.operands[1] : nil
        switch (result.operands.first ?? "ls", token) {
        case ("ls", nil): return try client.show("/v1/devices", query(settings))
        case ("add", _):
            return try client.change("/v1/devices", method: "POST", body: members(settings, token: token))
        case ("set", let token?):
            return try client.change(path(token), method: "PATCH", body: members(settings, token: nil))
        case ("inbox", let token?): return try client.show(path(token) + "/inbox", Query())
        case ("rm", let token?): return try client.change(path(token), method: "DELETE")
        case (let word, _):
            let known = ["ls", "add", "set", "rm", "inbox"]
            if word == "ls" { throw UsageError("devices ls takes no further word") }
            if known.contains(word) {
                throw UsageError("devices \(word) needs a device token, as `devices ls` shows it")
            }
            let nearest = NearestName.of(word, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)")
        }
    }

    private static var deviceFlags: FlagGroup<Settings> {
        FlagGroup(
            "The device",
            [
                .value("count", letter: "c", "N", default: "1", "how many devices to add with random tokens") {
                    (settings, value) throws(UsageError) in
                    settings.count = try FlagValue.integer(value, in: 1...10_000)
                }.withoutVariable,
                .list(
                    "topic", "TOPIC", "a topic that the token is good for, * for any characters; every topic without it"
                ) { $0.topics = $1 }.withoutVariable,
                .value("env", "NAME", "sandbox or production; a new device is one of the sandbox") {
                    $0.environment = $1
                }.withoutVariable,
                .value("state", "NAME", "active, online, offline, unregistered or expired; in a list, only those") {
                    $0.state = $1
                }.withoutVariable,
                .value("since", "WHEN", default: "now", "since when: -1h, or a time such as 2026-01-01T00:00:00Z") {
                    $0.since = $1
                }.withoutVariable,
                .value("os", "NAME", "its system, for people: \"iOS 18\"") { $0.os = $1 }.withoutVariable,
                .value("locale", "NAME", "its language, for people: en") { $0.locale = $1 }.withoutVariable,
                .value("limit", "N", default: "100", "how many devices `ls` shows") {
                    (settings, value) throws(UsageError) in
                    settings.limit = try FlagValue.integer(value, in: 1...1000)
                }.withoutVariable,
            ])
    }

    private static func path(_ token: String) -> String {
        "/v1/devices/" + Query.escaped(token)
    }

    private static func query(_ settings: Settings) -> Query {
        var query = Query()
        if let state = settings.state { query.add("state", state == "online" ? "active" : state) }
        if let topic = settings.topics?.last { query.add("topic", topic) }
        if let environment = settings.environment { query.add("env", environment) }
        if let limit = settings.limit { query.add("limit", String(limit)) }
        return query
    }

    private static func members(_ settings: Settings, token: String?) -> [UInt8] {
        JSONBody.object([
            "token": token.map { .text($0) }, "count": settings.count.map { .integer($0) },
            "topics": settings.topics.map { .texts($0) }, "environment": settings.environment.map { .text($0) },
            "state": settings.state.map { .text($0) }, "since": settings.since.map { .text($0) },
            "os": settings.os.map { .text($0) }, "locale": settings.locale.map { .text($0) },
        ])
    }
}

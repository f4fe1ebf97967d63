import APNs
import Server
import Simulation

/// `ns`: the namespaces, worlds of their own for suites that run in parallel.
enum NamespacesCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var lifetime: String?
        var port: Int?
        var h2cPort: Int?
        var http1Port: Int?
        var wantsKey = false
        var devices: Int?
        var topics: [String]?
        var profile: String?
        var seed: Int?
        var isJudged = false
        var allowed: Set<Reason> = []
    }

    static let command = Command(
        "ns", "[ls | new [NAME] | rm NAME [--verdict clean]]",
        "Lists, makes and deletes namespaces: worlds of their own for suites that run in parallel.",
        notes: """
            A push belongs to a namespace by its port (--port, --h2c-port, --http1-port), by a key (--key), by its topic (--topic), by the host name
            NAME.apns.localhost or by the header field mock-apns-namespace. The other commands look into it with -n NAME.
            `ns rm --verdict clean` exits with 1 when something unexpected happened in its life, whatever was deleted or reset since:
            what the gates rejected, findings:error and unused-rules of `exec --fail-on` ask.
            """,
        settings: Settings(), flags: [makingFlags, endingFlags, Settings.clientFlags], operands: 0...2
    ) { result in
        let (settings, client) = (result.settings, AdminClient(settings: result.settings.client))
        let name = result.operands.count > 1 ? result.operands[1] : nil
        switch (result.operands.first ?? "ls", name) {
        case ("ls", nil): return try client.show("/v1/namespaces", Query())
        case ("new", _):
            return try client.change("/v1/namespaces", method: "POST", body: body(settings, name: name))
        case ("rm", let name?):
            var query = Query()
            if settings.isJudged { query.add("verdict", "clean") }
            for reason in settings.allowed.map({ $0.spelling().description }).sorted() { query.add("allow", reason) }
            return try client.change("/v1/namespaces/" + Query.escaped(name) + query.text, method: "DELETE")
        case ("rm", nil): throw UsageError("ns rm needs a name, as `ns ls` shows it")
        case (let word, _):
            let known = ["ls", "new", "rm"]
            if known.contains(word) { throw UsageError("ns \(word) takes no further word") }
            let nearest = NearestName.of(word, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)")
        }
    }

    private static var makingFlags: FlagGroup<Settings> {
        FlagGroup(
            "The new namespace",
            [
                .value("ttl", "DURATION", "when it ends by itself") { $0.lifetime = $1 }.withoutVariable,
                .value("port", "PORT", "a listener that belongs to it; 0 picks a free port") {
                    (settings, value) throws(UsageError) in
                    settings.port = try FlagValue.integer(value, in: 0...65_535)
                }.withoutVariable,
                .value("h2c-port", "PORT", "the same for HTTP/2 in clear text") {
                    (settings, value) throws(UsageError) in
                    settings.h2cPort = try FlagValue.integer(value, in: 0...65_535)
                }.withoutVariable,
                .value("http1-port", "PORT", "the same for HTTP/1.1 in clear text") {
                    (settings, value) throws(UsageError) in
                    settings.http1Port = try FlagValue.integer(value, in: 0...65_535)
                }.withoutVariable,
                .toggle("key", "make a key that belongs to it") { $0.wantsKey = $1 }.withoutVariable,
                .value("devices", "N", "register so many devices in it") { (settings, value) throws(UsageError) in
                    settings.devices = try FlagValue.integer(value, in: 0...10_000)
                }.withoutVariable,
                .list("topic", "TOPIC", "a topic that belongs to it, * for any characters") { $0.topics = $1 }
                    .withoutVariable,
                .value("profile", "NAME", "how its pushes are judged: strict, live or lenient") {
                    (settings, value) throws(UsageError) in
                    settings.profile = try FlagValue.choice(value, Profile.self).rawValue
                }.withoutVariable,
                .value("seed", "N", "the number behind its random decisions") { (settings, value) throws(UsageError) in
                    settings.seed = try FlagValue.integer(value, in: 0...Int.max)
                }.withoutVariable,
            ])
    }

    private enum Verdict: String, CaseIterable { case clean }

    private static var endingFlags: FlagGroup<Settings> {
        FlagGroup(
            "The end",
            [
                .value("verdict", "clean", "exit code 1 unless nothing unexpected happened in it") {
                    (settings, value) throws(UsageError) in
                    settings.isJudged = try FlagValue.choice(value, Verdict.self) == .clean
                }.withoutVariable,
                .list("allow", "REASON", GateFlags.allowHelp) { (settings, values) throws(UsageError) in
                    settings.allowed = try GateFlags.reasons(values)
                }.withoutVariable,
            ])
    }

    private static func body(_ settings: Settings, name: String?) -> [UInt8] {
        JSONBody.object([
            "name": name.map { .text($0) }, "ttl": settings.lifetime.map { .text($0) },
            "port": settings.port.map { .integer($0) }, "h2cPort": settings.h2cPort.map { .integer($0) },
            "http1Port": settings.http1Port.map { .integer($0) }, "key": settings.wantsKey ? .boolean(true) : nil,
            "devices": settings.devices.map { .integer($0) }, "topics": settings.topics.map { .texts($0) },
            "profile": settings.profile.map { .text($0) },
            "seed": settings.seed.map { .integer($0) },
        ])
    }
}

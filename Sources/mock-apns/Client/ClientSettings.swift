import Server
import Simulation

/// What every command that asks a running server has in common.
struct ClientSettings: Sendable {
    /// How answers are printed.
    enum Output: String, Sendable, CaseIterable {
        case text, json, ndjson
    }

    var admin = AdminURL.standard
    var adminToken: String?
    /// The namespace to look into; nil for the default one.
    var namespace: String?
    var output = Output.text
    var isQuiet = false
    /// How long an answer may take, beyond the time that the server was asked to wait.
    var timeoutMilliseconds: Int64 = 10_000
}

/// Settings of a command that asks a running server.
protocol AsksServer: Sendable {
    var client: ClientSettings { get set }
}

extension AsksServer {
    /// The flags that all such commands take.
    static var clientFlags: FlagGroup<Self> {
        FlagGroup(
            "Server and output",
            [
                .value("admin", "URL", default: "http://127.0.0.1:2198", "the admin API of the server") {
                    (settings, value) throws(UsageError) in settings.client.admin = try AdminURL(value)
                },
                .value("admin-token", "TOKEN", "the bearer token that the server asks for") {
                    $0.client.adminToken = $1
                },
                .value("namespace", letter: "n", "NAME", default: "default", "the namespace to look into") {
                    (settings, value) throws(UsageError) in
                    guard Namespace.isName(value) else {
                        throw UsageError("\"\(value)\" is no name of a namespace: \(Namespace.nameForm)")
                    }
                    settings.client.namespace = value
                },
                .value("output", letter: "o", "FORM", default: "text", "text, json or ndjson") {
                    (settings, value) throws(UsageError) in settings.client.output = try FlagValue.choice(value)
                }.withoutVariable,
                .value("timeout", "DURATION", default: "10s", "how long an answer may take") {
                    (settings, value) throws(UsageError) in
                    settings.client.timeoutMilliseconds = try FlagValue.milliseconds(value)
                }.withoutVariable,
                .toggle("quiet", letter: "q", "print nothing but errors; the exit code tells") {
                    $0.client.isQuiet = $1
                }.withoutVariable,
            ])
    }
}

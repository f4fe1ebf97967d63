import APNs
import Simulation

extension Configuration {
    /// The flags of `serve`: the one table behind the parser, the environment, `--help` and README.
    package static let flags: [FlagGroup<Configuration>] = [
        listening, judging, credentials, keeping, loading, guarding, living, printing,
    ]

    /// Reads a command line of `serve` and the environment.
    package static let parser = FlagParser(command: "serve", groups: flags)

    private static let listening = FlagGroup<Configuration>(
        "Listening",
        [
            .toggle("ephemeral", "free loopback ports, JSON ready line, end with standard input; flags below still win")
            {
                if $1 { $0.becomeEphemeral() }
            },
            .list(
                "listen", "ADDR", default: "127.0.0.1:2197",
                "where APNs is spoken: HOST:PORT, :PORT or unix:PATH, port 0 picks one; `,env=production` behind it"
            ) { (settings, values) throws(UsageError) in settings.listeners = try ListenAddress.list(values) },
            .list(
                "h2c-listen", "ADDR", default: "off",
                "where APNs is spoken without TLS, as HTTP/2 with prior knowledge"
            ) { (settings, values) throws(UsageError) in try settings.listen(values, .h2c) },
            .list(
                "http1-listen", "ADDR", default: "off",
                "where APNs is spoken without TLS, as HTTP/1.1: the same rules, the same log"
            ) { (settings, values) throws(UsageError) in try settings.listen(values, .http1) },
            .toggle("no-connect-proxy", "refuse CONNECT requests, by which senders with an HTTP proxy setting come") {
                $0.acceptsConnect = !$1
            },
            .value(
                "admin-listen", "ADDR", default: "127.0.0.1:2198", "where the admin API is served; `off` for nowhere"
            ) {
                (settings, value) throws(UsageError) in
                settings.admin = value == "off" ? nil : try FlagValue.address(value)
            },
            .value(
                "config", "FILE", default: "mock-apns.json if present",
                "settings, keys, devices, rules and namespaces to start with; `off` for none"
            ) { $0.namedFile = $1 },
            .value(
                "namespace-ports", "A-B", default: "any free",
                "the ports that listeners of namespaces may get: 2200-2231; a namespace takes one for each kind of listener that the server has"
            ) {
                (settings, value) throws(UsageError) in settings.namespacePorts = try FlagValue.ports(value)
            },
        ])

    private static let judging = FlagGroup<Configuration>(
        "Judging",
        [
            .value(
                "profile", "NAME", default: "strict",
                "strict refuses what breaks Apple's contract, live only what APNs refuses, lenient asks for no token"
            ) { (settings, value) throws(UsageError) in settings.simulation.profile = try FlagValue.choice(value) },
            .value("payload-limit", "BYTES", default: "4096", "how large an ordinary payload may be") {
                (settings, value) throws(UsageError) in
                settings.simulation.payloadLimit = try FlagValue.bytes(value)
            },
            .value(
                "reason-spelling", "WHICH", default: "wire",
                "wire or documented: the disputed reasons as APNs was seen to send them, or as Apple's tables have them"
            ) {
                (settings, value) throws(UsageError) in
                settings.simulation.documentedSpelling = try FlagValue.choice(value, ReasonSpelling.self) == .documented
            },
            .toggle("error-content-type", "send content-type: application/json with refusals") {
                $0.simulation.errorContentType = $1
            },
            .value(
                "token-refresh-limit", "on|off", default: "on",
                "whether a provider token may change only every 20 minutes"
            ) {
                (settings, value) throws(UsageError) in
                settings.simulation.limitsTokenRefresh = try FlagValue.boolean(value)
            },
            .value(
                "initial-streams", "N", default: "1000",
                "MAX_CONCURRENT_STREAMS before the first good provider token; 1 is Apple's way; with a client certificate it is 1000 from the start"
            ) { (settings, value) throws(UsageError) in
                settings.simulation.initialStreams = try FlagValue.integer(value, in: 1...1000)
            },
            .value(
                "bad-certificates", "HOW", default: "alert",
                "what expired, revoked and strange client certificates get: alert ends the handshake as APNs does, 403 answers each push BadCertificate as documented"
            ) { (settings, value) throws(UsageError) in
                settings.simulation.refusesHandshakes =
                    try FlagValue.choice(value, CertificateRefusal.self) == .alert
            },
            .value(
                "clock", "T", default: "real",
                "the server's clock at start: a time to stand still at (2026-01-01T00:00:00Z), or +2h, -30m"
            ) { (settings, value) throws(UsageError) in
                guard let setting = ClockSetting(value) else {
                    throw UsageError("\"\(value)\" is no clock; expected \(ClockSetting.expected)")
                }
                settings.clock = setting
            },
            .list(
                "features", "GLOB", default: "*",
                "bundle ids of the apps that have the broadcast capability, exact or with *; `off` for none"
            ) { (settings, values) throws(UsageError) in
                settings.simulation.broadcastApps = try FlagValue.bundleIDs(values)
            },
            .value(
                "unknown-devices", "WHAT", default: "accept",
                "accept or reject well-formed device tokens that are not registered with /v1/devices"
            ) {
                (settings, value) throws(UsageError) in
                settings.simulation.acceptsUnknownDevices =
                    try FlagValue.choice(value, Acceptance.self) == .accept
            },
            .value(
                "device-rate", "N/DURATION", default: "off",
                "how many pushes a device may get in a time before TooManyRequests, such as 5/1m"
            ) {
                (settings, value) throws(UsageError) in
                guard value != "off" else { return settings.simulation.deviceRate = nil }
                guard let rate = DeviceRate(value) else {
                    throw UsageError("\"\(value)\" is no rate; expected \(DeviceRate.expected)")
                }
                settings.simulation.deviceRate = rate
            },
            .toggle("no-magic-tokens", "let device tokens that begin 6d6f636b spell no outcome") {
                $0.simulation.acceptsMagicTokens = !$1
            },
            .value("seed", "N", default: "random, printed", "the number behind all random decisions") {
                (settings, value) throws(UsageError) in
                settings.seed = try FlagValue.integer(value, in: 0...UInt64(Int64.max))
            },
        ])

    private static let credentials = FlagGroup<Configuration>(
        "Certificates and keys",
        [
            .value(
                "certs", "DIR", default: "certs",
                "the folder of CA, server certificate and keys; what is missing is made"
            ) {
                $0.certificates = $1
            },
            .list(
                "san", "NAME", "a further name or address for the server certificate; needs a new CA where there is one"
            ) { $0.subjectNames = $1 },
            .value(
                "ca-constraints", "WHICH", default: "off",
                "name constraints of a new CA: off, dns or all; all also names addresses, which BoringSSL refuses, and some rustls refuse any"
            ) { (settings, value) throws(UsageError) in
                settings.authorityConstraints = try FlagValue.choice(value)
            },
            .value(
                "client-ca", "FILE", default: "client-ca.pem of --certs",
                "PEM of the CA that client certificates must come from"
            ) { $0.clientAuthority = $1 },
            .list(
                "key", "FILE.p8:KEYID:TEAM",
                "a key that senders sign with, besides the AuthKey_*.p8 of --certs; `:TOPIC+TOPIC` behind it limits it"
            ) {
                (settings, values) throws(UsageError) in
                var keys: [KeyFile] = []
                for value in values { keys.append(try KeyFile(value)) }
                settings.keys = keys
            },
            .value("team", "TEAM", default: "MOCKTEAM01", "the team of the AuthKey_*.p8 files") { $0.team = $1 },
            .value("unknown-keys", "WHAT", default: "reject", "reject or accept tokens whose key id is not registered")
            {
                (settings, value) throws(UsageError) in
                settings.simulation.acceptsUnknownKeys = try FlagValue.choice(value, Acceptance.self) == .accept
            },
        ])

    private static let keeping = FlagGroup<Configuration>(
        "Inspection log",
        [
            .value(
                "log", "FILE", default: "inspection.ndjson",
                "where every request is written, one JSON object a line; `off`"
            ) {
                $0.log = $1 == "off" ? nil : $1
            },
            .toggle("log-fsync", "wait for the disk before a push is answered 200") { $0.logSyncs = $1 },
            .toggle("resume", "begin with the entries at the end of the log, under their ids and numbers") {
                $0.resumes = $1
            },
            .value("max-entries", "N", default: "10000", "how many entries each namespace keeps in memory") {
                (settings, value) throws(UsageError) in
                settings.journal.entries = try FlagValue.integer(value, in: 1...10_000_000)
            },
            .value("max-bytes", "SIZE", default: "64MiB", "how many bytes of entries each namespace keeps") {
                (settings, value) throws(UsageError) in
                settings.journal.bytes = try FlagValue.bytes(value)
            },
            .value("max-total-bytes", "SIZE", default: "256MiB", "the same for all namespaces together") {
                (settings, value) throws(UsageError) in
                settings.journalBudget = try FlagValue.bytes(value)
            },
        ])

    private static let loading = FlagGroup<Configuration>(
        "Connections",
        [
            .value("threads", "N", default: "1", "event loops that serve connections") {
                (settings, value) throws(UsageError) in
                settings.threads = try FlagValue.integer(value, in: 1...64)
            },
            .value("idle-timeout", "DURATION", default: "off", "when a silent connection gets GOAWAY with IdleTimeout")
            {
                (settings, value) throws(UsageError) in
                settings.idleTimeoutMilliseconds = value == "off" ? nil : try FlagValue.milliseconds(value)
            },
        ])

    private static let guarding = FlagGroup<Configuration>(
        "Admin API",
        [
            .value("admin-token", "TOKEN", "a bearer token that guests of the admin API must show") {
                $0.adminToken = $1
            },
            .list("allow-host", "NAME", "a dotted host name under which the admin API may be called") {
                $0.allowedHosts = $1
            },
            .value("cors-origin", "ORIGIN", "a web origin that may call the admin API from a browser") {
                $0.corsOrigin = $1
            },
            .toggle("no-ui", "give browsers the list of routes instead of the web page") { $0.hasPage = !$1 },
        ])

    private static let living = FlagGroup<Configuration>(
        "Start and end",
        [
            .value("ready", "FORM", default: "line", "line, json or off: what standard output says once all is bound") {
                (settings, value) throws(UsageError) in
                settings.process.ready = try FlagValue.choice(value)
            },
            .value("ready-file", "FILE", "a file that gets the JSON form, by rename") { $0.process.readyFile = $1 },
            .value("ready-fd", "N", "an inherited descriptor that gets the JSON form and is closed") {
                (settings, value) throws(UsageError) in
                settings.process.readyDescriptor = try FlagValue.integer(value, in: 0...65_535)
            },
            .toggle("exit-on-stdin-close", "end when standard input ends") {
                $0.process.exitsOnStandardInputClose = $1
            },
            .value("parent-pid", "PID", "end when this process has ended") { (settings, value) throws(UsageError) in
                settings.process.parentProcess = try FlagValue.integer(value, in: 1...Int32.max)
            },
            .value("max-lifetime", "DURATION", "end after so long") { (settings, value) throws(UsageError) in
                settings.process.maxLifetimeMilliseconds = try FlagValue.milliseconds(value)
            },
            .value(
                "idle-exit", "DURATION", default: "off",
                "end after so long without a push, a new connection or a call of the admin API"
            ) { (settings, value) throws(UsageError) in
                settings.process.idleExitMilliseconds = value == "off" ? nil : try FlagValue.milliseconds(value)
            },
        ])

    private static let printing = FlagGroup<Configuration>(
        "Output",
        [
            .toggle("quiet", letter: "q", "print errors only") { $0.process.isQuiet = $1 },
            .value("log-level", "LEVEL", default: "info", "error, warning, info or debug: what standard error shows") {
                (settings, value) throws(UsageError) in
                settings.process.logLevel = try FlagValue.choice(value)
            },
            .toggle("no-color", "never use colours") { $0.process.isColorless = $1 },
        ])

    /// Puts the addresses of a clear-text listener in the place of those before.
    private mutating func listen(_ values: [String], _ kind: ListenerKind) throws(UsageError) {
        clearTextListeners.removeAll { $0.kind == kind }
        clearTextListeners += try ListenAddress.list(values, kind: kind)
    }

    /// How the three disputed reasons are spelt.
    private enum ReasonSpelling: String, CaseIterable {
        case wire, documented
    }

    /// What a client certificate that does not count gets.
    private enum CertificateRefusal: String, CaseIterable {
        case alert
        case documented = "403"
    }

    /// What becomes of something unknown.
    private enum Acceptance: String, CaseIterable {
        case reject, accept
    }
}

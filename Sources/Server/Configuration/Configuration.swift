package import Admin
package import EventLoop
package import Simulation
package import TLS

/// Everything that is decided before the server starts. A plain value: flags and variables fill it, tests write it down.
package struct Configuration: Sendable {
    /// Where APNs is spoken.
    package var listeners = [ListenAddress(.ip(host: "127.0.0.1", port: 2197))]
    /// Where APNs is spoken in clear text: HTTP/2 with prior knowledge, and HTTP/1.1.
    package var clearTextListeners: [ListenAddress] = []
    /// Whether a CONNECT request before TLS is answered, as by an HTTP proxy.
    package var acceptsConnect = true
    /// Where the admin API is served; nil switches it off.
    package var admin: SocketAddress? = .ip(host: "127.0.0.1", port: 2198)
    /// The ports for the listeners of namespaces; nil lets the system pick.
    package var namespacePorts: ClosedRange<UInt16>?
    /// How requests are judged.
    package var simulation = Simulator.Configuration()
    /// The server's clock at start.
    package var clock = ClockSetting.real
    /// How much the journal keeps in memory.
    package var journal = Journal.Limits()
    /// How many bytes the journals of all namespaces keep in memory together.
    package var journalBudget = JournalBudget.standard

    /// The folder of certificates and keys.
    package var certificates = "certs"
    /// What a new CA is limited to.
    package var authorityConstraints = NameConstraints.off
    /// Whether the folder gets a client certificate; otherwise its key is made when a certificate is ordered.
    package var makesClientCertificate = true
    /// The CA that client certificates must come from; nil for the folder's own.
    package var clientAuthority: String?
    /// Names for the server certificate besides the standard ones.
    package var subjectNames: [String] = []
    /// The team of the keys found in the folder.
    package var team = "MOCKTEAM01"
    /// Further keys that senders may sign with.
    package var keys: [KeyFile] = []

    /// The inspection log's file; nil switches it off.
    package var log: String? = "inspection.ndjson"
    /// Whether each write of the log waits for the disk.
    package var logSyncs = false
    /// Whether the end of the log is put back into the journals at the start.
    package var resumes = false

    /// How many event loops serve the APNs connections.
    package var threads = 1
    /// Milliseconds after which a silent connection is told to go away; nil for never.
    package var idleTimeoutMilliseconds: Int64?
    /// What a connection may cost at most.
    package var limits = ConnectionLimits()

    /// The bearer token asked of guests of the admin API.
    package var adminToken: String?
    /// Dotted host names accepted by the admin API besides the local ones.
    package var allowedHosts: [String] = []
    /// The one foreign origin that may call the admin API from a browser.
    package var corsOrigin: String?
    /// Whether browsers get the web page at the admin port.
    package var hasPage = true

    /// The number behind all random decisions; nil draws one.
    package var seed: UInt64?
    /// The configuration file that is named; nil for the standard one where it exists, "off" for none.
    package var namedFile: String?
    /// The configuration file that was read.
    package var configurationFile: String?
    /// What the configuration file says.
    package var state = WorldState()
    /// The values of flags that the file holds, by the flag's name.
    package var fileValues: [String: String] = [:]

    /// How the program behaves as a process.
    package var process = ProcessConfiguration()

    /// The defaults.
    package init() {}

    /// The defaults of tests and of `--ephemeral`: every port is picked by the system, on loopback.
    package static var ephemeral: Configuration {
        var configuration = Configuration()
        configuration.becomeEphemeral()
        return configuration
    }

    /// What `--ephemeral` sets, as values of the flags that would say the same.
    package static let ephemeralValues = [
        "listen": "127.0.0.1:0", "h2c-listen": "127.0.0.1:0", "http1-listen": "127.0.0.1:0",
        "admin-listen": "127.0.0.1:0", "ready": "json", "exit-on-stdin-close": "true",
    ]

    /// Listens on every kind of port, on loopback and free ones, reports as JSON and ends with standard input.
    package mutating func becomeEphemeral() {
        let free = SocketAddress.ip(host: "127.0.0.1", port: 0)
        listeners = [ListenAddress(free)]
        clearTextListeners = [ListenAddress(free, kind: .h2c), ListenAddress(free, kind: .http1)]
        admin = .ip(host: "127.0.0.1", port: 0)
        process.ready = .json
        process.exitsOnStandardInputClose = true
    }
}

package import Simulation
package import TLS

/// What the admin API asks of the server around it.
package struct AdminEnvironment: Sendable {
    /// The facts of `GET /v1/info`; listeners are those bound so far.
    package struct Info: Sendable {
        package struct Listener: Sendable {
            package var kind: String
            package var address: String
            package var environment: String

            package init(kind: String, address: String, environment: String) {
                self.kind = kind
                self.address = address
                self.environment = environment
            }
        }
        package var version = ""
        package var instance = ""
        package var pid: Int32 = 0
        package var listeners: [Listener] = []
        package var authorityFile = ""
        package var authorityFingerprint = ""
        package var logFile: String?
        package var seed: UInt64 = 0
        package var startedAtMilliseconds: Int64 = 0
        package var keyID = ""
        package var keyFile = ""
        package var teamID = ""

        package init() {}
    }

    /// The facts now.
    package var info: @Sendable () -> Info
    /// What is not ready yet ("apns listener"); empty when all is.
    package var waitingFor: @Sendable () -> [String]
    /// The counters of connections now.
    package var traffic: @Sendable () -> AdminTraffic = { AdminTraffic() }
    /// How many messages were not printed, as nobody read standard error.
    package var droppedMessages: @Sendable () -> UInt64 = { 0 }
    /// Told when a call begins that is no look of a monitor (true), and when it has been answered or its guest has left
    /// (false).
    package var use: @Sendable (_ isBegin: Bool) -> Void = { _ in }
    /// Starts the graceful stop.
    package var shutdown: @Sendable () -> Void
    /// What issues client certificates; nil when the CA's key is not there.
    package var clientAuthority: ClientAuthority?
    /// The connections to the APNs listeners.
    package var connections: ConnectionStore
    /// How listeners of namespaces are opened and closed.
    package var listeners: NamespaceListeners
    /// Dotted host names accepted besides the local ones (`--allow-host`).
    package var allowedHosts: [String]
    /// The bearer token asked of guests (`--admin-token`).
    package var adminToken: String?
    /// The one foreign origin allowed (`--cors-origin`).
    package var corsOrigin: String?
    /// Sends a push to this server's own APNs listener and calls back, once and on any thread.
    package var send: @Sendable (PushOrder, @escaping @Sendable (PushAnswer) -> Void) -> Void = { _, done in
        done(PushAnswer(failure: "this server has no APNs listener"))
    }
    /// Whether browsers get the web page (not with `--no-ui`).
    package var hasPage = true

    package init(
        info: @escaping @Sendable () -> Info, waitingFor: @escaping @Sendable () -> [String],
        shutdown: @escaping @Sendable () -> Void, clientAuthority: ClientAuthority? = nil,
        connections: ConnectionStore = ConnectionStore(), listeners: NamespaceListeners = .none,
        allowedHosts: [String] = [], adminToken: String? = nil,
        corsOrigin: String? = nil
    ) {
        self.info = info
        self.waitingFor = waitingFor
        self.shutdown = shutdown
        self.clientAuthority = clientAuthority
        self.connections = connections
        self.listeners = listeners
        self.allowedHosts = allowedHosts
        self.adminToken = adminToken
        self.corsOrigin = corsOrigin
    }
}

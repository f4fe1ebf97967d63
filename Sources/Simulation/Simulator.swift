package import APNs
package import HTTP

/// What this server answers now: Apple's rules, applied with this server's clock, keys and settings.
package final class Simulator: Sendable {
    /// The settings of the decision.
    package struct Configuration: Sendable {
        package var profile: Profile = .strict
        package var payloadLimit = 4096
        package var initialStreams: UInt32 = 1000
        package var maxConcurrentStreams: UInt32 = 1000
        /// Whether a provider token may be renewed only every 20 minutes on one connection.
        package var limitsTokenRefresh = true
        /// Whether a key id that is not registered is accepted.
        package var acceptsUnknownKeys = false
        /// Whether the three disputed reasons are spelt as in Apple's tables.
        package var documentedSpelling = false
        /// Whether errors carry `content-type: application/json`.
        package var errorContentType = false

        package init() {}
    }

    package let configuration: Configuration
    package let journal: Journal
    package let keys: KeyStore
    package let clock: ServerClock

    package init(configuration: Configuration, journal: Journal, keys: KeyStore, clock: ServerClock) {
        self.configuration = configuration
        self.journal = journal
        self.keys = keys
        self.clock = clock
    }

    /// Judges one request; the one function to read first. Pure but for the stores it reads: no socket, no file, no journal.
    package func decide(
        _ request: consuming HTTPRequest, stream: Int32, on state: inout ConnectionState,
        scratch: inout DecisionScratch,
        now: Instant
    ) -> Decision {
        fatalError("contract")
    }

    /// The decision after the inspection log refused to take an accepted push: 503 `ServiceUnavailable`.
    package func unavailable(_ decision: Decision, because failure: String) -> Decision { fatalError("contract") }

    /// Back to the state at start: journal forgotten, stores as configured.
    package func reset() { fatalError("contract") }
}

import APNs
import Server
import Simulation

extension MockAPNS {
    /// How strictly pushes are judged.
    public enum Profile: String, Sendable, CaseIterable {
        /// Apple's written contract: what breaks it is refused.
        case strict
        /// Only what the live service is known to refuse is refused.
        case live
        /// Nobody must authenticate, payload faults are recorded only.
        case lenient
    }

    /// Apple's two environments.
    public enum Environment: String, Sendable, CaseIterable {
        case sandbox, production
    }

    /// What is decided before the server starts.
    public struct Configuration: Sendable {
        /// How strictly pushes are judged.
        public var profile = Profile.strict
        /// The environment of senders that do not name an Apple host.
        public var environment = Environment.sandbox
        /// A folder of certificates and keys to be used and completed; nil makes them anew in a temporary folder.
        public var certificates: String?
        /// The team of the signing key.
        public var team = "MOCKTEAM01"
        /// Whether a connection may change its provider token only every 20 minutes, as APNs demands. Off by default, as
        /// tests make tokens often.
        public var limitsTokenRefresh = false
        /// A file for the inspection log; nil keeps entries in memory only.
        public var log: String?
        /// How many entries are kept in memory.
        public var maxEntries = 10_000

        /// The defaults.
        public init() {}

        func whole(certificates folder: String) -> Server.Configuration {
            var configuration = Server.Configuration.ephemeral
            if let profile = APNs.Profile(rawValue: profile.rawValue) { configuration.simulation.profile = profile }
            if let environment = APNs.Environment(rawValue: environment.rawValue) {
                configuration.listeners[0].environment = environment
            }
            configuration.certificates = folder
            // What comes and goes with a test gets a client certificate's key, which takes a while to make, when one is ordered.
            configuration.makesClientCertificate = certificates != nil
            configuration.team = team
            configuration.simulation.limitsTokenRefresh = limitsTokenRefresh
            configuration.log = log
            configuration.journal.entries = max(1, maxEntries)
            return configuration
        }
    }
}

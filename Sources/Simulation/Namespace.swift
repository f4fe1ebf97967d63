package import APNs
import Locking
import Synchronization

/// One world of a server: a simulator of its own, and what tells its requests from those of other namespaces.
package final class Namespace: Sendable {
    /// The ports that only this namespace's senders connect to.
    package struct Endpoint: Sendable {
        /// The address to connect to.
        package var host: String
        /// The port of HTTP/2 over TLS; nil when there is none.
        package var port: UInt16?
        /// The port of HTTP/2 in clear text; nil when there is none.
        package var h2cPort: UInt16?
        /// The port of HTTP/1.1 in clear text; nil when there is none.
        package var http1Port: UInt16?

        /// Listeners that are bound.
        package init(host: String, port: UInt16? = nil, h2cPort: UInt16? = nil, http1Port: UInt16? = nil) {
            self.host = host
            self.port = port
            self.h2cPort = h2cPort
            self.http1Port = http1Port
        }
    }

    /// The namespace of all requests that belong to no other.
    package static let defaultName = "default"
    /// How long a name may be.
    package static let nameLimit = 100
    /// What stands behind a namespace's name in a host name that chooses it.
    package static let hostSuffix = ".apns.localhost"

    package let name: String
    /// The rules, the journal, the keys and the clock.
    package let simulator: Simulator
    /// The number behind its random decisions.
    package let seed: UInt64
    /// The topics that it claims.
    package let topics: [TopicPattern]
    /// When it was made, by the machine's clock in milliseconds since 1970.
    package let createdAt: Int64
    /// When it ends by itself, by the same clock; nil for never.
    package let expiresAt: Int64?
    private let sharedKeyIDs: Set<String>
    private let sharedSerials: Set<String>
    private let ended = Atomic<Bool>(false)
    private let boundEndpoint = Lock<Endpoint?>(nil)

    /// A world; the keys and certificates that are said to be shared are those of other namespaces too and choose none.
    init(
        _ name: String, _ simulator: Simulator, seed: UInt64, topics: [String] = [], sharedKeyIDs: Set<String> = [],
        sharedSerials: Set<String> = [], createdAt: Int64 = 0, expiresAt: Int64? = nil
    ) {
        self.name = name
        self.simulator = simulator
        self.seed = seed
        self.topics = topics.map { TopicPattern($0) }
        self.sharedKeyIDs = sharedKeyIDs
        self.sharedSerials = sharedSerials
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Whether a text can be a name: 1 to 100 letters, digits, dots, hyphens and underscores, no dot first.
    package static func isName(_ text: String) -> Bool {
        guard (1...nameLimit).contains(text.utf8.count), text.utf8.first != UInt8(ascii: ".") else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    /// What ``isName(_:)`` asks for, in words.
    package static let nameForm = "1 to \(nameLimit) letters, digits, dots, hyphens and underscores"

    /// Its own APNs listeners; nil while there are none.
    package var endpoint: Endpoint? { boundEndpoint.withLock { $0 } }

    /// Takes note of its own APNs listeners.
    package func bound(to endpoint: Endpoint) {
        boundEndpoint.withLock { $0 = endpoint }
    }

    /// Whether it was deleted, or its time is over.
    package var isEnded: Bool { ended.load(ordering: .acquiring) }

    /// Whether a sender with this key belongs here and nowhere else.
    package func owns(keyID: String) -> Bool {
        !sharedKeyIDs.contains(keyID) && simulator.keys.key(keyID) != nil
    }

    /// Whether a sender with this client certificate belongs here and nowhere else.
    func owns(serial: String) -> Bool {
        !sharedSerials.contains(serial) && simulator.certificates.certificate(serial: serial) != nil
    }

    /// Whether one of the claimed topics covers this one, with or without the suffix of a push type.
    func claims(_ topic: Span<UInt8>) -> Bool {
        for pattern in topics {
            if pattern.matches(topic) { return true }
            for type in PushType.allCases where type.isSuffix(of: topic) && pattern.covers(topic, suffix: type) {
                return true
            }
        }
        return false
    }

    /// What gates ask about, counted over its life.
    package var tally: GateTally {
        var tally = simulator.journal.tally.labelled(name)
        tally.unusedRules = simulator.script.neverFired
        return tally
    }

    /// Ends it: calls that wait get to know, and its journal keeps nothing any more.
    func end() {
        ended.store(true, ordering: .releasing)
        simulator.reset()
        simulator.journal.retire()
    }
}

extension PushType {
    /// Whether the topic ends with the suffix that topics of this type have.
    fileprivate func isSuffix(of topic: Span<UInt8>) -> Bool {
        guard let suffix = row.topicSuffix, suffix.utf8CodeUnitCount < topic.count else { return false }
        return topic.hasSuffix(suffix)
    }
}

package import APNs
import Locking
import Synchronization
package import TLS

/// The keys that senders may sign with.
package final class KeyStore: Sendable {
    /// A registered key and what it is for.
    package struct Key: Sendable {
        package var keyID: String
        package var teamID: String
        package var key: ES256PublicKey
        /// The private half, which senders sign with; nil when only the public one was registered.
        package var privateKey: ES256PrivateKey?
        /// The environments in which the key is good.
        package var environments: Set<Environment>
        /// The topics that the key covers, `*` standing for any characters; empty for a team-scoped key, which covers all.
        package var topics: [String]
        /// The key that may be used beside this one on a connection.
        package var relatedKeyID: String?
        package var isRevoked: Bool

        package init(
            keyID: String, teamID: String, key: ES256PublicKey, privateKey: ES256PrivateKey? = nil,
            environments: Set<Environment> = Set(Environment.allCases), topics: [String] = [],
            relatedKeyID: String? = nil, isRevoked: Bool = false
        ) {
            self.keyID = keyID
            self.teamID = teamID
            self.key = key
            self.privateKey = privateKey
            self.environments = environments
            self.topics = topics
            self.relatedKeyID = relatedKeyID
            self.isRevoked = isRevoked
        }

        /// Whether the key covers all topics of its team.
        package var isTeamScoped: Bool { topics.isEmpty }

        /// How many characters Apple's key and team ids have.
        package static let identifierLength = 10

        /// Whether a text could be the id of a key or of a team: ten letters and digits.
        package static func isIdentifier(_ text: String) -> Bool {
            text.utf8.count == identifierLength
                && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
        }
    }

    /// How many keys a server has at most; Apple's teams have a few hundred.
    package static let limit = 10_000

    private let initial: [String: Key]
    private let keys: Lock<[String: Key]>
    private let changes = Atomic<UInt64>(0)

    /// A store with these keys; of two with the same id the later counts.
    package init(_ keys: [Key]) {
        initial = Dictionary(keys.map { ($0.keyID, $0) }, uniquingKeysWith: { $1 })
        self.keys = Lock(initial)
    }

    /// The key of this id.
    package func key(_ keyID: String) -> Key? {
        keys.withLock { $0[keyID] }
    }

    /// All keys in the order of their ids.
    package var all: [Key] {
        keys.withLock { $0.values.sorted { $0.keyID < $1.keyID } }
    }

    /// The keys that the store was made with, in the order of their ids.
    package var initialKeys: [Key] { initial.values.sorted { $0.keyID < $1.keyID } }

    /// Registers a key, in place of the one with the same id.
    package func set(_ key: Key) {
        change { $0[key.keyID] = key }
    }

    /// Registers a key unless its id is taken or the store is full; whether it did.
    package func add(_ key: Key) -> Bool {
        change { keys in
            guard keys[key.keyID] == nil, keys.count < Self.limit else { return false }
            keys[key.keyID] = key
            return true
        }
    }

    /// Changes a key; nil when there is none of this id. The id itself stays.
    package func update(_ keyID: String, _ body: (inout Key) -> Void) -> Key? {
        change { keys in
            guard var key = keys[keyID] else { return nil }
            body(&key)
            key.keyID = keyID
            keys[keyID] = key
            return key
        }
    }

    /// Forgets a key; nil when there was none.
    @discardableResult
    package func remove(_ keyID: String) -> Key? {
        change { $0.removeValue(forKey: keyID) }
    }

    /// These keys instead of all others; of two with the same id the later counts.
    package func replace(with keys: [Key]) {
        change { $0 = Dictionary(keys.map { ($0.keyID, $0) }, uniquingKeysWith: { $1 }) }
    }

    /// Back to the keys that the store was made with.
    package func reset() {
        change { $0 = initial }
    }

    /// A number that changes with the keys: whatever was derived from them under another number is out of date.
    package var generation: UInt64 { changes.load(ordering: .acquiring) }

    private func change<Result: Sendable>(_ body: (inout sending [String: Key]) -> sending Result) -> Result {
        let result = keys.withLock { body(&$0) }
        changes.wrappingAdd(1, ordering: .acquiringAndReleasing)
        return result
    }
}

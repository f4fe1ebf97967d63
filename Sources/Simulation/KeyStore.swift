package import TLS

/// The keys that senders may sign with.
package final class KeyStore: Sendable {
    /// A registered key.
    package struct Key: Sendable {
        package var keyID: String
        package var teamID: String
        package var key: ES256PublicKey

        package init(keyID: String, teamID: String, key: ES256PublicKey) {
            self.keyID = keyID
            self.teamID = teamID
            self.key = key
        }
    }

    package init(_ keys: [Key]) { fatalError("contract") }

    /// The key of this id.
    package func key(_ keyID: String) -> Key? { fatalError("contract") }
}

package import Simulation
package import TLS

/// A push that the server shall send to its own listener.
package struct PushOrder: Sendable {
    /// Who signs the provider token, and at what time of the server's clock.
    package struct Signer: Sendable {
        package let namespace: String
        package let key: ES256PrivateKey
        package let keyID: String
        package let teamID: String
        /// In seconds since 1970.
        package let now: Int64
    }

    /// All header fields but the provider token, pseudo-header fields first.
    package var fields: [(String, String)]
    package var body: [UInt8]
    /// Nil when the fields say how the sender proves who it is, or that it does not.
    package var signer: Signer?
    /// The listener of the namespace; nil for the server's first one.
    package var endpoint: Namespace.Endpoint?
}

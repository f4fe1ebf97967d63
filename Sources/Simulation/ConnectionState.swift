import APNs
import TLS

/// What the rules remember of one connection between its requests; confined to the connection's loop.
package struct ConnectionState {
    /// A token that the connection uses, and when it began to.
    struct TokenUse {
        var token: VerifiedToken
        /// Milliseconds on the server's clock.
        var since: Int64
        /// Whether a rule or a device token has called it expired, so that another may follow at once.
        var isCalledExpired = false
    }

    /// How many keys' tokens a connection remembers; Apple allows two.
    static let tokenUseLimit = 4

    /// The facts of the handshake.
    package let connection: PeerConnectionReference
    /// The environment of the listener or of the server name.
    let environment: Environment
    /// The client certificate.
    let certificate: PeerCertificate?
    /// How many requests were decided.
    package var requests = 0
    /// What keeps answers from leaving the connection; nil for nearly all.
    package var fault: ConnectionFault?

    /// The token of the last accepted request: most requests repeat it, and then nothing is parsed.
    var current: VerifiedToken?
    /// The first accepted token, which binds the connection to its team and key.
    var first: VerifiedToken?
    /// The present token of each key that the connection uses.
    var uses: [TokenUse] = []
    /// Whether the peer was allowed more streams than at the start.
    var isStreamLimitRaised = false

    package init(connection: PeerConnectionReference) {
        self.connection = connection
        environment = connection.value.environment
        certificate = connection.value.certificate
    }
}

package import APNs
package import TLS

/// What is known of a connection from its handshake; it does not change after.
package struct PeerConnection: Sendable {
    /// A number that no other connection of this server has; shown as `c7`.
    package var id: UInt64
    /// The peer's address: "127.0.0.1:53122".
    package var peer: String
    /// The listener's address.
    package var listener: String
    /// The server name the client asked for.
    package var serverName: String?
    /// The protocol agreed on: "h2"; nil when the client sent no ALPN.
    package var alpn: String?
    /// "TLSv1.3".
    package var tlsVersion: String?
    /// The cipher suite.
    package var cipher: String?
    /// The environment of the listener or of the Apple host name in SNI.
    package var environment: Environment
    /// The client certificate, when the peer sent one.
    package var certificate: PeerCertificate?

    package init(
        id: UInt64, peer: String, listener: String, serverName: String? = nil, alpn: String? = nil,
        tlsVersion: String? = nil, cipher: String? = nil, environment: Environment = .sandbox,
        certificate: PeerCertificate? = nil
    ) {
        self.id = id
        self.peer = peer
        self.listener = listener
        self.serverName = serverName
        self.alpn = alpn
        self.tlsVersion = tlsVersion
        self.cipher = cipher
        self.environment = environment
        self.certificate = certificate
    }
}

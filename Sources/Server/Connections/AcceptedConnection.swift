import APNs
import Simulation

/// A connection on its way from the listener to its loop.
struct AcceptedConnection: Sendable {
    /// The number under which the log shows it.
    let id: UInt64
    /// Owned by whoever holds this value last.
    let descriptor: Int32
    /// The peer's address.
    let peer: String
    /// The listener's address.
    let listener: String
    /// How APNs is spoken there.
    let kind: ListenerKind
    /// The listener's environment.
    let environment: Environment
    /// The namespace that the listener belongs to; nil when it serves all.
    let namespace: Namespace?

    /// What carries APNs on it. HTTP/1.1 never comes this way.
    var transport: ConnectionTransport { kind == .apns ? .tls : .clearText }

    /// What is known of the peer before it has sent a byte.
    var facts: PeerConnection {
        PeerConnection(id: id, peer: peer, listener: listener, environment: environment)
    }
}

import Simulation

/// A connection as one namespace sees it: what another namespace's senders do on the same connection is not in it.
struct NamespaceView {
    let namespace: Namespace
    var state: ConnectionState
}

/// What the rules remember of one connection between its requests; confined to the connection's loop.
package struct ConnectionState {
    /// The facts of the handshake.
    package let connection: PeerConnectionReference
    /// How many requests were decided.
    package var requests = 0

    package init(connection: PeerConnectionReference) {
        self.connection = connection
    }
}

/// A bound and listening socket whose connections are accepted on its loop.
package final class Listener {
    /// The address in use; the port is the real one.
    package var address: SocketAddress { fatalError("contract") }

    /// Binds, listens and calls `accepted` with each new non-blocking descriptor, which the callee owns, and the peer's
    /// address as text ("127.0.0.1:53122").
    package init(
        _ address: SocketAddress, on loop: EventLoop, backlog: Int32 = 512,
        accepted: @escaping (_ descriptor: Int32, _ peer: String) -> Void
    ) throws(EventLoopError) { fatalError("contract") }

    /// Stops listening and closes the socket; may be called again.
    package func close() { fatalError("contract") }
}

/// An HTTP/1.1 server for guests (evhttp), on its own listener.
package final class HTTP1Server {
    /// The limits of a guest's request, in bytes.
    package struct Limits: Sendable {
        package var headers = 16 << 10
        package var body = 1 << 20
        package init() {}
    }

    /// The address in use.
    package var address: SocketAddress { fatalError("contract") }

    /// Binds and serves; `handler` is called on the loop for each whole request and may answer then or later.
    package init(
        _ address: SocketAddress, on loop: EventLoop, limits: Limits = Limits(),
        handler: @escaping (HTTP1Exchange) -> Void
    ) throws(EventLoopError) { fatalError("contract") }

    /// Stops accepting and closes the connections that are idle; may be called again.
    package func close() { fatalError("contract") }
}

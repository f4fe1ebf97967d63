/// An HTTP/1.1 server for guests (evhttp), on its own listener.
package final class HTTP1Server {
    /// The limits of a guest's request, in bytes, and of its silence.
    package struct Limits: Sendable {
        /// The request line and all header fields; beyond it the answer is 400.
        package var headers = 16 << 10
        /// The body; beyond it the answer is 413.
        package var body = 1 << 20
        /// How many seconds a guest may be silent within a request, between two, or while it should read an answer.
        package var silenceSeconds = 75
        /// How many bytes a guest may send ahead while it waits for an answer.
        package static let bytesAhead = 4096
        /// The limits as they are.
        package init() {}
    }

    /// Gets each whole request, on the loop, and answers it then or later.
    package typealias Handler = (HTTP1Exchange) -> Void

    /// The address in use.
    package var address: SocketAddress { engine.address }

    private let engine: HTTP1Engine

    /// Binds and serves; `handler` is called on the loop for each whole request and may answer then or later.
    package init(
        _ address: SocketAddress, on loop: EventLoop, limits: Limits = Limits(), handler: @escaping Handler
    ) throws(EventLoopError) {
        loop.assertOnLoop()
        engine = try HTTP1Engine(address, on: loop, limits: limits, handler: handler)
    }

    deinit { engine.closeNow() }

    /// Stops accepting at once, answers further requests of open connections with 503, and lets the answers of the
    /// exchanges under way go out. When none is left, all connections are closed and `completion` is called, not within
    /// this call. May be called again.
    package func close(completion: (() -> Void)? = nil) { engine.close(completion: completion) }

    /// Closes everything at once: unanswered guests see their connection end. May be called again, and after `close`,
    /// whose completion is then called.
    package func closeNow() { engine.closeNow() }
}

@available(*, unavailable)
extension HTTP1Server: Sendable {}

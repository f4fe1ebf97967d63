package import EventLoop
package import Simulation

/// The admin API on its own listener: the journal made visible over HTTP/1.1.
package final class AdminServer {
    /// The address in use.
    package var address: SocketAddress { fatalError("contract") }

    /// Binds and serves on the loop of the caller.
    package init(
        _ address: SocketAddress, on loop: EventLoop, simulator: Simulator, environment: AdminEnvironment
    ) throws(EventLoopError) { fatalError("contract") }

    /// Ends waiters with 503 and stops listening.
    package func close() { fatalError("contract") }
}

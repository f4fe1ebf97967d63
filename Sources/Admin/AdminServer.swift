package import EventLoop
package import Simulation

/// The admin API on its own listener: the journal made visible over HTTP/1.1. Confined to its loop.
package final class AdminServer {
    private let application: AdminApplication
    private let server: HTTP1Server
    private let loop: EventLoop
    private var grace: LoopTimer?

    /// The address in use.
    package var address: SocketAddress { server.address }

    /// How many calls wait.
    package var waiters: Int { application.waiters }

    /// Binds and serves on the loop of the caller.
    package init(
        _ address: SocketAddress, on loop: EventLoop, simulator: Simulator, environment: AdminEnvironment
    ) throws(EventLoopError) {
        let application = AdminApplication(
            simulator: simulator, environment: environment, loop: EventLoopFace(loop))
        self.application = application
        self.loop = loop
        var limits = HTTP1Server.Limits()
        limits.headers = AdminLimits.headBytes
        limits.body = AdminLimits.bodyBytes
        server = try HTTP1Server(address, on: loop, limits: limits) { exchange in
            Self.serve(exchange, application)
        }
    }

    /// Stops listening and answers waiting calls with 503. When all answers are out, or the grace has passed for guests
    /// that do not read theirs, `completion` is called on the loop, which must run until then. May be called again.
    package func close(graceMilliseconds: Int64 = AdminLimits.closingGrace, completion: (() -> Void)? = nil) {
        application.close()
        server.close(completion: completion)
        grace = try? loop.after(milliseconds: graceMilliseconds) { [weak self] in self?.closeNow() }
        if grace == nil { closeNow() }
    }

    /// Closes everything at once; guests without an answer see their connection end.
    package func closeNow() {
        grace = nil
        application.close()
        server.closeNow()
    }

    private static func serve(_ exchange: HTTP1Exchange, _ application: AdminApplication) {
        let request = AdminRequest(
            method: exchange.method, path: exchange.path, query: exchange.query,
            headers: exchange.headers.map { ($0.name.lowercased(), $0.value) }, body: exchange.body)
        let ticket = application.handle(request) { response in
            exchange.respond(
                status: response.status, headers: response.headers.map { ($0.name, $0.value) }, body: response.body)
        }
        if let ticket {
            exchange.onClose = { [weak application] in application?.leave(ticket) }
        }
    }
}

@available(*, unavailable)
extension AdminServer: Sendable {}

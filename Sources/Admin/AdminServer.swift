package import EventLoop
package import Simulation

/// The admin API on its own listener: the journal made visible over HTTP/1.1. Confined to its loop.
package final class AdminServer {
    /// What runs until the server is closed. It is let go of on the loop, so that a closed server may be released on any
    /// thread.
    private struct Running {
        let application: AdminApplication
        let server: HTTP1Server
        let loop: EventLoop
        var grace: LoopTimer?
    }

    /// The address in use.
    package let address: SocketAddress

    private var running: Running?

    /// How many calls wait.
    package var waiters: Int { running?.application.waiters ?? 0 }

    /// Binds and serves on the loop of the caller.
    package init(
        _ address: SocketAddress, on loop: EventLoop, worlds: Worlds, environment: AdminEnvironment
    ) throws(EventLoopError) {
        let application = AdminApplication(
            worlds: worlds, environment: environment, loop: EventLoopFace(loop))
        var limits = HTTP1Server.Limits()
        limits.headers = AdminLimits.headBytes
        limits.body = AdminLimits.bodyBytes
        let server = try HTTP1Server(address, on: loop, limits: limits) { exchange in
            Self.serve(exchange, application, environment.use)
        }
        self.address = server.address
        running = Running(application: application, server: server, loop: loop)
    }

    /// The same over one simulator, whose namespace is the default one.
    package convenience init(
        _ address: SocketAddress, on loop: EventLoop, simulator: Simulator, environment: AdminEnvironment
    ) throws(EventLoopError) {
        try self.init(address, on: loop, worlds: Worlds(simulator), environment: environment)
    }

    /// Stops listening and answers waiting calls with 503. When all answers are out, or the grace has passed for guests
    /// that do not read theirs, `completion` is called on the loop, which must run until then. May be called again.
    package func close(graceMilliseconds: Int64 = AdminLimits.closingGrace, completion: (() -> Void)? = nil) {
        guard let running else {
            completion?()
            return
        }
        running.application.close()
        running.server.close { [self] in
            self.running = nil
            completion?()
        }
        guard running.grace == nil else { return }
        let grace = try? running.loop.after(milliseconds: graceMilliseconds) { [weak self] in self?.closeNow() }
        self.running?.grace = grace
        if grace == nil { closeNow() }
    }

    /// Closes everything at once; guests without an answer see their connection end.
    package func closeNow() {
        guard let running else { return }
        running.application.close()
        running.server.closeNow()
    }

    /// How many guests read events.
    package var readers: Int { running?.application.readers ?? 0 }

    /// Calls `body` as soon as so many calls wait.
    package func testsOnlyWhen(waiters count: Int, _ body: @escaping () -> Void) {
        running?.application.testsOnlyWhen(waiters: count, body)
    }

    /// As long as somebody holds it, a call is not answered yet.
    private final class Use {
        private let tell: @Sendable (Bool) -> Void

        init(_ tell: @escaping @Sendable (Bool) -> Void) {
            self.tell = tell
            tell(true)
        }

        deinit { tell(false) }
    }

    private static func serve(
        _ exchange: HTTP1Exchange, _ application: AdminApplication, _ use: @escaping @Sendable (Bool) -> Void
    ) {
        let request = AdminRequest(
            method: exchange.method, path: exchange.path, query: exchange.query,
            headers: exchange.headers.map { ($0.name.lowercased(), $0.value) }, body: exchange.body)
        // The application holds the closures, and so this, as long as the call waits or is read.
        let use = AdminApplication.isUse(request) ? Use(use) : nil
        let ticket = application.handle(request, stream: { ExchangeStream(exchange, holding: use) }) { response in
            withExtendedLifetime(use) {
                exchange.respond(
                    status: response.status, headers: response.headers.map { ($0.name, $0.value) }, body: response.body)
            }
        }
        if let ticket {
            exchange.onClose = { [weak application] in application?.leave(ticket) }
        }
    }
}

@available(*, unavailable)
extension AdminServer: Sendable {}

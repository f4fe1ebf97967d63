import Admin
import EventLoop
import Locking
import Simulation

/// The admin API on a thread of its own, so that a busy guest never delays a push.
final class AdminThread: Sendable {
    /// The address in use.
    let address: SocketAddress
    private let thread: LoopThread
    private let server: LoopBound<AdminServer>

    /// Binds and serves.
    init(_ wanted: SocketAddress, worlds: Worlds, environment: AdminEnvironment) throws {
        let made = Lock<(LoopBound<AdminServer>, SocketAddress)?>(nil)
        thread = try LoopThread(name: "admin") { loop in
            let server = try AdminServer(wanted, on: loop, worlds: worlds, environment: environment)
            made.withLock { $0 = (LoopBound(server, on: loop), server.address) }
        }
        guard let (server, address) = made.withLock({ $0 }) else {
            throw StartError("the admin loop did not start", .internalError)
        }
        self.server = server
        self.address = address
    }

    /// Runs something on the loop.
    func perform(_ job: @escaping @Sendable () -> Void) {
        thread.mailbox.post { _ in job() }
    }

    /// Ends the waits with 503, stops listening, lets the answers go out and waits for the thread.
    func stop() {
        thread.mailbox.post { [server] loop in
            server.value.close { loop.stop() }
        }
        thread.join()
    }
}

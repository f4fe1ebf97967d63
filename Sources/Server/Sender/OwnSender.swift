import Admin
import EventLoop
import Locking
import Simulation
import TLS

/// Sends pushes to this server's own listeners when the admin API asks for it, from a thread of its own. Any thread.
///
/// It goes the whole way that senders go, over TLS and HTTP/2, and never anywhere else. The thread begins with the first push.
final class OwnSender: Sendable {
    private struct Running {
        let thread: LoopThread
        let loop: LoopBound<OwnSenderLoop>
    }

    private struct State {
        var address: SocketAddress?
        var running: Running?
        var isStopped = false
    }

    private let authorityFile: String
    private let state = Lock(State())

    /// A sender that trusts this CA; it cannot send before ``start(_:)``.
    init(authorityFile: String) {
        self.authorityFile = authorityFile
    }

    /// The listener is bound.
    func start(_ address: SocketAddress?) {
        state.withLock { $0.address = address?.local }
    }

    /// Ends the thread; what waits is answered that there will be no answer.
    func stop() {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running.take()
        }
        guard let running else { return }
        running.thread.mailbox.post { [loop = running.loop] eventLoop in
            loop.value.close()
            eventLoop.stop()
        }
        running.thread.join()
    }

    /// What the admin API calls.
    func send(_ order: PushOrder, _ done: @escaping @Sendable (PushAnswer) -> Void) {
        do {
            let (running, address) = try ready(order)
            running.thread.mailbox.post { [loop = running.loop] _ in loop.value.send(order, to: address, done) }
        } catch {
            done(PushAnswer(failure: "\(error)"))
        }
    }

    private func ready(_ order: PushOrder) throws -> (Running, SocketAddress) {
        try state.withLock { state in
            guard !state.isStopped, var address = state.address else {
                throw StartError("this server has no APNs listener with TLS", .internalError)
            }
            if let endpoint = order.endpoint, let port = endpoint.port {
                address = SocketAddress.ip(host: endpoint.host, port: port).local
            }
            if let running = state.running { return (running, address) }
            let made = Lock<LoopBound<OwnSenderLoop>?>(nil)
            let thread = try LoopThread(name: "sender") { [authorityFile] loop in
                let context = try TLSContext(clientTrusting: authorityFile)
                made.withLock { $0 = LoopBound(OwnSenderLoop(loop, context: context), on: loop) }
            }
            guard let loop = made.withLock({ $0 }) else {
                throw StartError("the sender's loop did not start", .internalError)
            }
            let running = Running(thread: thread, loop: loop)
            state.running = running
            return (running, address)
        }
    }
}

import APNs
import EventLoop
import Synchronization

/// Takes connections in on the first worker's loop and hands them to the workers in turn. Confined to that loop.
final class Acceptor {
    private let core: ServerCore
    private let local: Worker
    private let others: [WorkerThread]
    private var listeners: [Listener] = []
    private var names: [String] = []
    private var turn = 0

    /// An acceptor without listeners.
    init(core: ServerCore, local: Worker, others: [WorkerThread]) {
        self.core = core
        self.local = local
        self.others = others
    }

    /// Binds an address; returns the one in use.
    func listen(_ wanted: ListenAddress) throws(EventLoopError) -> SocketAddress {
        if wanted.kind == .http1 {
            let listener = try HTTP1Listener(wanted, worker: local)
            local.listen(listener)
            return listener.address
        }
        let index = listeners.count
        let listener = try Listener(wanted.address, on: local.loop) { [unowned self] descriptor, peer in
            take(descriptor, peer, names[index], wanted)
        }
        listeners.append(listener)
        names.append(listener.address.description)
        return listener.address
    }

    private func take(_ descriptor: Int32, _ peer: String, _ listener: String, _ wanted: ListenAddress) {
        let id = core.lastConnection.add(1, ordering: .relaxed).newValue
        let accepted = AcceptedConnection(
            id: id, descriptor: descriptor, peer: peer, listener: listener, kind: wanted.kind,
            environment: wanted.environment)
        let open = core.connectionCount.add(1, ordering: .relaxed).newValue
        guard open <= core.configuration.limits.connections else { return local.refuse(accepted, open: open - 1) }
        if turn == 0 { local.adopt(accepted) } else { others[turn - 1].adopt(accepted) }
        turn = (turn + 1) % (others.count + 1)
    }

    /// Stops listening.
    func close() {
        for listener in listeners { listener.close() }
        listeners = []
    }
}

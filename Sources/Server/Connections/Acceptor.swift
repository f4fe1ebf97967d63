import APNs
import EventLoop
import Simulation
import Synchronization

/// Takes connections in on the first worker's loop and hands them to the workers in turn. Confined to that loop.
final class Acceptor {
    private let core: ServerCore
    private let local: Worker
    private let others: [WorkerThread]
    private var listeners: [BoundListener] = []
    private var turn = 0

    /// A listener, and whose it is.
    private final class BoundListener {
        var listener: Listener?
        let kind: ListenerKind
        let environment: Environment
        let namespace: Namespace?

        init(_ wanted: ListenAddress, _ namespace: Namespace?) {
            kind = wanted.kind
            environment = wanted.environment
            self.namespace = namespace
        }
    }

    /// An acceptor without listeners.
    init(core: ServerCore, local: Worker, others: [WorkerThread]) {
        self.core = core
        self.local = local
        self.others = others
    }

    /// Binds an address, for all namespaces or for one; returns the address in use.
    func listen(_ wanted: ListenAddress, for namespace: Namespace? = nil) throws(EventLoopError) -> SocketAddress {
        if wanted.kind == .http1 {
            let listener = try HTTP1Listener(wanted, worker: local, namespace: namespace)
            local.listen(listener)
            return listener.address
        }
        let bound = BoundListener(wanted, namespace)
        let listener = try Listener(wanted.address, on: local.loop) { [unowned self, unowned bound] descriptor, peer in
            take(descriptor, peer, bound)
        }
        listener.onPause = { [core] error in
            core.reporter.error(
                "\(error); \(core.connectionCount.load(ordering: .relaxed)) connections are open, and the process may have"
                    + " \(DescriptorLimit.current) descriptors: raise `ulimit -n`; new connections wait until there is room"
            )
        }
        bound.listener = listener
        listeners.append(bound)
        return listener.address
    }

    /// Closes the listeners of a namespace but for HTTP/1.1, which its worker closes with their connections.
    func close(_ namespace: Namespace) {
        for bound in listeners where bound.namespace === namespace { bound.listener?.close() }
        listeners.removeAll { $0.namespace === namespace }
    }

    private func take(_ descriptor: Int32, _ peer: String, _ bound: BoundListener) {
        core.activity.note()
        let id = core.lastConnection.add(1, ordering: .relaxed).newValue
        let accepted = AcceptedConnection(
            id: id, descriptor: descriptor, peer: peer, listener: bound.listener?.address.description ?? "",
            kind: bound.kind, environment: bound.environment, namespace: bound.namespace)
        let open = core.connectionCount.add(1, ordering: .relaxed).newValue
        guard open <= core.configuration.limits.connections else { return local.refuse(accepted, open: open - 1) }
        if turn == 0 { local.adopt(accepted) } else { others[turn - 1].adopt(accepted) }
        turn = (turn + 1) % (others.count + 1)
    }

    /// Stops listening.
    func close() {
        for bound in listeners { bound.listener?.close() }
        listeners = []
    }
}

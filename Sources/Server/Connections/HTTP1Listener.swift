import APNs
import EventLoop
import HTTP
import HTTP2
import Simulation
import Synchronization

/// A clear-text listener for APNs over HTTP/1.1: the same rules and the same log for senders that cannot be given trust or
/// HTTP/2. Confined to its worker's loop.
final class HTTP1Listener {
    /// How many bytes of a body are read at most; what goes over it is answered 413 by the HTTP/1.1 server itself, and is
    /// not in the log. A body that is too long for APNs only is judged like any other.
    static let bodyBytes = 1 << 20
    /// How many seconds a sender may be silent when there is no `--idle-timeout`; senders keep connections for later pushes.
    static let silenceSeconds = 3600

    /// The address in use.
    var address: SocketAddress { server.address }

    /// The namespace that the listener belongs to; nil when it serves all.
    let namespace: Namespace?

    /// The owner of this listener.
    private unowned let worker: Worker
    private let environment: Environment
    private let server: HTTP1Server
    /// Connections that a script keeps all answers from: they would never end by themselves.
    private var stalled: [ObjectIdentifier: HTTP1Connection] = [:]

    /// Binds and serves.
    init(_ wanted: ListenAddress, worker: Worker, namespace: Namespace? = nil) throws(EventLoopError) {
        self.worker = worker
        self.namespace = namespace
        environment = wanted.environment
        var limits = HTTP1Server.Limits()
        limits.headers = HTTP2Session.Configuration().maxHeaderListSize
        limits.body = Self.bodyBytes
        limits.silenceSeconds =
            worker.core.configuration.idleTimeoutMilliseconds.map { Int(max(1, $0 / 1000)) } ?? Self.silenceSeconds
        let receiver = Receiver()
        server = try HTTP1Server(wanted.address, on: worker.loop, limits: limits) { receiver.listener?.receive($0) }
        receiver.listener = self
    }

    /// Stops listening, lets the answers to what is in flight go out and calls `completion`.
    func close(completion: @escaping () -> Void) {
        server.close(completion: completion)
        for connection in stalled.values { connection.close() }
    }

    /// Closes all connections at once.
    func closeNow() {
        server.closeNow()
    }

    private func receive(_ exchange: HTTP1Exchange) {
        let peer = exchange.connection.companion as? HTTP1Peer ?? makePeer(exchange.connection)
        peer?.receive(exchange)
    }

    /// Knows a connection from its first request on; nil when it is closed, because there are too many or a script says so.
    private func makePeer(_ connection: HTTP1Connection) -> HTTP1Peer? {
        let core = worker.core
        core.activity.note()
        let facts = PeerConnection(
            id: core.lastConnection.add(1, ordering: .relaxed).newValue, peer: connection.peer,
            listener: address.description, environment: environment)
        let open = core.connectionCount.add(1, ordering: .relaxed).newValue
        guard open <= core.configuration.limits.connections else {
            worker.journalRefusal(of: facts, kind: .http1, open: open - 1, in: namespace)
            connection.onClose = { core.connectionCount.subtract(1, ordering: .relaxed) }
            connection.close()
            return nil
        }
        let peer = HTTP1Peer(facts, worker: worker, namespace: namespace)
        let key = ObjectIdentifier(connection)
        connection.onClose = { [weak self] in
            core.connectionCount.subtract(1, ordering: .relaxed)
            self?.stalled[key] = nil
            peer.connectionHasClosed()
        }
        connection.companion = peer
        guard peer.begins(on: connection) else { return nil }
        if peer.isStalled { stalled[key] = connection }
        return peer
    }

    /// What the server calls before the listener is whole.
    private final class Receiver {
        weak var listener: HTTP1Listener?
    }
}

@available(*, unavailable)
extension HTTP1Listener: Sendable {}

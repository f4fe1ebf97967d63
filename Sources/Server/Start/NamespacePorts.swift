import APNs
import Admin
import EventLoop
import Locking
import Simulation

/// Opens and closes listeners of namespaces on the loops of a running server. Any thread.
final class NamespacePorts: Sendable {
    private struct Running {
        let workers: [WorkerThread]
        let acceptor: LoopBound<Acceptor>
    }

    /// A listener that is to be bound, and the ports to try.
    private struct Order: Sendable {
        let place: ListenAddress
        let host: String
        let candidates: [UInt16]
    }

    /// The server's own first listener of each kind that has a host: the namespaces listen beside it.
    private let places: [ListenerKind: ListenAddress]
    private let range: ClosedRange<UInt16>?
    private let running = Lock<Running?>(nil)

    /// Listeners beside the first ones of a configuration.
    init(_ configuration: Configuration) {
        var places: [ListenerKind: ListenAddress] = [:]
        for listener in configuration.listeners + configuration.clearTextListeners
        where listener.address.host != nil && places[listener.kind] == nil {
            places[listener.kind] = listener
        }
        self.places = places
        range = configuration.namespacePorts
    }

    /// What the admin API calls.
    var face: NamespaceListeners {
        NamespaceListeners(
            open: { [self] namespace, ports, done in open(namespace, ports, done) },
            close: { [self] namespace in close(namespace) })
    }

    /// The loops run.
    func start(_ workers: [WorkerThread], _ acceptor: LoopBound<Acceptor>) {
        running.withLock { $0 = Running(workers: workers, acceptor: acceptor) }
    }

    private func open(
        _ namespace: Namespace, _ ports: NamespaceListeners.Ports,
        _ done: @escaping @Sendable (Result<Namespace.Endpoint, NamespaceListeners.Failure>) -> Void
    ) {
        guard let running = running.withLock({ $0 }) else {
            return done(.failure(.init("the server is not ready yet")))
        }
        let orders = orders(ports)
        running.workers[0].perform { [acceptor = running.acceptor] worker in
            var endpoint = Namespace.Endpoint(host: orders.first?.host ?? SocketAddress.loopback)
            for order in orders {
                do throws(NamespaceListeners.Failure) {
                    let bound = try Self.bind(order, namespace, acceptor.value)
                    endpoint.note(bound.port ?? 0, of: order.place.kind)
                } catch {
                    // All or none.
                    acceptor.value.close(namespace)
                    worker.endConnections(of: namespace)
                    return done(.failure(error))
                }
            }
            done(.success(endpoint))
        }
    }

    /// What is to be bound: what was asked for, and beside a port with TLS whatever the server itself has without.
    private func orders(_ ports: NamespaceListeners.Ports) -> [Order] {
        let wanted: [(kind: ListenerKind, port: UInt16?)] = [
            (.apns, ports.tls), (.h2c, ports.h2c), (.http1, ports.http1),
        ]
        return wanted.compactMap { kind, port in
            let isImplied = ports.tls != nil && places[kind] != nil
            guard let port = port ?? (isImplied ? 0 : nil) else { return nil }
            var place = places[kind] ?? places[.apns] ?? ListenAddress(.ip(host: SocketAddress.loopback, port: 0))
            place.kind = kind
            let candidates = port == 0 ? range.map { Array($0) } ?? [0] : [port]
            return Order(place: place, host: place.address.host ?? SocketAddress.loopback, candidates: candidates)
        }
    }

    private static func bind(
        _ order: Order, _ namespace: Namespace, _ acceptor: Acceptor
    ) throws(NamespaceListeners.Failure) -> SocketAddress {
        var last: EventLoopError?
        for candidate in order.candidates {
            var wanted = order.place
            wanted.address = .ip(host: order.host, port: candidate)
            do throws(EventLoopError) {
                return try acceptor.listen(wanted, for: namespace)
            } catch {
                last = error
            }
        }
        let tried = order.candidates.count == 1 ? "port \(order.candidates[0])" : "each port of --namespace-ports"
        throw .init("\(tried) cannot be bound (\(last.map { "\($0)" } ?? "there is none"))")
    }

    private func close(_ namespace: Namespace) {
        guard let running = running.withLock({ $0 }) else { return }
        running.workers[0].perform { [acceptor = running.acceptor] _ in acceptor.value.close(namespace) }
        for worker in running.workers { worker.perform { $0.endConnections(of: namespace) } }
    }
}

extension Namespace.Endpoint {
    /// A listener of this kind is bound.
    fileprivate mutating func note(_ number: UInt16, of kind: ListenerKind) {
        switch kind {
        case .apns: port = number
        case .h2c: h2cPort = number
        case .http1: http1Port = number
        }
    }
}

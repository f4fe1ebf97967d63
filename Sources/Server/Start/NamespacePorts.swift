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

    private let host: String
    private let environment: Environment
    private let range: ClosedRange<UInt16>?
    private let running = Lock<Running?>(nil)

    /// Listeners beside the first one of a configuration.
    init(_ configuration: Configuration) {
        let first = configuration.listeners.first { $0.address.host != nil }
        host = first?.address.host ?? SocketAddress.loopback
        environment = first?.environment ?? .sandbox
        range = configuration.namespacePorts
    }

    /// What the admin API calls.
    var face: NamespaceListeners {
        NamespaceListeners(
            open: { [self] namespace, port, done in open(namespace, port, done) },
            close: { [self] namespace in close(namespace) })
    }

    /// The loops run.
    func start(_ workers: [WorkerThread], _ acceptor: LoopBound<Acceptor>) {
        running.withLock { $0 = Running(workers: workers, acceptor: acceptor) }
    }

    private func open(
        _ namespace: Namespace, _ port: UInt16,
        _ done: @escaping @Sendable (Result<Namespace.Endpoint, NamespaceListeners.Failure>) -> Void
    ) {
        guard let running = running.withLock({ $0 }) else {
            return done(.failure(.init("the server is not ready yet")))
        }
        let candidates = port == 0 ? range.map { Array($0) } ?? [0] : [port]
        let (host, environment) = (host, environment)
        running.workers[0].perform { [acceptor = running.acceptor] _ in
            var last: EventLoopError?
            for candidate in candidates {
                let wanted = ListenAddress(.ip(host: host, port: candidate), environment: environment)
                do throws(EventLoopError) {
                    let bound = try acceptor.value.listen(wanted, for: namespace)
                    return done(
                        .success(.init(host: bound.local.host ?? host, port: bound.port ?? 0)))
                } catch {
                    last = error
                }
            }
            let tried = candidates.count == 1 ? "port \(candidates[0])" : "each port of --namespace-ports"
            done(.failure(.init("\(tried) cannot be bound (\(last.map { "\($0)" } ?? "there is none"))")))
        }
    }

    private func close(_ namespace: Namespace) {
        guard let running = running.withLock({ $0 }) else { return }
        running.workers[0].perform { [acceptor = running.acceptor] _ in acceptor.value.close(namespace) }
        for worker in running.workers { worker.perform { $0.endConnections(of: namespace) } }
    }
}

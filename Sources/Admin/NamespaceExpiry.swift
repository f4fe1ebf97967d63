import Simulation

/// Ends namespaces whose time is over. Confined to the loop of the admin API.
final class NamespaceExpiry {
    private struct Timed {
        let namespace: Namespace
        let timer: any AdminTimer
    }

    private let worlds: Worlds
    private let loop: any AdminLoop
    private let listeners: NamespaceListeners
    private var timed: [Timed] = []

    init(_ worlds: Worlds, _ loop: any AdminLoop, _ listeners: NamespaceListeners) {
        self.worlds = worlds
        self.loop = loop
        self.listeners = listeners
        arm()
    }

    deinit {
        for timed in timed { timed.timer.cancel() }
    }

    /// Sets the timers of namespaces that are new, and drops those of namespaces that have ended.
    func arm() {
        if worlds.isSingle, timed.isEmpty { return }
        for timed in timed where timed.namespace.isEnded { timed.timer.cancel() }
        timed.removeAll { $0.namespace.isEnded }
        for namespace in worlds.others {
            guard let end = namespace.expiresAt, !timed.contains(where: { $0.namespace === namespace }) else {
                continue
            }
            let left = max(0, end - ServerClock().now().machine)
            let timer = loop.after(milliseconds: left) { [weak self] in self?.end(namespace) }
            if let timer { timed.append(Timed(namespace: namespace, timer: timer)) }
        }
    }

    private func end(_ namespace: Namespace) {
        timed.removeAll { $0.namespace === namespace }
        if worlds.namespace(named: namespace.name) === namespace, worlds.remove(namespace.name) != nil {
            listeners.close(namespace)
        }
    }
}

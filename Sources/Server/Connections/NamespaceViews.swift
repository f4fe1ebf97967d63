import HTTP
import Simulation

/// A peer as other namespaces than the default one see it, and what chooses the namespaces of its requests.
struct NamespaceViews {
    /// What chooses the namespaces.
    var memory = NamespaceMemory(serverName: nil)
    private var views: [NamespaceView] = []
    /// How many requests were decided in namespaces that have ended.
    private var requestsOfEnded = 0

    /// How many requests were decided in all of them.
    var requests: Int { views.reduce(requestsOfEnded) { $0 + $1.state.requests } }

    /// Decides a request in a namespace, by its clock and by what it remembers of the connection.
    mutating func decide(
        _ request: consuming HTTPRequest, stream: Int32, in namespace: Namespace,
        on connection: PeerConnectionReference, behind fault: ConnectionFault?, scratch: inout DecisionScratch
    ) -> Decision {
        let index = place(of: namespace, on: connection)
        views[index].state.fault = fault
        let simulator = namespace.simulator
        return simulator.decide(
            request, stream: stream, on: &views[index].state, scratch: &scratch, now: simulator.clock.now())
    }

    /// The place of a namespace's view, which is made when the connection is new to it.
    private mutating func place(of namespace: Namespace, on connection: PeerConnectionReference) -> Int {
        if let index = views.firstIndex(where: { $0.namespace === namespace }) { return index }
        for view in views where view.namespace.isEnded { requestsOfEnded += view.state.requests }
        views.removeAll { $0.namespace.isEnded }
        views.append(NamespaceView(namespace: namespace, state: ConnectionState(connection: connection)))
        return views.count - 1
    }
}

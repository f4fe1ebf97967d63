import HTTP
import Simulation

extension Connection {
    /// The namespace of what happens before there is a request; nil for the default one.
    var home: Namespace? {
        accepted.namespace ?? worker.core.worlds.namespace(ofHandshake: views.memory)
    }

    /// The namespace of a request; nil for the default one. While there is only that one, this is a flag test.
    func namespace(of request: borrowing HTTPRequest) -> Namespace? {
        if let owner = accepted.namespace { return owner }
        if worker.core.worlds.isSingle { return nil }
        return worker.core.worlds.namespace(of: request, &views.memory)
    }

    /// Decides a request in another namespace than the default one.
    func decide(_ request: consuming HTTPRequest, stream: Int32, in namespace: Namespace) -> Decision {
        views.decide(
            request, stream: stream, in: namespace, on: state.connection, behind: state.fault, scratch: &worker.scratch)
    }
}

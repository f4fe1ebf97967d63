import Admin
import Locking

/// What the admin API tells about the server, complete once every listener is bound.
final class ServerFacts: Sendable {
    private let state: Lock<(info: AdminEnvironment.Info, waitingFor: [String])>

    init(_ info: AdminEnvironment.Info, waitingFor: [String]) {
        state = Lock((info, waitingFor))
    }

    var info: AdminEnvironment.Info { state.withLock { $0.info } }
    var waitingFor: [String] { state.withLock { $0.waitingFor } }

    /// All listeners are bound.
    func ready(listeners: [AdminEnvironment.Info.Listener]) {
        state.withLock {
            $0.info.listeners = listeners
            $0.waitingFor = []
        }
    }
}

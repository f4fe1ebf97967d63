import APNs
import EventLoop
import HTTP
import Simulation
import Synchronization
import TLS

/// What all loops of a server share; immutable but for its counters.
final class ServerCore: Sendable {
    let configuration: Configuration
    let worlds: Worlds
    /// The default namespace's.
    let simulator: Simulator
    let log: InspectionLog?
    let context: TLSContext
    let reporter: Reporter
    /// What testers are shown of the connections.
    let connections: ConnectionStore
    /// What is counted of connections and answers.
    let traffic = TrafficCounters()
    /// When the server was used last.
    let activity: ActivityClock
    /// How many connections are open.
    let connectionCount = Atomic<Int>(0)
    /// The number of the last connection.
    let lastConnection = Atomic<UInt64>(0)

    init(
        configuration: Configuration, worlds: Worlds, log: InspectionLog?, context: TLSContext,
        connections: ConnectionStore, reporter: Reporter
    ) {
        self.configuration = configuration
        self.worlds = worlds
        simulator = worlds.main.simulator
        self.log = log
        self.context = context
        self.connections = connections
        self.reporter = reporter
        activity = ActivityClock(isWatched: configuration.process.idleExitMilliseconds != nil)
    }
}

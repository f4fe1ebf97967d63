package import APNs
package import EventLoop
import Locking
package import Simulation
import Synchronization
package import TLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A running server: its listeners, its loops and what they share. Any thread.
package final class MockServer: Sendable {
    /// A listener that is bound.
    package struct BoundListener: Sendable {
        /// The address in use; the port is the real one.
        package let address: SocketAddress
        package let environment: Environment
        /// How APNs is spoken there.
        package let kind: ListenerKind
    }

    /// The configuration, as it was given.
    package let configuration: Configuration
    /// The certificates and keys in use.
    package let certificates: CertificateStore
    /// The namespaces.
    package let worlds: Worlds
    /// The rules, the journal and the clock of the default namespace.
    package let simulator: Simulator
    /// What is known of the connections, open and ended.
    package let connections: ConnectionStore
    /// The APNs listeners in the order of the configuration, those with TLS first.
    package let listeners: [BoundListener]
    /// The address of the admin API; nil when it is off.
    package let adminAddress: SocketAddress?
    /// The number behind all random decisions.
    package let seed: UInt64
    /// A word that no other run of a server has.
    package let instance: String

    private let log: InspectionLog?
    private let activity: ActivityClock
    private let connectionCount: @Sendable () -> Int
    private let workers: [WorkerThread]
    private let acceptor: LoopBound<Acceptor>
    private let admin: AdminThread?
    private let sender: OwnSender
    private let shutdownRequest: ShutdownRequest
    private let isStopped = Atomic<Bool>(false)
    private let started = ContinuousClock.now

    /// Starts a server; returns when every listener is bound.
    package static func start(
        _ configuration: Configuration, reporter: Reporter = .silent
    ) throws(StartError) -> MockServer {
        try ServerStart(configuration, reporter).start()
    }

    init(_ start: ServerStart.Result) {
        configuration = start.core.configuration
        certificates = start.certificates
        worlds = start.core.worlds
        simulator = worlds.main.simulator
        connections = start.core.connections
        listeners = start.listeners
        adminAddress = start.admin?.address
        seed = start.seed
        instance = start.instance
        log = start.core.log
        activity = start.core.activity
        connectionCount = { [core = start.core] in core.connectionCount.load(ordering: .relaxed) }
        workers = start.workers
        acceptor = start.acceptor
        admin = start.admin
        sender = start.sender
        shutdownRequest = start.shutdownRequest
    }

    /// The address of the first listener of a kind; nil when there is none.
    package func address(_ kind: ListenerKind) -> SocketAddress? {
        listeners.first { $0.kind == kind }?.address
    }

    /// For how many milliseconds nobody has used the server: no push, no new connection, no call of the admin API that is
    /// not a health check or a scrape. 0 while a call waits, events are read, or a rule holds an answer back.
    package var idleMilliseconds: Int64 {
        if worlds.all.contains(where: \.simulator.script.holdsAnswers) { activity.note() }
        return activity.idleMilliseconds()
    }

    /// Calls `body` when somebody asks for the stop through the admin API; any thread.
    package func onShutdownRequest(_ body: @escaping @Sendable () -> Void) {
        shutdownRequest.handler.withLock { $0 = body }
    }

    /// Stops politely: no new connections, GOAWAY with `Shutdown`, answers to what is in flight (within the limit), 503
    /// for those who wait at the admin API, the log written out. Returns when all threads have ended; may be called again.
    package func stop() {
        guard isStopped.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else {
            return
        }
        workers[0].perform { [acceptor] _ in acceptor.value.close() }
        sender.stop()
        for worker in workers { worker.perform { $0.drain() } }
        for worker in workers { worker.join() }
        for namespace in worlds.all { namespace.simulator.journal.close() }
        admin?.stop()
    }

    /// Opens the inspection log anew with its next line, for a program that rotates it; returns what that means.
    package func reopenLog() -> String {
        guard let log else { return "there is no inspection log to open anew (--log off)" }
        log.reopenSoon()
        return "the inspection log \(log.path) is opened anew with its next line"
    }

    /// Says what the server is doing, for those who find it stuck: first what can be said at once, then a line from each
    /// loop as soon as that has its turn. `say` is called on any thread.
    package func describeState(_ say: @escaping @Sendable (String) -> Void) {
        let asked = ContinuousClock.now
        say("state of mock-apns \(Version.current), pid \(getpid()): \(summary)")
        say("  connections: \(connectionCount()) open; descriptors: at most \(DescriptorLimit.current)")
        for namespace in worlds.all {
            let counts = namespace.simulator.journal.statistics
            say(
                "  namespace \(namespace.name): \(counts.entries) entries, \(counts.bytes) bytes, \(counts.followers)"
                    + " followers")
        }
        if let failure = log?.failure { say("  log: \(failure)") }
        if BackgroundWriter.error.dropped > 0 { say("  messages that nobody read: \(BackgroundWriter.error.dropped)") }
        say("  \(workers.count + (admin == nil ? 0 : 1)) loops were asked; one that prints no line below is stuck")
        let answer: @Sendable (String) -> Void = { name in
            say("  loop \(name): answers after \((ContinuousClock.now - asked) / .milliseconds(1)) ms")
        }
        for (index, worker) in workers.enumerated() { worker.perform { _ in answer("apns-\(index)") } }
        admin?.perform { answer("admin") }
    }

    /// One line about the run, for its end.
    package var summary: String {
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let counts = worlds.statistics
        let verb = isStopped.load(ordering: .acquiring) ? "stopped after" : "runs for"
        var text = "mock-apns \(verb) \(Int(seconds.rounded())) s: "
        text +=
            "\(counts.accepted) accepted, \(counts.rejected) refused, \(counts.faulted) faulted, \(counts.broken) broken"
        if counts.evicted > 0 { text += "; \(counts.evicted) entries no longer in memory" }
        if let log { text += "; all in \(log.path)" }
        return text
    }
}

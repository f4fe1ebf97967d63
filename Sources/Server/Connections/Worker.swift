import EventLoop
import HTTP
import HTTP2
import Simulation
import Synchronization

/// What serves the connections of one loop: the buffers they share, and the decisions of the present turn. Confined to
/// its loop.
final class Worker {
    /// How much is read from TLS at once.
    static let readBytes = 64 << 10
    /// How much output is taken from HTTP/2 before it is handed to TLS.
    static let writeBytes = 64 << 10

    /// After how many decisions their entries are written down, even within a turn: what was decided is still in the
    /// processor's caches then, and one write to the log carries enough.
    static let decisionsAtOnce = 64

    let core: ServerCore
    let limits: ConnectionLimits
    let loop: EventLoop
    let callbacks = HTTP2Session.Callbacks()
    /// What connections read into.
    let readBuffer = LoopBuffer(byteCount: Worker.readBytes)
    /// What connections take from HTTP/2 before TLS gets it.
    var output: [UInt8] = []
    var scratch = DecisionScratch()
    /// When the connection that is being read became readable.
    var now = Instant(machine: 0, server: 0)
    /// Whether the server stops: new connections are turned away.
    private(set) var isStopping = false

    private var connections: [UInt64: Connection] = [:]
    private var http1Listeners: [HTTP1Listener] = []
    private var pending: [PendingAnswer] = []
    private var batch: [JournalEntry] = []
    private var unflushed: [Connection] = []
    private var closed: [Connection] = []
    private var breakageGate: RateGate
    private var drainTimer: LoopTimer?
    private var isLogFailing = false

    /// A worker of the loop that is running now.
    init(core: ServerCore, loop: EventLoop) {
        self.core = core
        limits = core.configuration.limits
        self.loop = loop
        output.reserveCapacity(Self.writeBytes)
        breakageGate = RateGate(perSecond: limits.brokenPerSecond)
        loop.onTurnEnd = { [unowned self] in endTurn() }
    }

    // MARK: Connections

    /// Takes over a new connection.
    func adopt(_ accepted: AcceptedConnection) {
        guard !isStopping else { return discard(accepted.descriptor) }
        do {
            let verdict = core.simulator.decide(
                on: PeerConnectionReference(accepted.facts), .accepted, now: core.simulator.clock.now())
            if let verdict, verdict.fault == .refuseConnect {
                if let entry = verdict.entry { journal(entry) }
                Descriptor.resetWhenClosed(accepted.descriptor)
                return discard(accepted.descriptor)
            }
            let connection = try Connection(accepted, worker: self)
            connections[accepted.id] = connection
            if let verdict { connection.meet(verdict) }
        } catch {
            core.reporter.warning("a connection from \(accepted.peer) is lost: \(error)")
            discard(accepted.descriptor)
        }
    }

    /// Turns a connection away because there are too many.
    func refuse(_ accepted: AcceptedConnection, open: Int) {
        journalRefusal(of: accepted.facts, kind: accepted.kind, open: open)
        discard(accepted.descriptor)
    }

    /// Journals a connection that is turned away because there are too many.
    func journalRefusal(of facts: PeerConnection, kind: ListenerKind, open: Int) {
        let breakage = JournalEntry.Breakage(
            cause: "limit", explanation: "\(open) connections are open, which is the limit: this one was closed")
        let facts = PeerConnectionReference(facts)
        let now = EventLoop.wallClockMilliseconds()
        let record = core.connections.open(facts, listenerKind: kind.rawValue, at: now)
        record.breaks(breakage, facts)
        core.connections.close(record, at: now, because: breakage.explanation)
        journal(breakage, of: ConnectionState(connection: facts))
    }

    /// Serves HTTP/1.1 until the worker stops.
    func listen(_ listener: HTTP1Listener) {
        http1Listeners.append(listener)
    }

    private func discard(_ descriptor: Int32) {
        Descriptor.close(descriptor)
        core.connectionCount.subtract(1, ordering: .relaxed)
    }

    /// The connection of this number, while it is open.
    func connection(_ id: UInt64) -> Connection? { connections[id] }

    /// Forgets a connection that has closed its descriptor. It is released after the turn, since it may be our caller.
    func remove(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.id) != nil else { return }
        core.connectionCount.subtract(1, ordering: .relaxed)
        closed.append(connection)
        loop.requestTurnEnd()
    }

    // MARK: The turn

    /// Keeps a decision for the end of the turn.
    func append(_ decision: consuming Decision, stream: Int32, of source: any RequestSource) {
        if pending.isEmpty { loop.requestTurnEnd() }
        pending.append(PendingAnswer(source: source, stream: stream, decision: consume decision))
    }

    /// Writes down and answers when many decisions wait. Called between two reads, never from within HTTP/2: an answer may
    /// close the connection.
    func settleMany() {
        if pending.count >= Self.decisionsAtOnce { settle() }
    }

    /// Writes the entries of the decisions at hand down, then hands the answers to HTTP/2, whose output leaves at the end of
    /// the turn.
    private func settle() {
        commit()
        answer()
    }

    /// Sends a connection's output at the end of the turn.
    func flushLater(_ connection: Connection) {
        if unflushed.isEmpty { loop.requestTurnEnd() }
        unflushed.append(connection)
    }

    /// Writes the turn's last entries down and answers, then sends: once for each connection.
    private func endTurn() {
        if !pending.isEmpty { settle() }
        var index = 0
        while index < unflushed.count {
            unflushed[index].flush()
            index += 1
        }
        unflushed.removeAll(keepingCapacity: true)
        closed.removeAll(keepingCapacity: true)
        if isStopping, connections.isEmpty, http1Listeners.isEmpty { end() }
    }

    private func commit() {
        for index in pending.indices { batch.append(pending[index].decision.entry) }
        if core.simulator.journal.commit(batch) {
            if isLogFailing { logRecovered() }
        } else {
            commitRefusals()
        }
        batch.removeAll(keepingCapacity: true)
    }

    /// The log could not be written: what was accepted is refused instead, and kept in memory only.
    private func commitRefusals() {
        let failure = core.log?.failure ?? "the inspection log cannot be written"
        if !isLogFailing {
            isLogFailing = true
            core.reporter.error("\(failure); pushes are answered 503 ServiceUnavailable until it can be written again")
        }
        batch.removeAll(keepingCapacity: true)
        for index in pending.indices {
            if pending[index].decision.entry.content.outcome == .accepted {
                pending[index].decision = core.simulator.unavailable(pending[index].decision, because: failure)
            }
            batch.append(pending[index].decision.entry)
        }
        core.simulator.journal.commitWithoutLog(batch)
    }

    private func logRecovered() {
        isLogFailing = false
        core.reporter.info("\(core.log?.path ?? "the inspection log") can be written again; pushes are accepted")
    }

    private func answer() {
        let now = core.simulator.clock.now().machine
        unsafe pending.withUnsafeBufferPointer { pending in
            // Through the pointer nothing is copied, and so nothing retained.
            for index in pending.indices {
                unsafe pending[index].source.answer(pending[index].decision, stream: pending[index].stream, at: now)
            }
        }
        pending.removeAll(keepingCapacity: true)
    }

    // MARK: What went wrong

    /// Journals a connection that never became a request, as often as the gate allows.
    func journal(_ breakage: JournalEntry.Breakage, of state: ConnectionState) {
        let now = core.simulator.clock.now()
        let connection = state.connection
        let (passes, held) = breakageGate.passes(at: now.machine)
        guard passes else { return }
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .broken,
            request: .init(expectedBytes: 0, expectedFields: 0), connection: connection)
        content.environment = connection.value.environment
        content.profile = core.simulator.configuration.profile
        content.breakage = breakage
        journal(JournalEntry(content))
        if held > 0 { core.reporter.warning("\(held) more connections broke and are not in the log") }
        core.reporter.warning(
            "connection c\(connection.value.id) from \(connection.value.peer): \(breakage.explanation)")
    }

    /// Journals an entry that belongs to no answer.
    func journal(_ entry: JournalEntry) {
        if !core.simulator.journal.commit([entry]) { core.simulator.journal.commitWithoutLog([entry]) }
    }

    // MARK: The end

    /// Tells every connection to go away and ends the loop when all have gone, or when time is up.
    func drain() {
        guard !isStopping else { return }
        isStopping = true
        for connection in connections.values { connection.end(because: "Shutdown") }
        for listener in http1Listeners {
            listener.close { [unowned self] in
                http1Listeners.removeAll { $0 === listener }
                loop.requestTurnEnd()
            }
        }
        drainTimer = try? loop.after(milliseconds: limits.drainMilliseconds) { [unowned self] in closeAll() }
        if drainTimer == nil { closeAll() }
        loop.requestTurnEnd()
    }

    private func closeAll() {
        for connection in connections.values {
            connection.note(end: "The server stopped before the client closed the connection.")
            connection.close()
        }
        for listener in http1Listeners { listener.closeNow() }
    }

    private func end() {
        drainTimer = nil
        loop.onTurnEnd = nil
        loop.stop()
    }
}

@available(*, unavailable)
extension Worker: Sendable {}

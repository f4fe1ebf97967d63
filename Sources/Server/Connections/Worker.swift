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
    /// The turn's entries of the default namespace.
    private var batch: [JournalEntry] = []
    /// Those of each other namespace that was sent to.
    private var otherBatches: [NamespaceBatch] = []
    /// How long after their requests the answers of the turn went out, in milliseconds.
    private var answerTimes: [Int64] = []
    private var unflushed: [Connection] = []
    private var closed: [Connection] = []
    private var breakageGate: RateGate
    private var drainTimer: LoopTimer?
    private var isLogFailing = false
    private var isSettling = false

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
            let simulator = accepted.namespace?.simulator ?? core.simulator
            let verdict = simulator.decide(
                on: PeerConnectionReference(accepted.facts), over: accepted.transport, .accepted,
                now: simulator.clock.now())
            if let verdict, verdict.fault == .refuseConnect {
                if let entry = verdict.entry { journal(entry, in: accepted.namespace) }
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
        journalRefusal(of: accepted.facts, kind: accepted.kind, open: open, in: accepted.namespace)
        discard(accepted.descriptor)
    }

    /// Journals a connection that is turned away because there are too many.
    func journalRefusal(of facts: PeerConnection, kind: ListenerKind, open: Int, in namespace: Namespace? = nil) {
        let breakage = JournalEntry.Breakage(
            cause: "limit",
            explanation:
                "\(open) connections are open, which is the limit\(DescriptorLimit.words(open)): this one was closed")
        let facts = PeerConnectionReference(facts)
        let now = EventLoop.wallClockMilliseconds()
        let record = core.connections.open(facts, listenerKind: kind.rawValue, at: now)
        record.breaks(breakage, facts)
        core.connections.close(record, at: now, because: breakage.explanation)
        journal(breakage, of: facts, in: namespace)
    }

    /// Serves HTTP/1.1 until the worker stops.
    func listen(_ listener: HTTP1Listener) {
        http1Listeners.append(listener)
    }

    /// Ends the connections that came through the listeners of a namespace.
    func endConnections(of namespace: Namespace) {
        for listener in http1Listeners where listener.namespace === namespace { close(listener) }
        for connection in connections.values where connection.accepted.namespace === namespace {
            connection.end(because: "Shutdown")
        }
    }

    /// Stops listening and forgets the listener when its last answer is out.
    private func close(_ listener: HTTP1Listener) {
        listener.close { [unowned self] in
            http1Listeners.removeAll { $0 === listener }
            loop.requestTurnEnd()
        }
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

    /// Keeps a decision for the end of the turn; `namespace` is nil for the default one.
    func append(
        _ decision: consuming Decision, stream: Int32, of source: any RequestSource, in namespace: Namespace? = nil
    ) {
        if pending.isEmpty { loop.requestTurnEnd() }
        pending.append(
            PendingAnswer(source: source, stream: stream, decision: consume decision, namespace: namespace))
    }

    /// Writes down and answers when many decisions wait. Called between two reads, never from within HTTP/2: an answer may
    /// close the connection.
    func settleMany() {
        if pending.count >= Self.decisionsAtOnce { settle() }
    }

    /// Writes the entries of the decisions at hand down, then hands the answers to HTTP/2, whose output leaves at the end of
    /// the turn.
    private func settle() {
        isSettling = true
        commit()
        answer()
        isSettling = false
    }

    /// Answers what was decided before a fault whose time has come.
    func settleBeforeFault() {
        if !isSettling, !pending.isEmpty { settle() }
    }

    /// Says of answers that were given, and have not left, that they were caught behind a fault.
    func lose(_ streams: Set<Int32>, of connection: Connection, behind fault: ConnectionFault) {
        guard !streams.isEmpty else { return }
        let now = core.simulator.clock.now().machine
        for namespace in core.worlds.all {
            namespace.simulator.journal.revise(connection: connection.id, streams: streams, behind: fault, at: now)
        }
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
        core.activity.note()
        for index in pending.indices {
            let entry = pending[index].decision.entry
            if let namespace = pending[index].namespace { keep(entry, in: namespace) } else { batch.append(entry) }
        }
        if !batch.isEmpty {
            commit(batch, in: nil)
            batch.removeAll(keepingCapacity: true)
        }
        if core.worlds.isSingle, otherBatches.isEmpty { return }
        for other in otherBatches { commit(other.entries, in: other.namespace) }
        otherBatches.removeAll()
        core.worlds.trim()
    }

    private func keep(_ entry: JournalEntry, in namespace: Namespace) {
        if let index = otherBatches.firstIndex(where: { $0.namespace === namespace }) {
            otherBatches[index].entries.append(entry)
        } else {
            otherBatches.append(NamespaceBatch(namespace: namespace, entries: [entry]))
        }
    }

    private func commit(_ entries: [JournalEntry], in namespace: Namespace?) {
        let kept = (namespace?.simulator ?? core.simulator).journal.commit(entries)
        if kept == entries.count {
            if isLogFailing { logRecovered() }
        } else {
            commitRefusals(in: namespace, behind: kept)
        }
    }

    /// The log could not be written: what was accepted behind its last line is refused instead, and kept in memory only.
    private func commitRefusals(in namespace: Namespace?, behind kept: Int) {
        let simulator = namespace?.simulator ?? core.simulator
        let failure = core.log?.failure ?? "the inspection log cannot be written"
        if !isLogFailing {
            isLogFailing = true
            core.reporter.error("\(failure); pushes are answered 503 ServiceUnavailable until it can be written again")
        }
        var refused: [JournalEntry] = []
        for index in pending.indices.filter({ pending[$0].namespace === namespace }).dropFirst(kept) {
            if pending[index].decision.entry.content.outcome == .accepted {
                pending[index].decision = simulator.unavailable(pending[index].decision, because: failure)
            }
            refused.append(pending[index].decision.entry)
        }
        simulator.journal.commitWithoutLog(refused)
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
                if let time = unsafe pending[index].decision.entry.afterMilliseconds { answerTimes.append(time) }
            }
        }
        core.traffic.countAnswers(answerTimes)
        answerTimes.removeAll(keepingCapacity: true)
        pending.removeAll(keepingCapacity: true)
    }

    // MARK: What went wrong

    /// Journals a connection that never became a request, as often as the gate allows.
    func journal(_ breakage: JournalEntry.Breakage, of connection: Connection) {
        journal(breakage, of: connection.state.connection, in: connection.home)
    }

    private func journal(
        _ breakage: JournalEntry.Breakage, of connection: PeerConnectionReference, in namespace: Namespace?
    ) {
        let simulator = namespace?.simulator ?? core.simulator
        let now = simulator.clock.now()
        let (passes, held) = breakageGate.passes(at: now.machine)
        guard passes else { return }
        var content = JournalEntry.Content(
            receivedAt: now.machine, serverTime: now.server, outcome: .broken,
            request: .init(expectedBytes: 0, expectedFields: 0), connection: connection)
        content.environment = connection.value.environment
        content.profile = simulator.configuration.profile
        content.breakage = breakage
        journal(JournalEntry(content), in: namespace)
        if held > 0 { core.reporter.warning("\(held) more connections broke and are not in the log") }
        core.reporter.warning(
            "connection c\(connection.value.id) from \(connection.value.peer): \(breakage.explanation)")
    }

    /// Journals an entry that belongs to no answer; `namespace` is nil for the default one.
    func journal(_ entry: JournalEntry, in namespace: Namespace?) {
        let journal = (namespace?.simulator ?? core.simulator).journal
        if journal.commit([entry]) == 0 { journal.commitWithoutLog([entry]) }
    }

    // MARK: The end

    /// Tells every connection to go away and ends the loop when all have gone, or when time is up.
    func drain() {
        guard !isStopping else { return }
        isStopping = true
        for connection in connections.values { connection.end(because: "Shutdown") }
        for listener in http1Listeners { close(listener) }
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

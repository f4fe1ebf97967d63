import CLibevent

/// One thread that waits for sockets, timers and messages (libevent underneath).
///
/// Everything but ``mailbox`` is confined to the thread that calls ``run()`` (until then, to the one that made the loop);
/// debug builds check it at each entry.
@safe package final class EventLoop {
    /// The one part that other threads may use.
    package let mailbox: Mailbox

    /// What to call at the end of a turn in which ``requestTurnEnd()`` was called: after the readiness handlers, timers
    /// and jobs of that turn and before the loop waits again.
    package var onTurnEnd: (() -> Void)?

    let base: LoopBase
    let identity = LoopIdentity()
    private var isStopping = false
    private var hasRun = false
    private var isInTurn = false
    private var hasEnded = false
    private var isTurnEndRequested = false
    private var afterTurn: [() -> Void] = []
    private var batch: [Mailbox.Job] = []
    private var mailEvent: OpaquePointer?
    /// The wall clock of this turn; 0 when it has not been read yet.
    private var wallClock: Int64 = 0

    /// A loop that is not running yet.
    package init() throws(EventLoopError) {
        base = try LoopBase()
        mailbox = try Mailbox()
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe mailEvent = event_new(
            base.pointer, mailbox.wakeUp.readEnd, Int16(EV_READ | EV_PERSIST), mailHasCome, context)
        guard let event = unsafe mailEvent, unsafe event_add(event, nil) == 0 else {
            throw .last("watch a loop's mailbox")
        }
    }

    deinit {
        _ = mailbox.close()
        if let event = unsafe mailEvent { unsafe event_free(event) }
    }

    /// Runs until ``stop()``; returns on the same thread. A loop runs once.
    package func run() {
        precondition(!hasRun, "a loop runs once")
        hasRun = true
        identity.bind()
        while true {
            finishTurn()
            if isStopping { break }
            wallClock = 0
            isInTurn = true
            base.turn(blocking: !isTurnEndRequested && afterTurn.isEmpty)
            isInTurn = false
        }
        // Who was told that the job is taken waits for it.
        for job in mailbox.close() { job(self) }
        hasEnded = true
        finishTurn()
        onTurnEnd = nil
    }

    /// Ends ``run()`` after the present turn.
    package func stop() {
        assertOnLoop()
        // Before run() or at the end of a turn, too: the loop looks at this before it waits.
        isStopping = true
    }

    /// Asks for one call of ``onTurnEnd`` in this turn.
    package func requestTurnEnd() {
        assertOnLoop()
        isTurnEndRequested = true
    }

    /// Milliseconds since 1970 by the system's clock, read once in a turn.
    package var turnTime: Int64 {
        assertOnLoop()
        if wallClock == 0 { wallClock = EventLoop.wallClockMilliseconds() }
        return wallClock
    }

    /// Calls `body` after the handlers of this turn, where no C library is in the middle of its work; at once between turns.
    func afterTurn(_ body: @escaping () -> Void) {
        assertOnLoop()
        if isInTurn { afterTurn.append(body) } else { body() }
    }

    /// Calls `body` soon and not within this call, unless the loop has ended.
    func soon(_ body: @escaping () -> Void) {
        assertOnLoop()
        if hasEnded { body() } else { afterTurn.append(body) }
    }

    /// Whether the calling thread is the loop's; any thread.
    package var isCurrent: Bool { identity.isCurrent }

    /// Traps in debug builds when another thread than the loop's is here.
    @inline(__always)
    func assertOnLoop() {
        assert(identity.isCurrent, "a loop's parts are used on its thread only")
    }

    private func finishTurn() {
        if isTurnEndRequested {
            isTurnEndRequested = false
            onTurnEnd?()
        }
        guard !afterTurn.isEmpty else { return }
        let bodies = afterTurn
        afterTurn = []
        for body in bodies { body() }
    }

    /// Runs what other threads have posted; what is posted meanwhile waits for the next turn.
    fileprivate func takeMail() {
        mailbox.wakeUp.clear()
        mailbox.swapJobs(with: &batch)
        for job in batch { job(self) }
        batch.removeAll(keepingCapacity: true)
    }
}

@available(*, unavailable)
extension EventLoop: Sendable {}

private func mailHasCome(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<EventLoop>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.takeMail() }
}

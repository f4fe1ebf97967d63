import Synchronization

/// How an answer is given that a script has touched: how late, and what breaks.
package final class ScriptedAnswer: Sendable {
    /// How long it waits, in milliseconds.
    package let delay: Int64
    /// What breaks.
    package let fault: RuleFault?
    /// The rule, or the magic token, behind it.
    package let use: JournalEntry.RuleUse
    /// Fields of an answer made by hand.
    package let fields: [(name: String, value: String)]

    private let script: Script
    private let journal: Journal
    private let hasWaited = Atomic<Bool>(false)
    private let rules: [UInt64]
    private let generation: UInt64

    init(_ script: Script, _ verdict: ScriptVerdict, _ journal: Journal) {
        self.script = script
        self.journal = journal
        use = verdict.use
        rules = verdict.rules
        generation = verdict.generation
        delay = verdict.delay
        switch verdict.outcome {
        case .fault(let fault, _):
            self.fault = fault
            fields = []
        case .respond(let response):
            fault = nil
            fields = response.fields
        case .accept, .reject, nil:
            fault = nil
            fields = []
        }
    }

    /// Registers an answer that waits: `cancel` is called, on any thread, when the script is reset or a rule behind the answer
    /// goes. Nil when that has happened already.
    package func hold(_ cancel: @escaping @Sendable () -> Void) -> Script.Hold? {
        hasWaited.store(true, ordering: .relaxed)
        return script.hold(rules, generation: generation, cancel)
    }

    /// Records that the answer went out, or never will; when it had waited, those who follow the journal are told. Only the
    /// first call counts.
    package func isOver(_ entry: JournalEntry, at machineTime: Int64) {
        guard entry.afterMilliseconds == nil else { return }
        entry.answered(afterMilliseconds: max(0, machineTime - entry.content.receivedAt))
        if hasWaited.load(ordering: .relaxed) { journal.complete(entry) }
    }

    /// Records that the answer, which waited, was caught behind a fault of its connection and never leaves.
    package func isLost(_ entry: JournalEntry, behind fault: ConnectionFault, at machineTime: Int64) {
        isLost(entry, by: fault.caughtUse, at: machineTime)
    }

    /// Records that the answer, which waited, was taken back because its rule went or the script was reset.
    package func isCancelled(_ entry: JournalEntry, at machineTime: Int64) {
        var use = use
        use.outcome = "cancelled"
        isLost(entry, by: use, at: machineTime)
    }

    private func isLost(_ entry: JournalEntry, by use: JournalEntry.RuleUse, at machineTime: Int64) {
        guard entry.afterMilliseconds == nil else { return }
        guard entry.content.hasAnswerToLose else { return isOver(entry, at: machineTime) }
        entry.answered(afterMilliseconds: max(0, machineTime - entry.content.receivedAt))
        journal.revise(entry, by: use, at: machineTime)
    }

    /// The fault that keeps answers behind this one from leaving, once it is given on a stream.
    package func connectionFault(at stream: Int32) -> ConnectionFault? {
        guard let last = fault?.lastAnswered(at: stream) else { return nil }
        return ConnectionFault(use, lastStream: last)
    }

    /// Ends a registration.
    package func release(_ hold: Script.Hold) {
        script.release(hold)
    }
}

/// How an answer is given that a script has touched: how late, and what breaks.
package final class ScriptedAnswer: Sendable {
    /// How long it waits, in milliseconds.
    package let delay: Int64
    /// What breaks.
    package let fault: RuleFault?
    /// Fields of an answer made by hand.
    package let fields: [(name: String, value: String)]

    private let script: Script
    private let rules: [UInt64]
    private let generation: UInt64

    init(_ script: Script, _ verdict: ScriptVerdict) {
        self.script = script
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
        script.hold(rules, generation: generation, cancel)
    }

    /// Ends a registration.
    package func release(_ hold: Script.Hold) {
        script.release(hold)
    }
}

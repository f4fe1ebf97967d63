import JSON
import Simulation
import TestSupport

extension TestServer {
    /// Adds a rule to the running server, in the default namespace or in another.
    func addRule(_ text: String, to namespace: Namespace? = nil) throws {
        let simulator = namespace?.simulator ?? simulator
        var document = JSONDocument()
        guard document.parse(Array(text.utf8)) == nil else { throw TestConnection.Failure("no JSON: \(text)") }
        let script = simulator.script
        try script.add(
            try RuleReader(now: simulator.clock.now().server).rule(document, document.root, id: script.freeID("rule")))
    }
}

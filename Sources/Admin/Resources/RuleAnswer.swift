import JSON
import Simulation

/// How answers show rules.
struct RuleAnswer {
    private let call: AdminCall

    init(_ call: AdminCall) {
        self.call = call
    }

    /// All rules, with the seed and the state of small scenarios.
    func list(_ statuses: [Script.Status]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        var searches = AdminLimits.nearestRules
        for status in statuses {
            write(status, to: &writer, withNearest: searches > 0)
            if status.hits == 0 { searches -= 1 }
        }
        writer.endArray()
        writer.key("seed")
        writer.integer(call.simulator.script.seed)
        writer.key("state")
        writer.string(call.simulator.script.scenario)
        writer.key("unasked")
        writer.integer(call.simulator.script.unasked)
        writer.endObject()
        return writer.bytes
    }

    /// One rule.
    func one(_ status: Script.Status) -> [UInt8] {
        var writer = JSONWriter()
        write(status, to: &writer, withNearest: true)
        return writer.bytes
    }

    private func write(_ status: Script.Status, to writer: inout JSONWriter, withNearest: Bool) {
        writer.beginObject()
        RuleWriter.writeMembers(status.rule, to: &writer)
        writer.key("madeBy")
        switch status.rule.origin {
        case .rules: writer.string(constant: "rules")
        case .failNext: writer.string(constant: "fail-next")
        case .chaos: writer.string(constant: "chaos")
        }
        if let expiresAt = status.rule.expiresAt {
            writer.key("expiresAt")
            writer.time(millisecondsSince1970: expiresAt)
        }
        writer.key("seed")
        writer.integer(call.simulator.script.seed)
        writer.key("hits")
        writer.integer(status.hits)
        writer.key("remaining")
        writer.integer(status.remaining)
        writer.key("lastHit")
        if let at = status.lastHitAt {
            writer.beginObject()
            writer.key("at")
            writer.time(millisecondsSince1970: at)
            writer.key("id")
            // Not journaled yet, when somebody asks within the turn.
            let entry = status.lastHit.flatMap { $0.seq > 0 ? $0 : nil }
            writer.string(entry.map { call.journal.renderer.id(of: $0) })
            writer.endObject()
        } else {
            writer.null()
        }
        if status.hits == 0, withNearest, let nearest = NearestRequest(status.rule, call.journal) {
            nearest.write(call.journal.renderer, to: &writer)
        }
        writer.endObject()
    }

    /// The rule in a line for people.
    static func line(_ status: Script.Status) -> String {
        let rule = status.rule
        var words = [rule.id, "hits \(status.hits)"]
        if let remaining = status.remaining {
            words.append("left \(remaining)" + (rule.scope == .all ? "" : " per \(rule.scope.rawValue)"))
        }
        if rule.stage != .afterValidation { words.append(rule.stage.rawValue) }
        if !rule.matcher.description.isEmpty {
            words.append(rule.matcher.description.map { "\($0.field)=\($0.value)" }.joined(separator: " "))
        }
        if let probability = rule.probability { words.append("p \(probability)") }
        words.append("→ " + rule.words)
        if let note = rule.note { words.append("(\(note))") }
        return words.joined(separator: "  ")
    }
}

package import JSON

/// Writes rules as people write them; what it writes, ``RuleReader`` reads.
package enum RuleWriter {
    /// Adds the members that describe the rule to an object.
    package static func writeMembers(_ rule: Rule, to writer: inout JSONWriter) {
        writer.key("id")
        writer.string(rule.id)
        for (name, source) in [("match", rule.source.match), ("when", rule.source.when)] {
            guard let source else { continue }
            writer.key(dynamic: name)
            writer.raw(source)
        }
        writer.key("then")
        writer.raw(rule.source.then)
        writer.key("stage")
        writer.string(rule.stage.rawValue)
        writer.key("priority")
        writer.integer(rule.priority)
        if let lifetime = rule.lifetime {
            writer.key("ttl")
            writer.integer(lifetime)
        }
        if rule.continues {
            writer.key("continue")
            writer.boolean(true)
        }
        if let note = rule.note {
            writer.key("note")
            writer.string(note)
        }
    }

    /// Adds the rule as an object: its part of the state of a namespace.
    package static func write(_ rule: Rule, to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(rule, to: &writer)
        writer.endObject()
    }

    /// The rule after a change: the members of `changed` stand in the place of the rule's own.
    package static func merged(_ rule: Rule, _ document: JSONDocument, _ changed: JSONElement) -> [UInt8] {
        var own = JSONWriter()
        write(rule, to: &own)
        var before = JSONDocument()
        _ = before.parse(own.bytes)
        var writer = JSONWriter()
        writer.beginObject()
        for member in before.children(of: before.root) {
            let name = before.key(of: member) ?? ""
            if document.member(named: name, of: changed) != nil { continue }
            // A stage that follows from the rest follows from the new one.
            if name == "stage", changes(["then"], document, changed) { continue }
            if name == "stage", !rule.source.namesStage, changes(["match", "when"], document, changed) { continue }
            writer.key(dynamic: name)
            writer.raw(Array(before.written(member).utf8))
        }
        for member in document.children(of: changed) {
            writer.key(dynamic: document.key(of: member) ?? "")
            writer.raw(Array(document.written(member).utf8))
        }
        writer.endObject()
        return writer.bytes
    }

    private static func changes(_ names: [String], _ document: JSONDocument, _ changes: JSONElement) -> Bool {
        names.contains { document.member(named: $0, of: changes) != nil }
    }
}

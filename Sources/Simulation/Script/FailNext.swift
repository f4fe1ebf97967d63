package import JSON

/// The shorthand for a rule about the next few requests: what happens, how often, and to whom, side by side.
package enum FailNext {
    /// Rules of this kind are asked before ordinary ones.
    package static let priority = 1000
    /// Which requests are meant, besides a whole `match`.
    package static let filters = ["device", "topic", "type", "pushType", "kind", "channel", "env", "keyId"]
    /// How often, and counted by what.
    package static let conditions = ["times", "skip", "per"]
    /// Everything that may stand in the shorthand.
    package static let members = ["id", "match", "ttl", "note"] + conditions + filters + RuleStepReader.members

    /// What `then` of a rule takes.
    package static let outcomes = RuleStepReader.members

    /// The rule that the shorthand stands for; without an id it is called `id`.
    package static func rule(
        _ document: JSONDocument, _ element: JSONElement, id: String, now: Int64
    ) throws(RuleError) -> Rule {
        let object = try RuleObject(document, element, path: "", names: members)
        if object.names(among: RuleStepReader.members).isEmpty {
            throw RuleError(
                "reason",
                #"The body says nothing of what happens; expected a reason such as "TooManyRequests", or a fault."#)
        }
        var writer = JSONWriter()
        writer.beginObject()
        copy(["id", "ttl", "note"], of: object, to: &writer)
        writer.key("priority")
        writer.integer(priority)
        if object.has("match") || !object.names(among: filters).isEmpty {
            writer.key("match")
            writer.beginObject()
            copy(filters, of: object, to: &writer)
            if let match = object["match"], document.kind(match) == .object {
                for member in document.children(of: match) {
                    writer.key(dynamic: document.key(of: member) ?? "")
                    writer.raw(Array(document.written(member).utf8))
                }
            }
            writer.endObject()
        }
        writer.key("when")
        writer.beginObject()
        copy(["skip", "per"], of: object, to: &writer)
        writer.key("times")
        writer.raw(object.source("times") ?? [UInt8(ascii: "1")])
        writer.endObject()
        writer.key("then")
        writer.beginObject()
        copy(RuleStepReader.members, of: object, to: &writer)
        writer.endObject()
        writer.endObject()
        var made = JSONDocument()
        _ = made.parse(writer.bytes)
        // The next requests are meant, not the next connections, wherever that makes sense.
        var rule = try RuleReader(now: now, prefersRequests: true).rule(made, made.root, id: id)
        rule.origin = .failNext
        return rule
    }

    private static func copy(_ names: [String], of object: RuleObject, to writer: inout JSONWriter) {
        for name in names {
            guard let source = object.source(name) else { continue }
            writer.key(dynamic: name)
            writer.raw(source)
        }
    }
}

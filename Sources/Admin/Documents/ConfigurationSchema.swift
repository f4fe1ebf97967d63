import JSON
import Simulation

/// The JSON Schema (2020-12) of the configuration file and of `/v1/state`, made from the tables that read them.
struct ConfigurationSchema: NestedDocument {
    var writer = JSONWriter()

    /// The document.
    static var json: [UInt8] {
        var schema = ConfigurationSchema()
        schema.object { schema in
            schema.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            schema.member("$id", StateFields.schemaAddress)
            schema.member("title", "The configuration file of mock-apns, and what GET /v1/state shows")
            schema.writeObject(StateFields.server)
            schema.key("$defs") { definitions in
                definitions.key("key") { $0.writeObject(StateFields.key) }
                definitions.key("device") {
                    $0.writeObject(DeviceFields.registration + StateFields.shownOfDevices)
                }
                definitions.key("rule") { $0.writeRule() }
                definitions.key("app") { $0.writeObject(StateFields.app) }
                definitions.key("namespace") { $0.writeObject(StateFields.namespace) }
            }
        }
        return schema.writer.bytes
    }

    /// What a member's array or object holds, by the name of the definition; nil for other members.
    private static func definition(_ field: Parameter) -> String? {
        switch field {
        case StateFields.keys: "key"
        case StateFields.devices: "device"
        case StateFields.rules: "rule"
        case StateFields.apps: "app"
        case StateFields.namespaces: "namespace"
        default: nil
        }
    }

    private mutating func writeObject(_ fields: [Parameter]) {
        member("type", "object")
        writer.key("additionalProperties")
        writer.boolean(false)
        let required = fields.filter { StateFields.required.contains($0) }.map(\.name)
        if !required.isEmpty { strings("required", required) }
        key("properties") { properties in
            for field in fields {
                properties.writer.key(dynamic: field.name)
                properties.object { $0.write(field) }
            }
        }
    }

    private mutating func write(_ field: Parameter) {
        member("description", ConfigurationTemplate.sentence(field))
        if let definition = Self.definition(field) { return write(field, of: definition) }
        switch field.kind {
        case .word(let words): strings("enum", words)
        case .integer(let range):
            member("type", "integer")
            writer.key("minimum")
            writer.integer(range.lowerBound)
            writer.key("maximum")
            writer.integer(range.upperBound)
        case .boolean: member("type", "boolean")
        case .texts: writeList { $0.member("type", "string") }
        case .words(let words): writeList { $0.strings("enum", words) }
        case .duration: strings("type", ["string", "integer"])
        default: strings("type", ["string", "null"])
        }
    }

    private mutating func write(_ field: Parameter, of definition: String) {
        let reference = "#/$defs/\(definition)"
        if field == StateFields.apps {
            member("type", "object")
            key("additionalProperties") { $0.member("$ref", reference) }
        } else {
            member("type", "array")
            key("items") { $0.member("$ref", reference) }
        }
    }

    /// One value, or an array of such values.
    private mutating func writeList(_ item: (inout Self) -> Void) {
        writer.key("anyOf")
        writer.beginArray()
        object(item)
        object { list in
            list.member("type", "array")
            list.key("items", item)
        }
        writer.endArray()
    }

    /// A rule: the names of its members, whose values docs/scripting.md describes.
    private mutating func writeRule() {
        member("type", "object")
        strings("required", ["then"])
        writer.key("additionalProperties")
        writer.boolean(false)
        key("properties") { properties in
            for name in RuleReader.members + RuleReader.shownMembers {
                properties.writer.key(dynamic: name)
                properties.object { value in
                    switch name {
                    case "match": value.member("type", "object")
                    case "when": value.writeNames(RuleReader.conditions)
                    case "then": value.writeNames(RuleReader.outcomeMembers)
                    default: break
                    }
                }
            }
        }
    }

    private mutating func writeNames(_ names: [String]) {
        member("type", "object")
        writer.key("additionalProperties")
        writer.boolean(false)
        key("properties") { properties in
            for name in names {
                properties.writer.key(dynamic: name)
                properties.object { _ in }
            }
        }
    }
}

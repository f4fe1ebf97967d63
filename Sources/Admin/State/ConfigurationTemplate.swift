import Simulation

/// A configuration file to begin with: every member with its default, or as an example in a comment. It is made from the
/// tables that read the file.
package enum ConfigurationTemplate {
    /// The width of the comments.
    private static let width = 100

    /// The file.
    package static var text: String {
        var lines = [
            "// The configuration of mock-apns: JSON with comments, names without quotes and trailing commas.",
            "// serve reads ./mock-apns.json, or the file of --config; flags and variables beat it.", "{",
        ]
        for field in StateFields.server {
            lines += comment(sentence(field), indent: 2)
            if let value = standing(field) {
                lines.append("  \(name(field.name)): \(value),")
            } else {
                lines += sample(field).map { "  // " + $0 }
            }
            lines.append("")
        }
        lines.removeLast()
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    // MARK: Members

    /// The value that a member has in the file; nil for one that stands in a comment.
    private static func standing(_ field: Parameter) -> String? {
        if field == StateFields.schema { return "\"\(StateFields.schemaAddress)\"" }
        guard case .word(let words) = field.kind, let standard = field.standard, words.contains(standard) else {
            return nil
        }
        return "\"\(standard)\""
    }

    /// What stands in a comment, ready to be uncommented.
    private static func sample(_ field: Parameter) -> [String] {
        switch field {
        case StateFields.keys: return list(field, [StateFields.key])
        case StateFields.devices: return list(field, [DeviceFields.registration.filter { $0 != DeviceFields.count }])
        case StateFields.rules:
            return [
                "rules: [  // docs/scripting.md says what a rule can hold",
                #"  { id: "slow-voip", match: { pushType: "voip" }, then: { accept: true, delay: "300ms" } },"#,
                #"  { match: { topic: "com.acme.*" }, when: { per: "device", times: 2 }, then: { reason: "TooManyRequests" } },"#,
                "],",
            ]
        case StateFields.apps:
            return ["apps: {", "  \"com.acme.app\": {"] + members(StateFields.app).map { "    " + $0 } + ["  },", "},"]
        case StateFields.namespaces:
            return list(
                field,
                [[NamespaceResource.name, NamespaceResource.topics, NamespaceResource.lifetime]])
        default: return ["\(name(field.name)): \(value(field)),"]
        }
    }

    private static func list(_ field: Parameter, _ elements: [[Parameter]]) -> [String] {
        var lines = ["\(field.name): ["]
        for element in elements { lines += ["  {"] + members(element).map { "    " + $0 } + ["  },"] }
        return lines + ["],"]
    }

    /// The members of an object, each below what it means. Of members that exclude each other one counts.
    private static func members(_ fields: [Parameter]) -> [String] {
        fields.flatMap { field -> [String] in
            let line = "\(name(field.name)): \(value(field)),"
            return comment(sentence(field), indent: 0) + [
                StateFields.alternatives.contains(field) ? "// " + line : line
            ]
        }
    }

    // MARK: Text

    /// What a member means, what it may be and what it is without.
    static func sentence(_ field: Parameter) -> String {
        if StateFields.required.contains(field) {
            // What the summary says behind a semicolon is about calls that may leave the member out.
            let summary = field.summary.prefix { $0 != ";" }
            return summary + (summary.hasSuffix(".") ? "" : ".") + " Required."
        }
        var text = field.summary
        if case .word(let words) = field.kind { text += " One of: " + words.joined(separator: ", ") + "." }
        if case .words(let words) = field.kind { text += " Some of: " + words.joined(separator: ", ") + "." }
        if let standard = field.standard { text += " Default: \(standard)." }
        return text
    }

    private static func name(_ name: String) -> String { name.hasPrefix("$") ? "\"\(name)\"" : name }

    /// The value of an example.
    private static func value(_ field: Parameter) -> String {
        let example = StateFields.samples[field.name] ?? field.example
        switch field.kind {
        case .integer, .boolean: return example
        case .texts, .words: return "[\"\(example)\"]"
        default: return "\"\(example)\""
        }
    }

    /// The words as comment lines that are not too long.
    private static func comment(_ text: String, indent: Int) -> [String] {
        let start = String(repeating: " ", count: indent) + "//"
        var lines: [String] = []
        var line = start
        for word in text.split(separator: " ") {
            if line.count + 1 + word.count > width, line != start {
                lines.append(line)
                line = start
            }
            line += " " + word
        }
        return lines + [line]
    }
}

import Server
import Simulation

/// `rules`: the scripted outcomes.
enum RulesCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
    }

    static let command = Command(
        "rules", "[ls | add JSON | set FILE | rm ID | clear]",
        "Lists, adds, replaces and removes the rules of scripted outcomes.",
        notes: """
            `rules add '{"then": {"reason": "TooManyRequests"}, "when": {"times": 2}}'` adds a rule; `rules add FILE` and
            `rules add -` read it from a file or from standard input. `rules set FILE` puts the array of rules in the file in
            the place of all others. docs/scripting.md says what a rule can hold.
            """,
        settings: Settings(), flags: [Settings.clientFlags], operands: 0...2
    ) { result in
        let client = AdminClient(settings: result.settings.client)
        let value = result.operands.count > 1 ? result.operands[1] : nil
        switch (result.operands.first ?? "ls", value) {
        case ("ls", nil): return try client.show("/v1/rules", Query())
        case ("ls", let id?): return try client.show("/v1/rules/" + Query.escaped(id), Query())
        case ("add", let rule?): return try client.change("/v1/rules", method: "POST", body: try body(rule))
        case ("set", let file?): return try client.change("/v1/rules", method: "PUT", body: try body(file))
        case ("rm", let id?): return try client.change("/v1/rules/" + Query.escaped(id), method: "DELETE")
        case ("clear", nil): return try client.change("/v1/rules", method: "PUT", body: Array("[]".utf8))
        case ("add", nil): throw UsageError("rules add needs a rule: JSON, a file, or - for standard input")
        case ("set", nil):
            throw UsageError("rules set needs a file that holds an array of rules, or - for standard input")
        case ("rm", nil): throw UsageError("rules rm needs the id of a rule, as `rules ls` shows it")
        case (let word, _):
            let known = ["ls", "add", "set", "rm", "clear"]
            if known.contains(word) { throw UsageError("rules \(word) takes no further word") }
            let nearest = NearestName.of(word, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)")
        }
    }

    /// JSON as it is, or what a file holds.
    private static func body(_ text: String) throws -> [UInt8] {
        if text.hasPrefix("{") || text.hasPrefix("[") { return Array(text.utf8) }
        return try TextFile.read(text)
    }
}

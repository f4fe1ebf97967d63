import Admin
import Server
import Simulation

/// `config`: the configuration file checked, and the effective settings shown with where they come from.
enum ConfigCommand {
    struct Settings: Sendable {
        var server = Configuration()
    }

    static let command = Command(
        "config", "[print [serve flags] | check FILE]",
        "Checks a configuration file, or prints each setting of serve and where it comes from.",
        notes: """
            The file is JSON with comments: profile, seed, unknownDevices, unknownKeys, keys, devices, rules, apps and
            namespaces, as GET /v1/state shows them. serve reads --config FILE, or ./mock-apns.json where it exists. A flag
            beats its variable, which beats the file.
            """,
        settings: Settings(), flags: Configuration.flags.map { $0.inside(\Settings.server) }, operands: 0...2,
        configuration: \Settings.server
    ) { result in
        switch (result.operands.first ?? "print", result.operands.dropFirst().first) {
        case ("print", nil):
            StandardStream.output.write(Self.table(result))
            return .success
        case ("check", let path?):
            let file = try ConfigurationFile(path)
            StandardStream.output.write("\(path) is good: \(file.state.words)\n")
            return .success
        case ("check", nil): throw UsageError("config check needs a file: mock-apns config check mock-apns.json")
        case ("print", _): throw UsageError("config print takes no further word")
        case (let word, _):
            let nearest = NearestName.of(word, among: ["print", "check"]).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\"\(word)\" is none of print, check\(nearest)")
        }
    }

    /// Each flag with its value and its origin, aligned.
    private static func table(_ result: FlagParser<Settings>.Result) -> String {
        let file = result.settings.server.configurationFile
        let inFile = result.settings.server.fileValues
        let isEphemeral = result.given["ephemeral"]?.values.last == "true"
        let rows = Configuration.parser.flags.map { flag -> [String] in
            if let given = result.given[flag.name] {
                let value = flag.name == "admin-token" ? "(set)" : given.values.joined(separator: ",")
                return ["--\(flag.name)", value, given.origin]
            }
            if isEphemeral, let value = Configuration.ephemeralValues[flag.name] {
                return ["--\(flag.name)", value, "--ephemeral"]
            }
            if let value = inFile[flag.name] { return ["--\(flag.name)", value, "file \(file ?? "")"] }
            return ["--\(flag.name)", flag.defaultText.isEmpty ? "-" : flag.defaultText, "default"]
        }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var text = rows.map { row in
            (0..<2).map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }.joined(separator: "  ")
                + "  " + row[2] + "\n"
        }.joined()
        if let file { text += "\(file): \(result.settings.server.state.words)\n" }
        return text
    }
}

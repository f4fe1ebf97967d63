import Server
import Simulation

/// One command of the program: a row of the table behind dispatch, `help` and README.
struct Command: Sendable {
    /// How it is called: "wait".
    let name: String
    /// One line: "wait [filters] [--count N] [--for 5s]".
    let usage: String
    /// One sentence.
    let summary: String
    /// A flag as completions and lists show it.
    struct FlagFacts: Sendable {
        let name: String
        let letter: Character?
        let valueName: String?
        let help: String
        let isRepeatable: Bool
    }

    /// Its flags in the order of `--help`.
    let flags: [FlagFacts]
    /// The variables that its flags read.
    let variables: Set<String>
    /// The whole text of `--help`.
    let help: @Sendable () -> String
    /// Runs it with its arguments and the environment.
    let run: @Sendable ([String], [String: String]) throws -> ExitCode

    /// All commands in the order of `help`.
    static let all: [Command] = [
        ServeCommand.command, ExecCommand.command, ReadyCommand.command, SendCommand.command, WaitCommand.command,
        VerifyCommand.command, TailCommand.command, ListCommand.command, LastCommand.command, ShowCommand.command,
        ReportCommand.command, ExportCommand.command, ImportCommand.command, ExplainCommand.command,
        CursorCommand.command,
        AuthorityCommand.command,
        KeysCommand.command, CertsCommand.command, DevicesCommand.command, ClockCommand.command,
        NamespacesCommand.command, ResetCommand.command, FailNextCommand.command, RulesCommand.command,
        ChaosCommand.command, TokenCommand.command, OpenAPICommand.command, InitCommand.command, ConfigCommand.command,
        CompletionsCommand.command,
        VersionCommand.command, HelpCommand.command,
    ]

    /// A command whose flags fill `settings`; `operands` is how many words without a dash it takes.
    init<Settings: Sendable>(
        _ name: String, _ usage: String, _ summary: String, notes: String = "", settings: Settings,
        flags groups: [FlagGroup<Settings>], operands: ClosedRange<Int> = 0...0,
        configuration: (any WritableKeyPath<Settings, Configuration> & Sendable)? = nil,
        body: @escaping @Sendable (FlagParser<Settings>.Result) throws -> ExitCode
    ) {
        let parser = FlagParser(command: name, groups: groups)
        let usage = usage.isEmpty ? name : "\(name) \(usage)"
        let help: @Sendable () -> String = { parser.help(usage: usage, summary: summary, notes: notes) }
        self.name = name
        self.usage = usage
        self.summary = summary
        flags = parser.flags.map {
            FlagFacts(
                name: $0.name, letter: $0.letter, valueName: $0.valueName, help: $0.help,
                isRepeatable: $0.isRepeatable)
        }
        self.variables = Set(parser.flags.compactMap(\.environmentName))
        self.help = help
        run = { arguments, environment in
            func parse(into settings: Settings) throws -> FlagParser<Settings>.Result {
                try parser.parse(
                    arguments, environment: environment, otherVariables: Self.allVariables, into: settings)
            }
            var result = try parse(into: settings)
            if let configuration, !result.wantsHelp {
                // The file's settings are the defaults of a second reading, so that flags and variables beat them.
                let named = result.settings[keyPath: configuration]
                let now = ServerClock(named.clock).now().server
                if let file = try ConfigurationFile.meant(by: named.namedFile, now: now) {
                    var settings = settings
                    file.apply(to: &settings[keyPath: configuration])
                    result = try parse(into: settings)
                }
            }
            if result.wantsHelp {
                StandardStream.output.write(help())
                return .success
            }
            guard operands.contains(result.operands.count) else {
                let what =
                    result.operands.count > operands.upperBound
                    ? "\"\(result.operands[operands.upperBound])\" is one word too many" : "something is missing"
                throw UsageError("\(what); usage: mock-apns \(usage)")
            }
            return try body(result)
        }
    }

    /// Every variable that some command reads; computed when somebody asks, since the table is not complete before.
    static var allVariables: Set<String> {
        all.reduce(into: ExecEnvironment.names) { $0.formUnion($1.variables) }
    }

    /// The words that may follow the command, as its usage names them: ls, new and rm of "[ls | new [NAME] | rm NAME]".
    var words: [String] {
        let alternatives = usage.dropFirst(name.count).split(separator: "|")
        guard alternatives.count > 1 else { return [] }
        return alternatives.compactMap { alternative in
            let word = alternative.drop { $0 == " " || $0 == "[" }.prefix { $0.isLowercase && $0.isASCII }
            return word.isEmpty ? nil : String(word)
        }
    }
}

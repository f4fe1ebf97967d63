import Simulation

/// Reads a command line by a table of flags. A flag beats its environment variable, which beats the default.
package struct FlagParser<Settings>: Sendable {
    /// What came of a command line.
    package struct Result {
        package var settings: Settings
        /// What is no flag, in order.
        package var operands: [String]
        /// What is behind `--`.
        package var rest: [String]
        /// Whether `--help` was among the arguments.
        package var wantsHelp: Bool
        /// What was given, by the flag's name: the values, and "flag" or the name of the variable.
        package var given: [String: (values: [String], origin: String)] = [:]
        /// Unknown variables of our prefix, one sentence each.
        package var warnings: [String]
    }

    /// The command, for messages: "serve".
    package let command: String
    /// Its flags.
    package let groups: [FlagGroup<Settings>]

    /// A parser for one command.
    package init(command: String, groups: [FlagGroup<Settings>]) {
        self.command = command
        self.groups = groups
    }

    /// All flags in the order of the table.
    package var flags: [Flag<Settings>] { groups.flatMap(\.flags) }

    /// Reads arguments and environment. `otherVariables` are known names of our prefix that other commands use.
    package func parse(
        _ arguments: [String], environment: [String: String] = [:], otherVariables: Set<String> = [],
        into initial: Settings
    ) throws(UsageError) -> Result {
        var result = Result(settings: initial, operands: [], rest: [], wantsHelp: false, warnings: [])
        let given = try collect(arguments, &result)
        for flag in flags {
            if let values = given[flag.name] {
                result.given[flag.name] = (values, "flag")
                try apply(flag, values, called: "--\(flag.name)", or: .usage, to: &result.settings)
            } else if let name = flag.environmentName, let value = environment[name] {
                let values = flag.isRepeatable ? value.split(separator: ",").map(String.init) : [value]
                result.given[flag.name] = (values, name)
                try apply(flag, values, called: name, or: .badConfiguration, to: &result.settings)
            }
        }
        result.warnings = unknownVariables(environment, otherVariables)
        return result
    }

    /// Sorts the arguments into values by flag, operands and the rest.
    private func collect(_ arguments: [String], _ result: inout Result) throws(UsageError) -> [String: [String]] {
        var given: [String: [String]] = [:]
        var index = arguments.startIndex
        while index < arguments.endIndex {
            let argument = arguments[index]
            index += 1
            if argument == "--" {
                result.rest = Array(arguments[index...])
                break
            }
            if argument == "--help" || argument == "-h" {
                result.wantsHelp = true
                continue
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                result.operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let flag = try find(parts[0])
            if parts.count == 2 {
                given[flag.name, default: []].append(parts[1])
            } else if flag.valueName == nil {
                given[flag.name, default: []].append("true")
            } else if index < arguments.endIndex {
                given[flag.name, default: []].append(arguments[index])
                index += 1
            } else {
                throw UsageError("--\(flag.name) needs a value: \(flag.usage) (\(flag.help))")
            }
        }
        return given
    }

    /// The flag of an argument.
    private func find(_ argument: String) throws(UsageError) -> Flag<Settings> {
        if argument.hasPrefix("--") {
            let name = argument.dropFirst(2)
            if let flag = flags.first(where: { $0.name == name }) { return flag }
        } else if argument.count == 2, let letter = argument.last,
            let flag = flags.first(where: { $0.letter == letter })
        {
            return flag
        }
        let plain = String(argument.drop { $0 == "-" })
        let nearest = NearestName.of(plain, among: flags.map(\.name)).map { "did you mean --\($0)? " } ?? ""
        throw UsageError("unknown flag \(argument); \(nearest)see mock-apns \(command) --help")
    }

    /// Applies values; a failure gets the name under which they came.
    private func apply(
        _ flag: Flag<Settings>, _ values: [String], called name: String, or code: ExitCode, to settings: inout Settings
    ) throws(UsageError) {
        do throws(UsageError) {
            try flag.apply(&settings, values)
        } catch {
            throw UsageError("\(name): \(error.description)", exitCode: code)
        }
    }

    /// A sentence for each variable of our prefix that nobody reads.
    private func unknownVariables(_ environment: [String: String], _ others: Set<String>) -> [String] {
        let known = Set(flags.compactMap(\.environmentName)).union(others)
        return environment.keys.filter { $0.hasPrefix("MOCK_APNS_") && !known.contains($0) }.sorted().map { name in
            let nearest = NearestName.of(name, among: known.sorted()).map { "; did you mean \($0)?" } ?? ""
            return "the environment variable \(name) has no meaning here and is ignored\(nearest)"
        }
    }
}

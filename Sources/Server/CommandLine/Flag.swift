/// One flag of a command. The table of a command's flags is the only place that knows them: the parser, the environment
/// variables, `--help` and README's table all come from it.
package struct Flag<Settings>: Sendable {
    /// The name without dashes: "admin-listen".
    package let name: String
    /// The one-letter form: "q".
    package let letter: Character?
    /// What `--help` calls the value; nil for a switch.
    package let valueName: String?
    /// The default as `--help` shows it; empty when there is nothing to show.
    package let defaultText: String
    /// One sentence.
    package let help: String
    /// Whether the flag may be given several times, and takes commas in the environment.
    package let isRepeatable: Bool
    /// Puts the given values, in order, into the settings; one value unless the flag is repeatable.
    package let apply: @Sendable (inout Settings, [String]) throws(UsageError) -> Void

    /// Whether an environment variable of the same meaning exists; not for what differs with every call.
    package private(set) var hasVariable = true

    /// The environment variable of the same meaning; derived, never written by hand.
    package var environmentName: String? {
        !hasVariable ? nil : "MOCK_APNS_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// How the flag is written: "--admin-listen ADDR".
    package var usage: String {
        let long = valueName.map { "--\(name) \($0)" } ?? "--\(name)"
        return letter.map { "-\($0), \(long)" } ?? long
    }

    private init(
        _ name: String, letter: Character?, valueName: String?, defaultText: String, help: String, isRepeatable: Bool,
        apply: @escaping @Sendable (inout Settings, [String]) throws(UsageError) -> Void
    ) {
        self.name = name
        self.letter = letter
        self.valueName = valueName
        self.defaultText = defaultText
        self.help = help
        self.isRepeatable = isRepeatable
        self.apply = apply
    }

    /// The same flag without an environment variable.
    package var withoutVariable: Flag {
        var flag = self
        flag.hasVariable = false
        return flag
    }

    /// The same flag of settings that these ones are a part of.
    package func inside<Outer>(_ part: any WritableKeyPath<Outer, Settings> & Sendable) -> Flag<Outer> {
        let apply = apply
        var flag = Flag<Outer>(
            name, letter: letter, valueName: valueName, defaultText: defaultText, help: help, isRepeatable: isRepeatable
        ) { (settings, values) throws(UsageError) in try apply(&settings[keyPath: part], values) }
        flag.hasVariable = hasVariable
        return flag
    }

    /// A flag with one value.
    package static func value(
        _ name: String, letter: Character? = nil, _ valueName: String, default defaultText: String = "", _ help: String,
        _ apply: @escaping @Sendable (inout Settings, String) throws(UsageError) -> Void
    ) -> Flag {
        Flag(
            name, letter: letter, valueName: valueName, defaultText: defaultText, help: help, isRepeatable: false
        ) { (settings, values) throws(UsageError) in
            if let value = values.last { try apply(&settings, value) }
        }
    }

    /// A flag that may be given several times; `apply` gets all values and replaces the default.
    package static func list(
        _ name: String, _ valueName: String, default defaultText: String = "", _ help: String,
        _ apply: @escaping @Sendable (inout Settings, [String]) throws(UsageError) -> Void
    ) -> Flag {
        Flag(
            name, letter: nil, valueName: valueName, defaultText: defaultText, help: help, isRepeatable: true,
            apply: apply)
    }

    /// A flag without a value; in the environment and after `=` it takes yes or no.
    package static func toggle(
        _ name: String, letter: Character? = nil, _ help: String,
        _ apply: @escaping @Sendable (inout Settings, Bool) throws(UsageError) -> Void
    ) -> Flag {
        Flag(
            name, letter: letter, valueName: nil, defaultText: "", help: help, isRepeatable: false
        ) { (settings, values) throws(UsageError) in
            guard let value = values.last else { return }
            try apply(&settings, try FlagValue.boolean(value))
        }
    }
}

/// Flags under one heading of `--help`.
package struct FlagGroup<Settings>: Sendable {
    package let title: String
    package let flags: [Flag<Settings>]

    /// The same flags without environment variables.
    package var withoutVariables: FlagGroup {
        FlagGroup(title, flags.map(\.withoutVariable))
    }

    /// The same flags of settings that these ones are a part of.
    package func inside<Outer>(_ part: any WritableKeyPath<Outer, Settings> & Sendable) -> FlagGroup<Outer> {
        FlagGroup<Outer>(title, flags.map { $0.inside(part) })
    }

    /// A heading and its flags.
    package init(_ title: String, _ flags: [Flag<Settings>]) {
        self.title = title
        self.flags = flags
    }
}

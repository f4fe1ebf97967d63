/// What `completions fish` prints.
struct FishCompletion {
    private let commands: [Command]

    init(_ commands: [Command]) {
        self.commands = commands
    }

    /// The script.
    var text: String {
        var lines = ["# fish completion of mock-apns: put it as mock-apns.fish into ~/.config/fish/completions."]
        for command in commands {
            lines.append(
                "complete -c mock-apns -n __fish_use_subcommand -f -a \(command.name) -d \(Self.quoted(command.summary))"
            )
        }
        for command in commands {
            let condition = "complete -c mock-apns -n '__fish_seen_subcommand_from \(command.name)'"
            if !command.words.isEmpty { lines.append("\(condition) -f -a '\(command.words.joined(separator: " "))'") }
            for flag in command.flags {
                let letter = flag.letter.map { " -s \($0)" } ?? ""
                let value = flag.valueName == nil ? "" : " -r"
                lines.append("\(condition) -l \(flag.name)\(letter)\(value) -d \(Self.quoted(flag.help))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// In fish a quote is escaped inside quotes.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

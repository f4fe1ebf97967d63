/// What `completions zsh` prints.
struct ZshCompletion {
    private let commands: [Command]

    init(_ commands: [Command]) {
        self.commands = commands
    }

    /// The script.
    var text: String {
        let names = commands.map { "\($0.name):\(Self.plain($0.summary))".singleQuoted }
        return """
            #compdef mock-apns
            # zsh completion of mock-apns: put it as _mock-apns into a folder of $fpath, or source it.
            _mock_apns() {
                local -a commands
                commands=(
                    \(names.joined(separator: "\n        "))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command=$words[2]
                shift words
                (( CURRENT-- ))
                case $command in
            \(commands.map(row).joined(separator: "\n"))
                esac
            }
            if [ "$funcstack[1]" = _mock_apns ]; then _mock_apns "$@"; else compdef _mock_apns mock-apns; fi

            """
    }

    private func row(_ command: Command) -> String {
        let flags = command.flags.map { flag in
            let help = "[\(Self.plain(flag.help))]" + (flag.valueName.map { ":\(Self.plain($0)):" } ?? "")
            let star = flag.isRepeatable ? "*" : ""
            guard let letter = flag.letter else { return "\(star)--\(flag.name)\(help)".singleQuoted }
            return "'(-\(letter) --\(flag.name))'{-\(letter),--\(flag.name)}" + help.singleQuoted
        }
        let rest = command.words.isEmpty ? "'*:file:_files'" : "'*:word:(\(command.words.joined(separator: " ")))'"
        return "        \(command.name)) _arguments \((flags + [rest]).joined(separator: " ")) ;;"
    }

    /// A text without what `_arguments` and `_describe` take for their own.
    private static func plain(_ text: String) -> String {
        String(
            text.map { character in
                switch character {
                case "[": "("
                case "]": ")"
                case ":": ","
                default: character
                }
            })
    }
}

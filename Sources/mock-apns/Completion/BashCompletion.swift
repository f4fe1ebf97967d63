/// What `completions bash` prints.
struct BashCompletion {
    private let commands: [Command]

    init(_ commands: [Command]) {
        self.commands = commands
    }

    /// The script.
    var text: String {
        let names = commands.map(\.name).joined(separator: " ")
        return """
            # bash completion of mock-apns: source this, or put it into a folder of bash-completion.
            _mock_apns() {
                local word=${COMP_WORDS[COMP_CWORD]} words= flags=
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W \(names.singleQuoted) -- "$word"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(commands.map(row).joined(separator: "\n"))
                esac
                case $word in
                    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
                    *) COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word")) ;;
                esac
            }
            complete -F _mock_apns mock-apns

            """
    }

    private func row(_ command: Command) -> String {
        let flags = command.flags.flatMap { flag in [flag.letter.map { "-\($0)" }, "--\(flag.name)"].compactMap(\.self)
        }
        return "        \(command.name)) words=\(command.words.joined(separator: " ").singleQuoted)"
            + " flags=\(flags.joined(separator: " ").singleQuoted) ;;"
    }
}

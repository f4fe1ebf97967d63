/// The shells for which completions are written.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script that completes these commands.
    func script(_ commands: [Command]) -> String {
        switch self {
        case .bash: BashCompletion(commands).text
        case .zsh: ZshCompletion(commands).text
        case .fish: FishCompletion(commands).text
        }
    }
}

extension String {
    /// The text as one word of a shell.
    var singleQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}

import Server

/// `completions`: what a shell needs to complete commands and flags.
enum CompletionsCommand {
    struct Settings: Sendable {}

    static let command = Command(
        "completions", "bash | zsh | fish", "Prints a script that completes commands and flags in a shell.",
        notes: """
            bash: eval "$(mock-apns completions bash)" in ~/.bashrc
            zsh:  mock-apns completions zsh > a folder of $fpath/_mock-apns
            fish: mock-apns completions fish > ~/.config/fish/completions/mock-apns.fish
            """,
        settings: Settings(), flags: [], operands: 1...1
    ) { result in
        let shell: Shell = try FlagValue.choice(result.operands[0])
        StandardStream.output.write(shell.script(Command.all))
        return .success
    }
}

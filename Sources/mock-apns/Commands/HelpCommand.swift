import Server
import Simulation

/// `help`: the commands, or one of them.
enum HelpCommand {
    struct Settings: Sendable {}

    static let command = Command(
        "help", "[COMMAND]", "Prints this, or the flags of a command.", settings: Settings(), flags: [], operands: 0...1
    ) { result in
        guard let name = result.operands.first else {
            StandardStream.output.write(overview)
            return .success
        }
        guard let command = Command.all.first(where: { $0.name == name }) else {
            let nearest = NearestName.of(name, among: Command.all.map(\.name)).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("unknown command \"\(name)\"\(nearest)")
        }
        StandardStream.output.write(command.help())
        return .success
    }

    private static var overview: String {
        var text = """
            mock-apns \(Version.current): a stand-in for Apple's Push Notification service, for tests.

            usage: mock-apns [COMMAND] [FLAGS]     without a command: serve

            Commands:

            """
        for command in Command.all {
            text += "  \(command.name)" + String(repeating: " ", count: max(1, 10 - command.name.count))
            text += command.summary + "\n"
        }
        text += "\nExit codes:\n"
        for code in ExitCode.allCases {
            text +=
                "  \(code.rawValue)" + String(repeating: " ", count: code.rawValue < 10 ? 9 : 8) + code.meaning + "\n"
        }
        text += "\nThe flags of a command: mock-apns COMMAND --help\n"
        return text
    }
}

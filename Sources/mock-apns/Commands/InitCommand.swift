import Admin
import Server

/// `init`: a configuration file to begin with.
enum InitCommand {
    struct Settings: Sendable {
        var isForced = false
    }

    static let command = Command(
        "init", "[--force]", "Writes a commented mock-apns.json into the current folder.",
        notes: """
            The file shows every member with its default, or as an example in a comment, and changes nothing until you change
            it. serve reads it from the folder in which it starts; `config check mock-apns.json` checks it.
            """,
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [.toggle("force", "write it in the place of one that exists") { $0.isForced = $1 }.withoutVariable])
        ]
    ) { result in
        let path = ConfigurationFile.standard
        if !result.settings.isForced, TextFile.exists(path) {
            throw CommandFailure(
                "\(path) exists and stays as it is; --force writes a new one in its place", .cannotCreate)
        }
        do {
            try TextFile.replace(path, with: ConfigurationTemplate.text)
        } catch {
            throw CommandFailure("\(error)", .cannotCreate)
        }
        StandardStream.output.write("\(path) is written; `mock-apns config check \(path)` checks what you make of it\n")
        return .success
    }
}

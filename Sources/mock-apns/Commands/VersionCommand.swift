import Server

/// `version`.
enum VersionCommand {
    struct Settings: Sendable {}

    static let command = Command(
        "version", "", "Prints the version.", settings: Settings(), flags: []
    ) { _ in
        StandardStream.output.write("mock-apns \(Version.current)\n")
        return .success
    }
}

import Server

/// `token`: device tokens for tests; works without a server.
enum TokenCommand {
    struct Settings: Sendable {
        var count = 1
    }

    /// How many bytes a device token has.
    static let tokenBytes = 32

    static let command = Command(
        "token", "[-c N]", "Prints random device tokens, one a line; needs no server.",
        settings: Settings(),
        flags: [
            FlagGroup(
                "What",
                [
                    .value("count", letter: "c", "N", default: "1", "how many") {
                        (settings, value) throws(UsageError) in
                        settings.count = try FlagValue.integer(value, in: 1...1_000_000)
                    }.withoutVariable
                ])
        ]
    ) { result in
        for _ in 0..<result.settings.count {
            StandardStream.output.write(token() + "\n")
        }
        return .success
    }

    private static func token() -> String {
        (0..<tokenBytes).map { _ in
            let byte = String(UInt8.random(in: .min ... .max), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }
}

import APNs
import HTTP
import Server
import Simulation

/// `token`: device tokens for tests; works without a server.
enum TokenCommand {
    struct Settings: Sendable {
        var count = 1
        var reason: Reason?
        var failFirst = 0
        var delay: Int64?
        /// Whether the tokens spell an outcome.
        var isMagic: Bool { reason != nil || delay != nil }
    }

    /// How many bytes a device token has.
    static let tokenBytes = 32

    static let command = Command(
        "token", "[--reason NAME [--fail-first N]] [--delay 1500ms] [-c N]",
        "Prints device tokens, one a line: random ones, or such that spell what becomes of pushes to them; needs no server.",
        notes: """
            A push to a token of `mock-apns token --reason Unregistered` is refused with that reason; with --fail-first 2 the
            third push is accepted. docs/scripting.md shows how tokens spell it.
            """,
        settings: Settings(), flags: [FlagGroup("What", flags)]
    ) { result in
        let settings = result.settings
        if settings.failFirst > 0, settings.reason == nil {
            throw UsageError("--fail-first needs a --reason that the first pushes are refused with")
        }
        var random = FastRandom()
        let magic = MagicToken(
            reason: settings.reason, failFirst: settings.failFirst, delay: settings.delay ?? 0)
        for _ in 0..<settings.count {
            StandardStream.output.write((settings.isMagic ? magic.text(using: &random) : token()) + "\n")
        }
        return .success
    }

    private static var flags: [Flag<Settings>] {
        [
            .value("count", letter: "c", "N", default: "1", "how many") { (settings, value) throws(UsageError) in
                settings.count = try FlagValue.integer(value, in: 1...1_000_000)
            }.withoutVariable,
            .value("reason", "NAME", "why pushes to them are refused, such as Unregistered") {
                (settings, value) throws(UsageError) in settings.reason = try reason(value)
            }.withoutVariable,
            .value(
                "fail-first", "N", default: "0, for all", "how many pushes are refused before the others are accepted"
            ) {
                (settings, value) throws(UsageError) in
                settings.failFirst = try FlagValue.integer(value, in: 0...MagicToken.failFirstLimit)
            }.withoutVariable,
            .value("delay", "DURATION", "how long answers wait, to 10 ms") { (settings, value) throws(UsageError) in
                let milliseconds = try FlagValue.milliseconds(value)
                guard milliseconds <= MagicToken.delayLimit else {
                    throw UsageError("\"\(value)\" is longer than a token can spell, \(MagicToken.delayLimit) ms")
                }
                settings.delay = milliseconds
            }.withoutVariable,
        ]
    }

    private static func reason(_ word: String) throws(UsageError) -> Reason {
        let words = MagicToken.table.map { $0.reason.spelling().description }
        if let reason = Reason(wire: word), MagicToken.table.contains(where: { $0.reason == reason }) { return reason }
        let nearest = NearestName.of(word, among: words).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("\"\(word)\" is no reason that a push to a device can have\(nearest)")
    }

    private static func token() -> String {
        (0..<tokenBytes).map { _ in
            let byte = String(UInt8.random(in: .min ... .max), radix: 16)
            return byte.count == 1 ? "0" + byte : byte
        }.joined()
    }
}

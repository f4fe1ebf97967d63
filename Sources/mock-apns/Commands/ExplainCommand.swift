import APNs
import JSON
import Server
import Simulation

/// `explain`: judges payload files without a server.
enum ExplainCommand {
    struct Settings: Sendable {
        var files: [String] = []
        var question = PayloadQuestion()
        var output = ClientSettings.Output.text
        var isQuiet = false
        var hasSizes = false
        var hasColors = true
    }

    static let command = Command(
        "explain", "[--payload] FILE... [--type T] [--profile P]",
        "Says whether payloads would be accepted, and why not; needs no server.",
        notes: """
            Takes any number of files, `-` or none for standard input. Prints a verdict for each, what departs from Apple's
            rules with its place (line:column, counted in bytes), and for a single file where its bytes go. The exit code is
            1 when one would be refused, 66 when one cannot be read. In a pre-commit hook: `mock-apns explain -q FILE...`.
            """,
        settings: Settings(), flags: [whatFlags, requestFlags, outputFlags], operands: 0...1_000_000
    ) { result in
        var settings = result.settings
        settings.files += result.operands + result.rest
        if settings.files.isEmpty { settings.files = ["-"] }
        if settings.files.filter({ $0 == "-" }).count > 1 {
            throw UsageError("standard input (-) can be read only once")
        }
        return explain(settings)
    }

    private static let whatFlags = FlagGroup<Settings>(
        "What",
        [
            .list("payload", "FILE", "a file with a payload; the word may be left out") { $0.files += $1 }
                .withoutVariable,
            .value("profile", "NAME", default: "strict", "strict, live or lenient: how strictly it is judged") {
                (settings, value) throws(UsageError) in
                settings.question.profile = try FlagValue.choice(value)
            }.withoutVariable,
            .value("payload-limit", "BYTES", default: "4096", "how many bytes most payloads may have") {
                (settings, value) throws(UsageError) in
                settings.question.ordinaryLimit = try FlagValue.integer(value, in: 1...1 << 20)
            }.withoutVariable,
        ])

    private static let requestFlags = FlagGroup<Settings>(
        "The request around it",
        [
            .value("type", "TYPE", default: "inferred", "apns-push-type") { (settings, value) throws(UsageError) in
                settings.question.pushType = try FlagValue.choice(value)
            }.withoutVariable,
            .value("topic", "TOPIC", "apns-topic; its suffix says the type, too") { $0.question.topic = $1 }
                .withoutVariable,
            .value("priority", "N", default: "the type's", "apns-priority") { (settings, value) throws(UsageError) in
                guard let priority = UInt8(value), [1, 5, 10].contains(priority) else {
                    throw UsageError("\"\(value)\" is no priority; there are 10, 5 and 1")
                }
                settings.question.priority = priority
            }.withoutVariable,
            .value("to", "TOKEN", "the device token, whose form is checked too") { $0.question.device = $1 }
                .withoutVariable,
            Flag<Settings>.toggle("broadcast", "the payload is to be broadcast to a channel") {
                $0.question.isBroadcast = $1
            }.withoutVariable,
        ])

    private static let outputFlags = FlagGroup<Settings>(
        "Output",
        [
            .value("output", letter: "o", "FORM", default: "text", "text, json or ndjson") {
                (settings, value) throws(UsageError) in settings.output = try FlagValue.choice(value)
            }.withoutVariable,
            Flag<Settings>.toggle("sizes", "where the bytes of each payload go, not only of a single one") {
                $0.hasSizes = $1
            }.withoutVariable,
            Flag<Settings>.toggle("quiet", letter: "q", "only what would be refused") { $0.isQuiet = $1 }
                .withoutVariable,
            Flag<Settings>.toggle("no-color", "no colours, as with NO_COLOR set") { $0.hasColors = !$1 }
                .withoutVariable,
        ])

    private static func explain(_ settings: Settings) -> ExitCode {
        var explainer = PayloadExplainer()
        var summary = PayloadReportSummary()
        var printer = ExplainPrinter(settings)
        var worst = ExitCode.success
        for file in settings.files {
            do throws(TextFile.Failure) {
                let report = explainer.explain(try TextFile.read(file), settings.question)
                summary.add(report)
                printer.print(report, file: file == "-" ? "(standard input)" : file)
            } catch {
                printer.print(unreadable: error.description, file: file)
                worst = .inputMissing
            }
        }
        printer.end(summary)
        return worst == .success && summary.hasRefused ? .expectationUnmet : worst
    }
}

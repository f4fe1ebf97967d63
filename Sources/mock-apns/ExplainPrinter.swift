import APNs
import JSON
import Server
import Simulation

/// Prints reports on payloads, many with one write.
struct ExplainPrinter {
    /// How much waits before it is written.
    private static let bufferedBytes = 64 << 10

    private let settings: ExplainCommand.Settings
    private let style: TextStyle
    private let withSizes: Bool
    private var text = ""
    private var count = 0

    init(_ settings: ExplainCommand.Settings) {
        self.settings = settings
        let isTerminal = StandardStream.output.isTerminal && settings.hasColors
        style = TextStyle(isTerminal: isTerminal, environment: ProcessEnvironment.all)
        withSizes = settings.hasSizes || settings.files.count == 1
        if settings.output == .json { text = "{\"files\":[" }
    }

    /// Prints one report.
    mutating func print(_ report: PayloadReport, file: String) {
        if settings.isQuiet, report.isAccepted { return }
        if settings.output == .text {
            text += report.text(file: file, withSizes: withSizes, style)
        } else {
            var writer = JSONWriter()
            report.write(file: file, to: &writer)
            add(writer)
        }
        if text.utf8.count > Self.bufferedBytes { flush() }
    }

    /// Says that a file cannot be read, on standard error, too.
    mutating func print(unreadable error: String, file: String) {
        if settings.output != .text {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("file")
            writer.string(file)
            writer.key("verdict")
            writer.string(constant: "unreadable")
            writer.key("explanation")
            writer.string(error)
            writer.endObject()
            add(writer)
        }
        flush()
        StandardStream.error.write("mock-apns: \(error)\n")
    }

    private mutating func add(_ writer: JSONWriter) {
        let object = String(decoding: writer.bytes, as: UTF8.self)
        text += settings.output == .ndjson ? object + "\n" : (count > 0 ? ",\n" : "\n") + object
        count += 1
    }

    /// Prints the end.
    mutating func end(_ summary: PayloadReportSummary) {
        switch settings.output {
        case .text: if settings.files.count > 1, !settings.isQuiet || summary.hasRefused { text += summary.text(style) }
        case .json:
            var writer = JSONWriter()
            summary.write(to: &writer)
            text += "\n],\"summary\":" + String(decoding: writer.bytes, as: UTF8.self) + "}\n"
        case .ndjson: break
        }
        flush()
    }

    /// Writes what waits.
    mutating func flush() {
        StandardStream.output.write(text)
        text = ""
    }
}

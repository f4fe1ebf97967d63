import APNs
import Simulation

/// The counters of all namespaces as Prometheus reads them.
struct MetricsPage {
    private let statistics: Journal.Statistics
    private let rules: [Script.Status]
    private let traffic: AdminTraffic
    private let pending: Int
    private let waiters: Int
    private let readers: Int
    private let dropped: UInt64
    private let version: String
    private var lines = ""

    init(_ call: AdminCall) {
        statistics = call.worlds.statistics
        rules = call.worlds.main.simulator.script.statuses(now: call.worlds.main.simulator.clock.now().server)
        traffic = call.environment.traffic()
        pending = call.worlds.all.reduce(0) { sum, namespace in
            sum
                + namespace.simulator.journal.snapshot().entries.count {
                    $0.afterMilliseconds == nil && $0.content.outcome != .broken
                }
        }
        waiters = call.waiters
        readers = call.readers
        dropped = call.environment.droppedMessages()
        version = call.environment.info().version
    }

    /// The page.
    var text: String {
        var page = self
        page.write()
        return page.lines
    }

    private mutating func write() {
        family("requests_total", .counter, "Requests that were answered, by how.")
        for (answer, count) in statistics.answers.sorted(by: { Self.order($0.key) < Self.order($1.key) }) {
            sample(
                "requests_total", count,
                [
                    ("outcome", answer.outcome.rawValue), ("status", answer.status == 0 ? "" : String(answer.status)),
                    ("reason", answer.reason?.spelling().description ?? ""),
                    ("push_type", answer.pushType?.rawValue ?? ""),
                ])
        }
        single("connections_open", .gauge, "Connections to the APNs listeners that are open.", UInt64(traffic.open))
        family("connections_total", .counter, "Connections since the start, by version of TLS.")
        for (tls, count) in traffic.connections { sample("connections_total", count, [("tls", tls)]) }
        family("handshake_failures_total", .counter, "Connections that broke before their first request, by cause.")
        for (cause, count) in statistics.breakages.sorted(by: { $0.key < $1.key }) {
            sample("handshake_failures_total", count, [("cause", cause)])
        }
        single("streams_open", .gauge, "Requests that have arrived and are not answered yet.", UInt64(pending))
        writeTimes()
        single("goaway_sent_total", .counter, "GOAWAY frames that were sent.", traffic.goAwaysSent)
        family("rule_hits_total", .counter, "How often each rule of the default namespace fired.")
        for status in rules { sample("rule_hits_total", UInt64(status.hits), [("rule", status.rule.id)]) }
        single("journal_entries", .gauge, "Entries that are held.", UInt64(statistics.entries))
        single("journal_bytes", .gauge, "What the entries cost of the journal's limit.", UInt64(statistics.bytes))
        single("journal_evicted_total", .counter, "Entries that were evicted.", statistics.evicted)
        single("waiters", .gauge, "Calls of the admin API that wait.", UInt64(waiters))
        single("event_clients", .gauge, "Guests that read the event stream.", UInt64(readers))
        family("findings_total", .counter, "Findings about requests, by code.")
        for (code, count) in statistics.findings.sorted(by: { $0.key < $1.key }) {
            sample("findings_total", count, [("code", code)])
        }
        single(
            "diagnostics_dropped_total", .counter, "Messages that were not printed, since nobody read standard error.",
            dropped)
        family("build_info", .gauge, "Always 1; the version is a label.")
        sample("build_info", 1, [("version", version)])
    }

    private mutating func writeTimes() {
        family("request_seconds", .histogram, "Time from the complete request to its answer.")
        var total: UInt64 = 0
        for (bound, count) in zip(AdminTraffic.Times.bounds, traffic.times.counts) {
            total += count
            sample("request_seconds_bucket", total, [("le", Self.seconds(UInt64(bound)))])
        }
        total += traffic.times.counts.last ?? 0
        sample("request_seconds_bucket", total, [("le", "+Inf")])
        lines += "mock_apns_request_seconds_sum \(Self.seconds(traffic.times.sumMilliseconds))\n"
        sample("request_seconds_count", total)
    }

    // MARK: Lines

    private enum Kind: String {
        case counter, gauge, histogram
    }

    private mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        lines += "# HELP mock_apns_\(name) \(help)\n# TYPE mock_apns_\(name) \(kind.rawValue)\n"
    }

    private mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: UInt64) {
        family(name, kind, help)
        sample(name, value)
    }

    private mutating func sample(_ name: String, _ value: UInt64, _ labels: [(String, String)] = []) {
        let shown = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        lines += "mock_apns_\(name)\(shown.isEmpty ? "" : "{\(shown)}") \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += #"\\"#
            case "\"": result += #"\""#
            case "\n": result += #"\n"#
            default: result.append(character)
            }
        }
    }

    private static func order(_ answer: Journal.Answer) -> String {
        "\(answer.outcome.rawValue) \(answer.status) \(answer.reason?.spelling().description ?? "") \(answer.pushType?.rawValue ?? "")"
    }

    /// Milliseconds as seconds without rounding.
    private static func seconds(_ milliseconds: UInt64) -> String {
        let fraction = String(String(1000 + milliseconds % 1000).dropFirst())
        let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return "\(milliseconds / 1000)" + (digits.isEmpty ? "" : "." + digits)
    }
}

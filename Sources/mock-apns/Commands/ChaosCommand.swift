import JSON
import Server
import Simulation

/// `chaos`: failures at random.
enum ChaosCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        var reasons: [String] = []
        var latency: String?
        var dropPercent: Double?
        var goAwayEvery: Int?
    }

    static let command = Command(
        "chaos", "[PERCENT% | off] [--reason NAME] [--latency 80ms] [--drop 0.5%] [--goaway-every N]",
        "Lets so many of a hundred pushes fail at random, the same ones for the same seed: `mock-apns chaos 5%`.",
        settings: Settings(), flags: [flags, Settings.clientFlags], operands: 0...1
    ) { result in
        let settings = result.settings
        let client = AdminClient(settings: settings.client)
        guard let word = result.operands.first else {
            let isOrder =
                !settings.reasons.isEmpty || settings.latency != nil || settings.dropPercent != nil
                || settings.goAwayEvery != nil
            if isOrder { return try client.change("/v1/chaos", method: "PUT", body: body(settings, percent: 0)) }
            return try client.show("/v1/chaos", Query())
        }
        if word == "off" { return try client.change("/v1/chaos", method: "DELETE") }
        return try client.change("/v1/chaos", method: "PUT", body: body(settings, percent: try percent(word)))
    }

    private static var flags: FlagGroup<Settings> {
        FlagGroup(
            "What fails",
            [
                .list("reason", "NAME", default: "InternalServerError, ServiceUnavailable", "by which reasons") {
                    $0.reasons = $1.flatMap { $0.split(separator: ",").map(String.init) }
                }.withoutVariable,
                .value("latency", "DURATION", "how long every answer waits") { $0.latency = $1 }.withoutVariable,
                .value("drop", "PERCENT%", "how many accepted pushes lose their answer and their connection") {
                    (settings, value) throws(UsageError) in settings.dropPercent = try percent(value)
                }.withoutVariable,
                .value("goaway-every", "N", "after how many requests a connection gets GOAWAY") {
                    (settings, value) throws(UsageError) in
                    settings.goAwayEvery = try FlagValue.integer(value, in: 1...Rule.countLimit)
                }.withoutVariable,
            ])
    }

    private static func percent(_ text: String) throws(UsageError) -> Double {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard let value = Double(digits), (0...100).contains(value) else {
            throw UsageError("\"\(text)\" is no percentage; write 5% or 0.5%, or off")
        }
        return value
    }

    private static func body(_ settings: Settings, percent: Double) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("rejectPercent")
        writer.double(percent)
        if !settings.reasons.isEmpty {
            writer.key("reasons")
            writer.beginArray()
            for reason in settings.reasons { writer.string(reason) }
            writer.endArray()
        }
        if let latency = settings.latency {
            writer.key("latency")
            writer.string(latency)
        }
        if let drop = settings.dropPercent {
            writer.key("dropPercent")
            writer.double(drop)
        }
        if let every = settings.goAwayEvery {
            writer.key("goawayEvery")
            writer.integer(every)
        }
        writer.endObject()
        return writer.bytes
    }
}

import APNs
import JSON
import Server
import Simulation

/// `fail-next`: lets the next requests fail.
enum FailNextCommand {
    struct Settings: AsksServer {
        var client = ClientSettings()
        /// The members of the body that have texts.
        var texts: [(name: String, value: String)] = []
        var status: Int?
        var skip: Int?
    }

    static let command = Command(
        "fail-next", "[N] --reason REASON | --fault FAULT [--device TOKEN] [--delay 200ms]",
        "Lets the next request fail, or the next N: `mock-apns fail-next 2 --reason TooManyRequests`.",
        notes: "The faults are: " + FaultKind.allCases.map(\.rawValue).joined(separator: ", ")
            + ".\ndocs/scripting.md says what each does.",
        settings: Settings(), flags: [outcomeFlags, matchFlags, Settings.clientFlags], operands: 0...1
    ) { result in
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("times")
        writer.integer(try result.operands.first.map { try FlagValue.integer($0, in: 1...Rule.countLimit) } ?? 1)
        for (name, value) in result.settings.texts {
            writer.key(dynamic: name)
            writer.string(value)
        }
        if let skip = result.settings.skip {
            writer.key("skip")
            writer.integer(skip)
        }
        if let status = result.settings.status {
            writer.key("status")
            writer.integer(status)
        }
        writer.endObject()
        return try AdminClient(settings: result.settings.client)
            .change("/v1/fail-next", method: "POST", body: writer.bytes)
    }

    private static var outcomeFlags: FlagGroup<Settings> {
        FlagGroup(
            "What happens",
            [
                text("reason", "reason", "NAME", "the refusal, such as TooManyRequests; of goaway its debug data"),
                text("fault", "fault", "NAME", "what breaks, such as hang or reset-stream"),
                text("code", "code", "NAME", "the code of reset-stream and goaway: REFUSED_STREAM"),
                text("last-stream", "lastStream", "WHICH", "of goaway: all, none or this-1"),
                text("linger", "linger", "DURATION", "of goaway: how long the connection stays behind it, or forever"),
                text("timestamp", "timestamp", "TIME", "of Unregistered: a time, or -1h"),
                text("delay", "delay", "DURATION", "how long the answers wait"),
                .value("status", "N", "the status, when it is not the reason's own") {
                    (settings, value) throws(UsageError) in
                    settings.status = try FlagValue.integer(value, in: 200...599)
                }.withoutVariable,
            ])
    }

    private static var matchFlags: FlagGroup<Settings> {
        FlagGroup(
            "Which requests (all must hold; * stands for any characters)",
            [
                text("device", "device", "TOKEN", "the device token"),
                text("topic", "topic", "TOPIC", "apns-topic"),
                text("type", "type", "TYPE", "apns-push-type"),
                text("kind", "kind", "KIND", "device, broadcast or channels"),
                text("env", "env", "NAME", "sandbox or production"),
                .value("skip", "N", "so many pass first") {
                    (settings, value) throws(UsageError) in
                    settings.skip = try FlagValue.integer(value, in: 0...Rule.countLimit)
                }.withoutVariable,
                text("per", "per", "WHAT", "count for each device, topic, connection, apnsId or key by itself"),
                text("ttl", "ttl", "DURATION", "forget the rule after so long"),
            ])
    }

    private static func text(_ name: String, _ member: String, _ valueName: String, _ help: String) -> Flag<Settings> {
        .value(name, valueName, help) { $0.texts.append((member, $1)) }.withoutVariable
    }
}

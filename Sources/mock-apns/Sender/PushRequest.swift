import JSON
import Server

/// One push as it goes over the wire.
struct PushRequest: Sendable {
    private(set) var fields: [(String, String)]
    let body: [UInt8]

    /// The push that the settings describe, without a provider token.
    init(_ settings: SendSettings, authority: String) throws {
        guard let device = settings.device else {
            throw UsageError("no device token; add --to TOKEN, for example --to $(mock-apns token)")
        }
        var fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", authority), (":path", "/3/device/\(device)"),
            ("apns-topic", settings.topic), ("apns-push-type", settings.pushType),
        ]
        let others: [(String, String?)] = [
            ("apns-priority", settings.priority), ("apns-expiration", settings.expiration),
            ("apns-collapse-id", settings.collapseID), ("apns-id", settings.apnsID),
        ]
        for (name, value) in others {
            if let value { fields.append((name, value)) }
        }
        fields.append(("user-agent", "mock-apns/\(Version.current)"))
        self.fields = fields
        body = try settings.payloadFile.map { try TextFile.read($0) } ?? Self.payload(settings)
    }

    /// Adds the provider token.
    mutating func sign(with token: String) {
        fields.append(("authorization", "bearer \(token)"))
    }

    /// The payload that the flags describe.
    static func payload(_ settings: SendSettings) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("aps")
        writer.beginObject()
        if settings.pushType == "background" {
            writer.key("content-available")
            writer.integer(1)
        } else {
            writeAlert(settings, to: &writer)
        }
        writer.endObject()
        for (name, value) in settings.data {
            writer.key(dynamic: name)
            let bytes = Array(value.utf8)
            var document = JSONDocument()
            if document.parse(bytes, in: 0..<bytes.count) == nil {
                unsafe bytes.withUnsafeBytes { unsafe writer.raw($0) }
            } else {
                writer.string(value)
            }
        }
        writer.endObject()
        return writer.bytes
    }

    private static func writeAlert(_ settings: SendSettings, to writer: inout JSONWriter) {
        writer.key("alert")
        writer.beginObject()
        let isEmpty = settings.title == nil && settings.subtitle == nil && settings.body == nil
        let texts = [
            ("title", settings.title), ("subtitle", settings.subtitle),
            ("body", isEmpty ? "Hello from mock-apns" : settings.body),
        ]
        write(texts, to: &writer)
        writer.endObject()
        if let badge = settings.badge {
            writer.key("badge")
            writer.integer(badge)
        }
        write(
            [("sound", settings.sound), ("thread-id", settings.thread), ("category", settings.category)], to: &writer)
    }

    private static func write(_ texts: [(String, String?)], to writer: inout JSONWriter) {
        for (name, text) in texts {
            guard let text else { continue }
            writer.key(dynamic: name)
            writer.string(text)
        }
    }
}

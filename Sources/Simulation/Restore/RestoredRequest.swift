import APNs
import HTTP
import JSON

/// The request of an entry that is read: its header fields, as far as they are known, and its body.
struct RestoredRequest {
    /// The largest body that is made: what no entry shows is not made up.
    static let bodyLimit = EntryRenderer.embeddedPayloadLimit

    /// What the renderer shows of a secret.
    private static let omission = "..."

    private let object: EntryObject

    init(_ object: EntryObject) {
        self.object = object
    }

    /// Whether the fields are those that arrived.
    var hasHeaders: Bool {
        guard object.member("headers") != nil else { return object.object("broken") != nil }
        return object.object("restored").flatMap { try? $0.optionalBoolean("headers") } ?? true
    }

    func request() throws(EntryReader.Fault) -> HTTPRequest {
        var builder = HTTPRequestBuilder()
        guard object.object("broken") == nil else { return builder.request() }
        if let headers = object.member("headers") {
            for pair in object.document.children(of: headers) {
                let parts = object.document.children(of: pair).map { object.document.string($0) }
                guard parts.count == 2, let name = parts[0], let value = parts[1] else {
                    throw EntryReader.Fault("headers", "expected pairs of a name and a value")
                }
                // The dots stand for what was left out, and are put there again by who shows it.
                let isSecret = name.lowercased() == "authorization" && value.hasSuffix(Self.omission)
                builder.append(name, isSecret ? String(value.dropLast(Self.omission.count)) : value)
            }
        } else {
            for (name, value) in try knownFields() { builder.append(name, value) }
        }
        let (body, dropped) = try body()
        unsafe body.withUnsafeBytes { unsafe builder.appendBody($0, limit: body.count) }
        let request = builder.request()
        return HTTPRequest(
            storage: request.storage, fields: request.fields, bodyStart: request.bodyStart, droppedBodyBytes: dropped)
    }

    /// The fields that other members tell: a log leaves the fields themselves out of accepted pushes.
    private func knownFields() throws(EntryReader.Fault) -> [(String, String)] {
        let topic = try object.optionalText("topic")
        let channel = try object.optionalText("channel")
        var fields: [(String, String)] = []
        switch try object.optionalWord("kind") ?? RequestKind.device {
        case .device:
            let device = try object.optionalText("device") ?? ""
            fields = [(":method", "POST"), (":path", "/3/device/\(device)")]
            if let topic { fields.append(("apns-topic", topic)) }
        case .broadcast:
            fields = [(":method", "POST"), (":path", "/4/broadcasts/apps/\(topic ?? "")")]
            if let channel { fields.append(("apns-channel-id", channel)) }
        case .channels:
            let operation: ChannelOperation? = try object.optionalWord("operation")
            let methods: [ChannelOperation: String] = [.create: "POST", .delete: "DELETE"]
            let name = operation == .list ? "all-channels" : "channels"
            let method = operation.flatMap { methods[$0] } ?? "GET"
            fields = [(":method", method), (":path", "/1/apps/\(topic ?? "")/\(name)")]
            if let channel, operation != .create { fields.append(("apns-channel-id", channel)) }
        }
        if let type = try object.optionalText("pushType"), try object.optionalBoolean("pushTypeInferred") != true {
            fields.append(("apns-push-type", type))
        }
        if let priority = try object.optionalNumber("priority", in: 0...255), priority != 10 {
            fields.append(("apns-priority", String(priority)))
        }
        if let id = try object.optionalText("collapseId") { fields.append(("apns-collapse-id", id)) }
        if let time = try object.object("expiration")?.optionalText("header") {
            fields.append(("apns-expiration", time))
        }
        if let agent = try object.object("connection")?.optionalText("userAgent") {
            fields.append(("user-agent", agent))
        }
        return fields
    }

    /// The body, and how many bytes of it are not known.
    private func body() throws(EntryReader.Fault) -> ([UInt8], Int) {
        let size = Int(try object.number("payloadBytes", in: 0...Int64(Int32.max)))
        var body: [UInt8]
        if let payload = object.member("payload") {
            body = Array(object.document.written(payload).utf8)
            // The line breaks that a line cannot hold; they are white space, and only their number matters.
            if body.count < size, size <= Self.bodyLimit {
                body += [UInt8](repeating: UInt8(ascii: "\n"), count: size - body.count)
            }
        } else if let text = try object.optionalText("payloadText") {
            body = Array(text.utf8)
        } else if let text = try object.optionalText("payloadBase64") {
            guard let bytes = Self.bytes(base64: text) else {
                throw EntryReader.Fault("payloadBase64", "expected base64 (RFC 4648)")
            }
            body = bytes
        } else if size == 4, object.document.member("payload", of: object.element) != nil {
            // JSON's null, which says the same as no payload; of four bytes only this one has neither text nor base64.
            body = Array("null".utf8)
        } else {
            body = []
        }
        return (body, max(0, size - body.count))
    }

    /// Where a text stands in the request's path; nil when it does not.
    static func place(of text: String, in request: HTTPRequest) -> Range<Int>? {
        guard let path = request.valueRange(.path) else { return nil }
        if text.isEmpty { return path.upperBound..<path.upperBound }
        return request.storage[path].firstRange(of: Array(text.utf8))
    }

    private static func bytes(base64 text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes: [UInt8] = []
        var word: UInt32 = 0
        var bits: UInt32 = 0
        for letter in text.utf8 where letter != UInt8(ascii: "=") {
            guard let digit = alphabet.firstIndex(of: letter) else { return nil }
            word = (word << 6 | UInt32(digit)) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            }
        }
        return bytes
    }
}

import APNs
import HTTP
import JSON
import Simulation

/// The request that `POST /v1/explain` is about.
struct ExplainOrder {
    let request: HTTPRequest
    let environment: Environment?
    let certificate: String?
    let assumesSender: Bool

    static let device = Parameter(
        "device", .text, "The device token; short for the path `/3/device/<token>`.", example: "6f1e…")
    static let path = Parameter(
        "path", .text, "The path, for broadcasts and channels too.", example: "/3/device/6f1e…",
        standard: "/3/device/ and the device token")
    static let method = Parameter("method", .text, "The method.", example: "POST", standard: "POST")
    static let headers = Parameter(
        "headers", .value("an object of names and texts; a list of texts is a field that is repeated"),
        "The header fields.", example: #"{"apns-topic": "com.acme.app"}"#)
    static let payload = Parameter(
        "payload", .value("any JSON"), "The payload; its bytes are those that stand here.",
        example: #"{"aps": {"alert": "Hi"}}"#, standard: "no payload")
    static let payloadText = Parameter(
        "payloadText", .form("text"), "The payload as a text, for one that is no JSON.", example: "{\"aps\":")
    static let environment = Parameter(
        "environment", .word(Environment.allCases.map(\.rawValue)), "The environment of the listener.",
        example: "production", standard: "sandbox; the host name in `:authority` or `host` goes before")
    static let certificate = Parameter(
        "certificate", .text,
        "The serial number of the client certificate that the sender shows, as `GET /v1/certs` has it.",
        example: "4D0C", standard: "none")
    static let assumeSender = Parameter(
        "assumeSender", .boolean, "Whether the sender counts as one that has proved who it is.", example: "true",
        standard: "false")

    /// The members that say what the request is.
    static let requestMembers = [device, path, method, headers, payload, payloadText, environment]

    /// All members of the body.
    static let members = requestMembers + [certificate, assumeSender]

    /// Reads an order.
    init(_ bytes: [UInt8]) throws(Problem) {
        try self.init(try BodyFields(bytes, Self.members), bytes)
    }

    /// Reads an order of the members of a body that may know others.
    init(_ body: BodyFields, _ bytes: [UInt8]) throws(Problem) {
        environment = try body.word(Self.environment).flatMap { Environment(rawValue: $0) }
        certificate = try body.text(Self.certificate)?.uppercased()
        assumesSender = try body.boolean(Self.assumeSender) ?? false
        if body.has(Self.device), body.has(Self.path) {
            throw Problem(.badBody, "The body has both \"device\" and \"path\"; expected one of them.")
        }
        let device = try body.text(Self.device)
        guard let path = try body.text(Self.path) ?? device.map({ "/3/device/" + $0 }) else {
            throw Problem(
                .badBody, "The body says neither \"device\" nor \"path\"; expected one of them.",
                hint: #"{"device": "<token>", "headers": {"apns-topic": "com.acme.app"}, "payload": {"aps": {}}}"#)
        }
        var fields = [(":method", try body.text(Self.method) ?? "POST"), (":scheme", "https"), (":path", path)]
        fields += try Self.fields(body)
        request = Self.request(fields, body: try Self.payload(body, bytes))
    }

    private static func fields(_ body: BodyFields) throws(Problem) -> [(String, String)] {
        guard body.has(headers), let object = body.members[headers.name] else { return [] }
        let document = body.document
        guard document.kind(object) == .object else {
            throw Problem(
                .badBody, "The member \"headers\" is a JSON \(document.kind(object)); expected \(headers.expected).")
        }
        var fields: [(String, String)] = []
        for member in document.children(of: object) {
            let name = (document.key(of: member) ?? "").lowercased()
            // The other pseudo-header fields have members of their own.
            guard !name.isEmpty, !name.hasPrefix(":") || name == ":authority" else {
                throw Problem(
                    .badBody, "\(quoted(name)) is no header field that can be given here.",
                    hint: "The method and the path have members of their own: \"method\", \"path\".")
            }
            let values = document.kind(member) == .array ? document.children(of: member) : [member]
            for value in values {
                // A number is what people write for a priority.
                guard let text = document.string(value) ?? document.integer(value).map({ String($0) }) else {
                    throw Problem(
                        .badBody,
                        "The header \(quoted(name)) holds \(document.written(value, limit: 80)); expected a text.")
                }
                fields.append((name, text))
            }
        }
        return fields
    }

    private static func payload(_ body: BodyFields, _ bytes: [UInt8]) throws(Problem) -> ArraySlice<UInt8> {
        if body.has(payloadText) {
            if body.members[payload.name] != nil {
                throw Problem(.badBody, "The body has both \"payload\" and \"payloadText\"; expected one of them.")
            }
            return Array((try body.text(payloadText) ?? "").utf8)[...]
        }
        guard let member = body.members[payload.name] else { return [] }
        return bytes[body.document.range(member)]
    }

    private static func request(_ fields: [(String, String)], body: ArraySlice<UInt8>) -> HTTPRequest {
        var builder = HTTPRequestBuilder()
        for (name, value) in fields {
            var (name, value) = (name, value)
            name.withUTF8 { name in
                value.withUTF8 { value in
                    unsafe builder.append(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value))
                }
            }
        }
        var request = builder.request()
        unsafe body.withUnsafeBytes { unsafe request.appendBody($0) }
        return request
    }
}

/// An answer of the admin API as a value.
package struct AdminResponse: Sendable {
    /// The media types that answers have.
    package enum MediaType: String, Sendable {
        case json = "application/json"
        case problem = "application/problem+json"
        case text = "text/plain; charset=utf-8"
        case html = "text/html; charset=utf-8"
        case style = "text/css; charset=utf-8"
        case script = "text/javascript; charset=utf-8"
        case picture = "image/svg+xml"
        case pem = "application/x-pem-file"
        case pkcs12 = "application/x-pkcs12"
        case bytes = "application/octet-stream"
        case events = "text/event-stream"
        case lines = "application/x-ndjson"
        case markdown = "text/markdown; charset=utf-8"
        case xml = "application/xml"
        case metrics = "text/plain; version=0.0.4; charset=utf-8"

        /// Without parameters.
        package var short: Substring { rawValue.prefix { $0 != ";" } }
    }

    /// The field that every answer has: where to go on asking.
    static let cursorField = "mock-apns-cursor"

    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    /// An answer with a body of this type.
    package init(status: Int = 200, _ type: MediaType, _ body: [UInt8]) {
        self.status = status
        headers = [("content-type", type.rawValue)]
        self.body = body
    }

    /// An answer in words.
    package init(status: Int = 200, text: String) {
        self.init(status: status, .text, Array(text.utf8))
    }

    /// An answer without a body.
    package init(status: Int, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = headers
        body = []
    }

    /// The first value of a field; the name in lower case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

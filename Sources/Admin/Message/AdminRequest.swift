/// A guest's request as a value: what the admin API looks at, and nothing of the socket it came from.
package struct AdminRequest: Sendable {
    /// "GET", in upper case.
    package var method: String
    /// The target without its query, still percent-encoded.
    package var path: String
    /// The part behind `?`, still percent-encoded.
    package var query: String
    /// The header fields; names in lower case.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]

    /// A request as it arrived.
    package init(
        method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The first value of a field; the name in lower case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

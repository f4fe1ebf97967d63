import Server

/// Where the admin API of a running server is.
struct AdminURL: Sendable, CustomStringConvertible {
    let host: String
    let port: UInt16

    /// The address of a server that was started without flags.
    static let standard = AdminURL(host: "127.0.0.1", port: 2198)

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads "http://127.0.0.1:2198"; the scheme may be missing, a path is not allowed.
    init(_ text: String) throws(UsageError) {
        let expected = UsageError("\"\(text)\" is no admin URL; write http://HOST:PORT, as in \(AdminURL.standard)")
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") {
            guard rest[..<scheme.lowerBound] == "http" else { throw expected }
            rest = rest[scheme.upperBound...]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else {
            throw expected
        }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains("/") else { throw expected }
        self.init(host: String(host), port: port)
    }

    var description: String {
        host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
}

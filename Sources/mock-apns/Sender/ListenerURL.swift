import EventLoop
import Server

/// Where `send` sends to: "https://127.0.0.1:2197".
struct ListenerURL {
    let address: SocketAddress
    /// The host as it is written.
    let host: String
    /// Host and port, for `:authority`.
    let authority: String

    init(_ text: String) throws(UsageError) {
        let expected = UsageError(
            "\"\(text)\" is no listener; write https://HOST:PORT with a numeric host or localhost")
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") {
            guard rest[..<scheme.lowerBound] == "https" else { throw expected }
            rest = rest[scheme.upperBound...]
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let address = SocketAddress(String(rest)), let colon = rest.lastIndex(of: ":") else { throw expected }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.address = address
        self.host = String(host)
        authority = String(rest)
    }
}

/// Where to listen or connect: an IP address and port, or a Unix socket's path.
package enum SocketAddress: Sendable, Equatable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address.
    case ip(host: String, port: UInt16)
    case unix(path: String)

    /// Reads "127.0.0.1:2197", "[::1]:2197", "localhost:2197", ":2197" (loopback) or "unix:/path"; nil when it is none of these.
    package init?(_ text: String) { fatalError("contract") }

    /// As `init(_:)` reads it.
    package var description: String { fatalError("contract") }
}

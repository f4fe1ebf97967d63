#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where to listen or connect: an IP address and port, or a Unix socket's path.
package enum SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address.
    case ip(host: String, port: UInt16)
    /// A Unix socket.
    case unix(path: String)

    /// The address that "localhost" and an absent host stand for.
    package static let loopback = "127.0.0.1"

    /// Reads "127.0.0.1:2197", "[::1]:2197", "localhost:2197", ":2197" (loopback) or "unix:/path"; nil when it is none.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Self.port(text[text.utf8.index(after: colon)...]),
            let host = Self.numericHost(text[..<colon])
        else { return nil }
        self = .ip(host: host, port: port)
    }

    /// As `init(_:)` reads it.
    package var description: String {
        switch self {
        case .ip(let host, let port):
            return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path):
            return "unix:\(path)"
        }
    }

    /// The numeric address without brackets; nil for a Unix socket.
    package var host: String? {
        if case .ip(let host, _) = self { host } else { nil }
    }

    /// The port; nil for a Unix socket.
    package var port: UInt16? {
        if case .ip(_, let port) = self { port } else { nil }
    }

    /// One to five digits up to 65535; no sign, no space.
    private static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt16(text)
    }

    /// The host part in the form that ``description`` prints, so that equal addresses are equal values.
    private static func numericHost(_ text: Substring) -> String? {
        if text.isEmpty || text.lowercased() == "localhost" { return loopback }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return canonical(String(text.dropFirst().dropLast()), family: AF_INET6)
        }
        return canonical(String(text), family: AF_INET)
    }

    /// The address as the system writes it; nil when it is not numeric.
    static func canonical(_ text: String, family: Int32) -> String? {
        guard !text.utf8.contains(0) else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: in6_addr.self, capacity: 1) { address -> String? in
            guard let address = address.baseAddress, unsafe inet_pton(family, text, address) == 1 else {
                return nil
            }
            return unsafe presentation(address, family: family)
        }
    }

    /// `inet_ntop` as a Swift string.
    static func presentation(_ address: UnsafeRawPointer, family: Int32) -> String? {
        let size = Int(INET6_ADDRSTRLEN)
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer -> String? in
            guard let start = buffer.baseAddress,
                let text = unsafe inet_ntop(family, address, start, socklen_t(size))
            else { return nil }
            return unsafe String(cString: text)
        }
    }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks the system why a connection cannot be made.
enum ConnectProbe {
    /// How long the system may think.
    static let milliseconds: Int32 = 1000

    /// The error number of one more attempt; "refused" when that one succeeds, as the first did not a moment ago.
    static func reasonOfFailure(host: String, port: UInt16) -> Int32 {
        guard let address = SystemAddress(.ip(host: host, port: port)) else { return EADDRNOTAVAIL }
        let descriptor = streamSocket(address.family)
        guard descriptor >= 0 else { return errno }
        defer { _ = close(descriptor) }
        if unsafe address.withSystemPointer({ unsafe connect(descriptor, $0, $1) }) == 0 { return ECONNREFUSED }
        guard errno == EINPROGRESS else { return errno }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&waiting, 1, milliseconds) == 1 else { return ETIMEDOUT }
        var reason: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 else { return errno }
        return reason == 0 ? ECONNREFUSED : reason
    }
}

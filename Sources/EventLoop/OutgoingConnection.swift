import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Connections that this program opens itself.
package enum OutgoingConnection {
    /// Connects and returns a non-blocking descriptor, which the caller owns. Blocks until the peer's system has answered.
    package static func open(to address: SocketAddress) throws(EventLoopError) -> Int32 {
        let action = "connect to \(address)"
        guard let systemAddress = SystemAddress(address) else {
            throw EventLoopError(action: action, errorNumber: EINVAL)
        }
        #if canImport(Glibc)
        let descriptor = socket(systemAddress.family, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(systemAddress.family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw .last(action) }
        _ = evutil_make_socket_closeonexec(descriptor)
        guard unsafe systemAddress.withSystemPointer({ unsafe connect(descriptor, $0, $1) }) == 0 else {
            let failure = EventLoopError.last(action)
            _ = close(descriptor)
            throw failure
        }
        if systemAddress.family != AF_UNIX {
            var on: Int32 = 1
            _ = unsafe setsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        _ = evutil_make_socket_nonblocking(descriptor)
        return descriptor
    }
}

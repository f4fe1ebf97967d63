import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A bound, listening, non-blocking socket, and the file of a Unix socket: both end with it.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    /// The address in use; the port is the real one.
    let address: SocketAddress
    private let file: FileIdentity?

    init(_ wanted: SocketAddress, backlog: Int32) throws(EventLoopError) {
        let action = "bind \(wanted)"
        guard let systemAddress = SystemAddress(wanted) else {
            // The only other reason is a path that does not fit.
            if case .unix = wanted { throw EventLoopError(action: action, errorNumber: ENAMETOOLONG) }
            throw EventLoopError(action: action, errorNumber: EINVAL)
        }
        let descriptor = streamSocket(systemAddress.family)
        guard descriptor >= 0 else { throw .last(action) }
        do throws(EventLoopError) {
            try Self.bind(descriptor, to: systemAddress, wanted, action)
            guard listen(descriptor, backlog) == 0 else { throw EventLoopError.last("listen on \(wanted)") }
            address = try Self.addressInUse(descriptor, wanted)
        } catch {
            _ = close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        if case .unix(let path) = wanted { file = FileIdentity(path: path) } else { file = nil }
    }

    deinit {
        _ = close(descriptor)
        file?.remove()
    }

    private static func bind(
        _ descriptor: Int32, to systemAddress: SystemAddress, _ wanted: SocketAddress, _ action: String
    ) throws(EventLoopError) {
        if systemAddress.family != AF_UNIX {
            // Without the first a restart waits for connections long gone; the accepted sockets inherit the second.
            setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
            setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        }
        if systemBind(descriptor, systemAddress) { return }
        let failure = EventLoopError.last(action)
        guard case .unix(let path) = wanted, failure.errorNumber == EADDRINUSE, isDead(systemAddress, path: path),
            unsafe unlink(path) == 0
        else { throw failure }
        guard systemBind(descriptor, systemAddress) else { throw .last(action) }
    }

    /// Whether the file is a socket on which nobody listens any more, as a killed process leaves it.
    private static func isDead(_ address: SystemAddress, path: String) -> Bool {
        guard FileIdentity(path: path) != nil else { return false }
        let probe = streamSocket(AF_UNIX)
        guard probe >= 0 else { return false }
        defer { _ = close(probe) }
        return unsafe address.withSystemPointer { unsafe connect(probe, $0, $1) != 0 && errno == ECONNREFUSED }
    }

    private static func addressInUse(_ descriptor: Int32, _ wanted: SocketAddress) throws(EventLoopError)
        -> SocketAddress
    {
        guard case .ip = wanted else { return wanted }
        var inUse = SystemAddress()
        guard unsafe inUse.fill({ unsafe getsockname(descriptor, $0, $1) }) == 0, let address = inUse.address else {
            throw .last("read the address of \(wanted)")
        }
        return address
    }
}

private func systemBind(_ descriptor: Int32, _ address: SystemAddress) -> Bool {
    unsafe address.withSystemPointer { unsafe bind(descriptor, $0, $1) == 0 }
}

/// A new stream socket, non-blocking and closed on exec; negative when the system refuses.
func streamSocket(_ family: Int32) -> Int32 {
    #if canImport(Darwin)
    let descriptor = socket(family, SOCK_STREAM, 0)
    #elseif canImport(Glibc)
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return descriptor }
    _ = evutil_make_socket_nonblocking(descriptor)
    _ = evutil_make_socket_closeonexec(descriptor)
    return descriptor
}

/// Switches a socket's option on.
func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32) {
    var on: Int32 = 1
    _ = unsafe setsockopt(descriptor, level, name, &on, socklen_t(MemoryLayout<Int32>.size))
}

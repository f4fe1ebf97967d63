import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A bound and listening socket whose connections are accepted on its loop.
package final class Listener {
    /// Gets a new non-blocking descriptor, which it owns, and the peer's address as text.
    package typealias Accepted = (_ descriptor: Int32, _ peer: String) -> Void

    /// How many connections the system keeps until they are accepted.
    package static let backlog: Int32 = 512
    /// How many connections are accepted before others have their turn.
    package static let connectionsPerTurn = 64
    /// How long the listener pauses when the process has no descriptors left.
    package static let pauseMilliseconds: Int64 = 100

    /// The address in use; the port is the real one.
    package let address: SocketAddress
    /// Called when no connection can be accepted for a while, as the process has too many open files: at first, and again
    /// after it has recovered.
    package var onPause: ((EventLoopError) -> Void)?

    private let loop: EventLoop
    private var accepted: Accepted?
    private var socket: ListeningSocketReference?
    private var watch: SocketWatch?
    private var pause: LoopTimer?
    private var isTroubled = false
    /// How often accepting had to pause.
    private(set) var pauses = 0

    /// Binds, listens and calls `accepted` with each new non-blocking descriptor, which the callee owns, and the peer's
    /// address as text ("127.0.0.1:53122").
    package init(
        _ address: SocketAddress, on loop: EventLoop, backlog: Int32 = Listener.backlog, accepted: @escaping Accepted
    ) throws(EventLoopError) {
        loop.assertOnLoop()
        let socket = ListeningSocketReference(try ListeningSocket(address, backlog: backlog))
        self.loop = loop
        self.accepted = accepted
        self.address = socket.listening.address
        self.socket = socket
        watch = try loop.watch(socket.listening.descriptor, self)
    }

    /// Stops listening, closes the socket and lets go of the callbacks; may be called again.
    package func close() {
        loop.assertOnLoop()
        accepted = nil
        onPause = nil
        pause = nil
        watch?.cancel()
        watch = nil
        socket = nil
    }

    deinit {
        watch?.cancel()
    }

    private func acceptWaiting() {
        for _ in 0..<Self.connectionsPerTurn {
            // The callee may close this listener.
            guard let socket else { return }
            var peer = SystemAddress()
            let descriptor = acceptConnection(socket.listening.descriptor, &peer)
            guard descriptor >= 0 else {
                if !canGoOn(-descriptor) { return }
                continue
            }
            isTroubled = false
            accepted?(descriptor, peer.peerText)
        }
    }

    /// Whether to try for the next connection after this error.
    private func canGoOn(_ errorNumber: Int32) -> Bool {
        switch errorNumber {
        case EAGAIN, EWOULDBLOCK:
            return false
        case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENOPROTOOPT, EOPNOTSUPP:
            // That connection has failed; Linux passes on what the network says.
            return true
        default:
            // EMFILE and the like: the connection stays in the queue, so that the socket is readable at once, and without
            // a pause we would spin.
            pauseAccepting(EventLoopError(action: "accept on \(address)", errorNumber: errorNumber))
            return false
        }
    }

    private func pauseAccepting(_ error: EventLoopError) {
        pauses += 1
        watch?.wantsRead = false
        pause = try? loop.after(milliseconds: Self.pauseMilliseconds) { [weak self] in
            self?.pause = nil
            self?.watch?.wantsRead = true
        }
        if pause == nil { watch?.wantsRead = true }
        if !isTroubled {
            isTroubled = true
            onPause?(error)
        }
    }
}

extension Listener: ReadinessHandler {
    package func readable() { acceptWaiting() }
    package func writable() {}
}

@available(*, unavailable)
extension Listener: Sendable {}

/// Accepts one connection, non-blocking and closed on exec; the error number below zero when there is none.
private func acceptConnection(_ listening: Int32, _ peer: inout SystemAddress) -> Int32 {
    #if canImport(Darwin)
    let descriptor = unsafe peer.fill { address, length -> Int32 in
        let descriptor = unsafe accept(listening, address, length)
        return descriptor >= 0 ? descriptor : -errno
    }
    if descriptor >= 0 {
        _ = evutil_make_socket_nonblocking(descriptor)
        _ = evutil_make_socket_closeonexec(descriptor)
    }
    return descriptor
    #else
    #if canImport(Glibc)
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    #else
    let flags = SOCK_NONBLOCK | SOCK_CLOEXEC
    #endif
    return unsafe peer.fill { address, length in
        let descriptor = unsafe accept4(listening, address, length, flags)
        return descriptor >= 0 ? descriptor : -errno
    }
    #endif
}

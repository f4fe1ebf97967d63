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
    private let accepted: Accepted
    private var socket: ListeningSocketReference?
    private var watch: SocketWatch?
    private var pause: LoopTimer?
    private var isTroubled = false

    /// Binds, listens and calls `accepted` with each new non-blocking descriptor, which the callee owns, and the peer's
    /// address as text ("127.0.0.1:53122").
    package init(
        _ address: SocketAddress, on loop: EventLoop, backlog: Int32 = 512, accepted: @escaping Accepted
    ) throws(EventLoopError) {
        loop.assertOnLoop()
        let socket = ListeningSocketReference(try ListeningSocket(address, backlog: backlog))
        self.loop = loop
        self.accepted = accepted
        self.address = socket.listening.address
        self.socket = socket
        watch = try loop.watch(socket.listening.descriptor, self)
    }

    /// Stops listening and closes the socket; may be called again.
    package func close() {
        loop.assertOnLoop()
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
                if !canGoOn(errno) { return }
                continue
            }
            isTroubled = false
            accepted(descriptor, peer.peerText)
        }
    }

    /// Whether to try for the next connection after this error.
    private func canGoOn(_ errorNumber: Int32) -> Bool {
        switch errorNumber {
        case EAGAIN, EWOULDBLOCK:
            return false
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            // The connection stays in the queue, so that the socket is readable at once: without a pause we would spin.
            pauseAccepting(EventLoopError(action: "accept on \(address)", errorNumber: errorNumber))
            return false
        default:
            // ECONNABORTED, EINTR, and what Linux passes on from the network: that connection has failed.
            return true
        }
    }

    private func pauseAccepting(_ error: EventLoopError) {
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

/// Accepts one connection, non-blocking and closed on exec; negative when there is none.
private func acceptConnection(_ listening: Int32, _ peer: inout SystemAddress) -> Int32 {
    #if canImport(Darwin)
    let descriptor = peer.fill { unsafe accept(listening, $0, $1) }
    if descriptor >= 0 {
        _ = evutil_make_socket_nonblocking(descriptor)
        _ = evutil_make_socket_closeonexec(descriptor)
    }
    return descriptor
    #elseif canImport(Glibc)
    return unsafe peer.fill { unsafe accept4(listening, $0, $1, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)) }
    #else
    return unsafe peer.fill { unsafe accept4(listening, $0, $1, SOCK_NONBLOCK | SOCK_CLOEXEC) }
    #endif
}

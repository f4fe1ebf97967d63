package import EventLoop
import Foundation

/// Bytes over a socket without TLS; waits for each byte.
package final class RawConnection {
    /// How many seconds the server may be silent before a test fails; nothing waits so long when all is well.
    static let patience = 30

    let descriptor: Int32

    /// Connects.
    package init(_ address: SocketAddress) throws {
        descriptor = try OutgoingConnection.open(to: address)
        var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        isBlocking = true
        setBlocking()
    }

    deinit {
        close(descriptor)
    }

    /// Whether reads and writes wait.
    var isBlocking: Bool {
        didSet { setBlocking() }
    }

    /// Whether bytes can be sent, now or so much later.
    func hasRoom(withinMilliseconds patience: Int32) -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&question, 1, patience) > 0
    }

    /// Whether bytes, or the end, can be read, now or so much later.
    func hasBytes(withinMilliseconds patience: Int32) -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, patience) > 0
    }

    /// Waits until bytes can be read, or written.
    func canGoOn(writing: Bool) -> Bool {
        let events = writing ? POLLIN | POLLOUT : POLLIN
        var question = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&question, 1, Int32(Self.patience * 1000)) > 0
    }

    /// Waits for bytes or the end; whether the end has come, and was a reset.
    func isReset() -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, Int32(Self.patience * 1000)) > 0 && question.revents & Int16(POLLERR) != 0
    }

    private func setBlocking() {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    /// Sends all bytes.
    package func send(_ bytes: [UInt8]) throws {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw TestConnection.Failure("sent \(count) of \(bytes.count) bytes") }
    }

    /// Says that nothing more will be sent.
    package func endWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends a text.
    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Reads so many bytes, fewer at the end of the connection.
    package func receive(upTo limit: Int) throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var piece = [UInt8](repeating: 0, count: min(limit - bytes.count, 16 << 10))
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { throw TestConnection.Failure("read: \(String(cString: strerror(errno)))") }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything until the server closes the connection.
    package func receiveAll() throws -> String {
        try receive(upTo: .max)
    }
}

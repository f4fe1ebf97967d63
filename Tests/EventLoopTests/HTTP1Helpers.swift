import Foundation
import Locking
import Testing

@testable import EventLoop

/// An HTTP/1.1 server on a loop thread of its own, which the test's thread talks to.
final class HTTPFixture: Sendable {
    let address: SocketAddress
    let thread: LoopThread
    private let server: LoopBound<Holder>

    final class Holder {
        var server: HTTP1Server?
    }

    init(
        _ address: SocketAddress = .ip(host: "127.0.0.1", port: 0), limits: HTTP1Server.Limits = .init(),
        handler: @escaping @Sendable (HTTP1Exchange) -> Void
    ) throws {
        let made = Lock<(SocketAddress, LoopBound<Holder>)?>(nil)
        thread = try LoopThread(name: "http test") { loop in
            let holder = Holder()
            let server = try HTTP1Server(address, on: loop, limits: limits, handler: handler)
            holder.server = server
            made.withLock { $0 = (server.address, LoopBound(holder, on: loop)) }
        }
        (self.address, server) = try #require(made.withLock { $0 })
    }

    /// Runs `body` on the loop's thread and waits for it.
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (EventLoop, HTTP1Server?) -> Result) throws -> Result {
        let result = Lock<Result?>(nil)
        let gate = Latch()
        let server = server
        thread.mailbox.post { loop in
            let value = body(loop, server.value.server)
            result.withLock { $0 = value }
            gate.open()
        }
        gate.wait()
        return try #require(result.withLock { $0 })
    }

    /// Closes the server and ends the thread.
    func stop() {
        let server = server
        thread.mailbox.post { loop in
            server.value.server = nil
            loop.stop()
        }
        thread.join()
    }

    /// A new connection.
    func connect() throws -> RawConnection { try RawConnection(address) }

    /// One request on a connection of its own, and everything that comes until the server closes it.
    func exchange(_ request: String) throws -> String {
        let connection = try connect()
        try connection.send(request)
        return connection.receiveAll()
    }
}

/// Starts a server, calls `body`, and stops the server.
func withServer(
    _ address: SocketAddress = .ip(host: "127.0.0.1", port: 0), limits: HTTP1Server.Limits = .init(),
    handler: @escaping @Sendable (HTTP1Exchange) -> Void, _ body: (HTTPFixture) throws -> Void
) throws {
    let fixture = try HTTPFixture(address, limits: limits, handler: handler)
    defer { fixture.stop() }
    try body(fixture)
}

/// A blocking socket that speaks raw bytes; no call waits longer than 20 seconds.
final class RawConnection: Sendable {
    let descriptor: Int32

    init(_ address: SocketAddress) throws {
        descriptor = try connectSocket(address)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress!, $0.count, 0) }
            try #require(count > 0, "the server does not read: \(String(cString: strerror(errno)))")
            sent += count
        }
    }

    /// Up to `limit` bytes; nil at the end, and when nothing comes.
    func receive(_ limit: Int = 65_536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Everything until the server closes the connection.
    func receiveAll() -> String {
        var all: [UInt8] = []
        while let some = receive() { all += some }
        return String(decoding: all, as: UTF8.self)
    }

    /// Everything up to and with the text.
    func receive(until text: String) throws -> String {
        var all: [UInt8] = []
        let end = Array(text.utf8)
        while !all.ends(with: end) {
            let byte = try #require(receive(1), "ended after: \(String(decoding: all, as: UTF8.self))")
            all += byte
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// One answer with Content-Length: head and body.
    func receiveAnswer() throws -> (head: String, body: String) {
        let head = try receive(until: "\r\n\r\n")
        let length = try #require(
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) })
        var body: [UInt8] = []
        while body.count < length { body += try #require(receive(length - body.count)) }
        return (head, String(decoding: body, as: UTF8.self))
    }

    /// Whether the server has closed the connection in good order.
    var isAtEnd: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0
    }

    /// Ends the sending half.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset instead of a proper end.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        // The descriptor stays open for deinit; its connection ends here.
        let empty = socket(AF_INET, streamType, 0)
        dup2(empty, descriptor)
        close(empty)
    }
}

extension Array where Element: Equatable {
    func ends(with other: [Element]) -> Bool { count >= other.count && self[(count - other.count)...] == other[...] }
}

/// Something that a loop's thread reports and a test waits for.
final class Report<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])
    private let gate = Latch()

    /// What has been reported so far.
    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        gate.open()
    }

    /// The first value; waits for it.
    func first() throws -> Value {
        gate.wait()
        return try #require(all.first)
    }
}

/// Runs curl and returns what it prints.
func curl(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "--silent", "--show-error", "--max-time", "20"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
}

extension HTTP1Exchange {
    func answer(_ text: String, status: Int = 200, headers: [(String, String)] = []) {
        respond(status: status, headers: headers, body: Array(text.utf8))
    }
}

import Foundation
import Testing

@testable import EventLoop

/// Makes a loop on the calling thread, lets `body` set it up, and runs it until something stops it; a test that hangs fails.
func runLoop(_ body: (EventLoop) throws -> Void) throws {
    let loop = try EventLoop()
    let limit = try loop.after(milliseconds: 30_000) {
        Issue.record("the loop was not stopped")
        loop.stop()
    }
    try body(loop)
    loop.run()
    limit.cancel()
    loop.onTurnEnd = nil
}

/// Two connected, non-blocking sockets, closed at the end.
final class SocketPair {
    let near: Int32
    let far: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        (near, far) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(near)
        close(far)
    }

    /// Makes `near` readable.
    func poke() {
        var byte: UInt8 = 1
        #expect(write(far, &byte, 1) == 1)
    }
}

/// A readiness handler made of closures.
final class Handler: ReadinessHandler {
    var onReadable: () -> Void
    var onWritable: () -> Void

    init(onReadable: @escaping () -> Void = {}, onWritable: @escaping () -> Void = {}) {
        self.onReadable = onReadable
        self.onWritable = onWritable
    }

    func readable() { onReadable() }
    func writable() { onWritable() }
}

/// Reads everything that waits; the number of bytes.
@discardableResult
func drain(_ descriptor: Int32) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return total }
        total += count
    }
}

/// A directory of one test, removed with what is in it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "el-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A blocking client socket connected to the address.
func connectSocket(_ address: SocketAddress) throws -> Int32 {
    let system = try #require(SystemAddress(address))
    let descriptor = socket(system.family, streamType, 0)
    try #require(descriptor >= 0)
    guard system.withSystemPointer({ connect(descriptor, $0, $1) }) == 0 else {
        defer { close(descriptor) }
        throw EventLoopError(action: "connect to \(address)", errorNumber: errno)
    }
    return descriptor
}

/// Opens descriptors until the process may have no more, and returns them; for processes of one test.
func useUpDescriptors() -> [Int32] {
    // The process may have inherited any number of them.
    let first = dup(STDIN_FILENO)
    #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = rlim_t(first) + 20
    setrlimit(resource, &limit)
    var descriptors = [first]
    while true {
        let descriptor = dup(STDIN_FILENO)
        guard descriptor >= 0 else { return descriptors }
        descriptors.append(descriptor)
    }
}

#if os(Linux)
/// A stream socket's type as `socket` wants it.
let streamType = Int32(SOCK_STREAM.rawValue)
#else
/// A stream socket's type as `socket` wants it.
let streamType = SOCK_STREAM
#endif

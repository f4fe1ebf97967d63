import Foundation

@testable import TLS

/// Two connected, non-blocking sockets.
final class SocketPair {
    let first: Int32
    let second: Int32
    private var isFirstOpen = true
    private var isSecondOpen = true

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else { throw TLSError("socketpair: \(errno)") }
        first = descriptors[0]
        second = descriptors[1]
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        closeFirst()
        closeSecond()
    }

    func closeFirst() {
        if isFirstOpen { close(first) }
        isFirstOpen = false
    }

    func closeSecond() {
        if isSecondOpen { close(second) }
        isSecondOpen = false
    }

    /// Writes to the second end.
    func send(_ bytes: [UInt8]) {
        _ = write(second, bytes, bytes.count)
    }
}

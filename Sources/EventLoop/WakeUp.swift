import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A descriptor that any thread can make readable: an eventfd on Linux, else a pipe.
struct WakeUp: ~Copyable, Sendable {
    /// What the loop watches.
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(EventLoopError) {
        #if os(Linux)
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .last("eventfd") }
        readEnd = descriptor
        writeEnd = descriptor
        #else
        var ends: (Int32, Int32) = (-1, -1)
        let made = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe bytes.withMemoryRebound(to: Int32.self) { unsafe pipe($0.baseAddress) }
        }
        guard made == 0 else { throw .last("pipe") }
        for end in [ends.0, ends.1] {
            _ = evutil_make_socket_nonblocking(end)
            _ = evutil_make_socket_closeonexec(end)
        }
        (readEnd, writeEnd) = ends
        #endif
    }

    deinit {
        _ = close(readEnd)
        if writeEnd != readEnd { _ = close(writeEnd) }
    }

    /// Makes the descriptor readable; any thread.
    func signal() {
        // A full pipe or counter is readable already, so that failure is no loss.
        var one: UInt64 = 1
        #if os(Linux)
        _ = unsafe write(writeEnd, &one, 8)
        #else
        _ = unsafe write(writeEnd, &one, 1)
        #endif
    }

    /// Takes the signals; the loop's thread.
    func clear() {
        #if os(Linux)
        var count: UInt64 = 0
        _ = unsafe read(readEnd, &count, 8)
        #else
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while unsafe read(readEnd, buffer.baseAddress, buffer.count) == buffer.count {}
        }
        #endif
    }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system calls that a connection makes beside TLS, on a non-blocking descriptor.
enum Descriptor {
    /// What came of a read or a write.
    enum Outcome: Equatable {
        case bytes(Int)
        case wouldBlock
        case ended
    }

    /// Reads bytes without consuming them.
    static func peek(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        unsafe receive(descriptor, into: buffer, flags: number(MSG_PEEK))
    }

    /// Reads bytes.
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        unsafe receive(descriptor, into: buffer, flags: 0)
    }

    /// Writes bytes, perhaps not all of them.
    static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Outcome {
        guard buffer.count > 0 else { return .bytes(0) }
        while true {
            let count = unsafe send(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }

    /// Consumes bytes that were seen already.
    static func skip(_ descriptor: Int32, _ count: Int) {
        unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) {
            _ = unsafe receive(descriptor, into: $0, flags: 0)
        }
    }

    /// Writes a few bytes to a connection whose buffers are empty; whatever does not fit is lost.
    static func writeShort(_ descriptor: Int32, _ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The same for a constant.
    static func writeShort(_ descriptor: Int32, _ text: StaticString) {
        _ = unsafe send(descriptor, text.utf8Start, text.utf8CodeUnitCount, 0)
    }

    /// Says that nothing more will be written.
    static func endWriting(_ descriptor: Int32) {
        _ = shutdown(descriptor, number(SHUT_WR))
    }

    /// Makes the descriptor's end a TCP reset instead of an orderly one.
    static func resetWhenClosed(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Gives the descriptor back.
    static func close(_ descriptor: Int32) {
        _ = systemClose(descriptor)
    }

    private static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, flags: Int32)
        -> Outcome
    {
        while true {
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, flags)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .ended
        }
    }

    // Some C libraries have these constants as enumerations, others as integers.
    private static func number(_ constant: some RawRepresentable<some BinaryInteger>) -> Int32 {
        Int32(truncatingIfNeeded: constant.rawValue)
    }

    private static func number(_ constant: some BinaryInteger) -> Int32 {
        Int32(truncatingIfNeeded: constant)
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 {
    close(descriptor)
}

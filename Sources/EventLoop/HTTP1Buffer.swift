import CLibevent

/// Bytes into and out of libevent's buffers.
enum HTTP1Buffer {
    /// A copy of what the buffer holds.
    static func bytes(of buffer: OpaquePointer) -> [UInt8] {
        let count = unsafe evbuffer_get_length(buffer)
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            filled = unsafe max(0, evbuffer_copyout(buffer, target.baseAddress, count))
        }
    }

    /// Calls `body` with a buffer that holds the bytes; nil when the memory is exhausted.
    static func with(_ bytes: [UInt8], _ body: (OpaquePointer?) -> Void) {
        let buffer = unsafe evbuffer_new()
        defer { if let buffer = unsafe buffer { unsafe evbuffer_free(buffer) } }
        if let buffer = unsafe buffer { _ = unsafe evbuffer_add(buffer, bytes, bytes.count) }
        unsafe body(buffer)
    }
}

import COpenSSL

/// OpenSSL's file in memory.
@safe
final class MemoryBIO {
    let pointer: OpaquePointer

    /// An empty one for writing.
    init() throws(TLSError) {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .library("cannot make a buffer") }
        unsafe pointer = bio
    }

    /// One that holds a copy of the bytes, for reading.
    convenience init(_ bytes: [UInt8]) throws(TLSError) {
        try self.init()
        guard !bytes.isEmpty else { return }
        let length = Int32(clamping: bytes.count)
        guard unsafe BIO_write(pointer, bytes, length) == length else { throw .library("cannot fill a buffer") }
    }

    deinit {
        unsafe BIO_free_all(pointer)
    }

    /// What was written and not yet read.
    var bytes: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe COpenSSL_memory(pointer, &start)
        guard count > 0, let start = unsafe start else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The same as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

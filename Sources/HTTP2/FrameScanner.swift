/// Walks along the heads of incoming frames, whatever pieces they come in, ahead of nghttp2: it says nothing of some frames, and
/// stops reading at others.
struct FrameScanner {
    /// The head of a frame.
    struct Head {
        let length: Int
        let type: UInt8
        let flags: UInt8
        /// The stream with the reserved bit in front of it.
        private let rawStream: UInt32

        var stream: Int32 { Int32(truncatingIfNeeded: rawStream & 0x7FFF_FFFF) }

        /// The head of these nine bytes: the first eight as a number, then the last.
        init(_ first: UInt64, _ last: UInt8) {
            length = Int(first >> 40)
            type = UInt8(truncatingIfNeeded: first >> 32)
            flags = UInt8(truncatingIfNeeded: first >> 24)
            rawStream = UInt32(truncatingIfNeeded: first) << 8 | UInt32(last)
        }

        /// The nine bytes, with another type if wanted.
        func bytes(type: UInt8) -> [UInt8] {
            let length = UInt32(truncatingIfNeeded: length)
            return [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [type, flags]
                + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawStream >> $0) }
        }
    }

    /// How many bytes of the preface or a payload are still to pass.
    private var skipped = HTTP2Limits.prefaceBytes
    /// The bytes of a head that has not come whole.
    private var head: UInt64 = 0
    /// How many bytes of a head have come.
    private(set) var begun = 0

    /// The next head whose last byte is in `bytes` at `position` or behind; afterwards `position` is behind it. Nil when the bytes
    /// are used up.
    mutating func next(in bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Head? {
        let passed = min(skipped, bytes.count - position)
        skipped -= passed
        position += passed
        // Nearly all heads come whole.
        if begun == 0, position + FrameType.headerBytes <= bytes.count {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += FrameType.headerBytes
            let whole = unsafe Head(UInt64(bigEndian: first), bytes[position - 1])
            skipped = whole.length
            return whole
        }
        while position < bytes.count {
            let byte = unsafe bytes[position]
            position += 1
            guard begun == FrameType.headerBytes - 1 else {
                head = head << 8 | UInt64(byte)
                begun += 1
                continue
            }
            let whole = Head(head, byte)
            (head, begun, skipped) = (0, 0, whole.length)
            return whole
        }
        return nil
    }
}

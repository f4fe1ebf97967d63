/// The bytes of an answer that nghttp2 has not asked for yet.
enum OutgoingBody {
    case none
    case constant(StaticString, sent: Int)
    case bytes([UInt8], sent: Int)
    /// Bytes of which only so many may leave yet; without an end unless `ends`.
    case metered([UInt8], sent: Int, allowed: Int, ends: Bool)

    /// Makes it a body of the same bytes behind which the stream does not end.
    mutating func withoutEnd() {
        let bytes: [UInt8] =
            switch self {
            case .none: []
            case .constant(let text, _): Array("\(text)".utf8)
            case .bytes(let bytes, _), .metered(let bytes, _, _, _): bytes
            }
        self = .metered(bytes, sent: 0, allowed: bytes.count, ends: false)
    }

    /// Whether all bytes have been read.
    var isUsedUp: Bool {
        switch self {
        case .none: true
        case .constant(let text, let sent): sent == text.utf8CodeUnitCount
        case .bytes(let bytes, let sent), .metered(let bytes, let sent, _, _): sent == bytes.count
        }
    }

    /// Moves the next bytes into `target`; returns how many, and whether they were the last. None that are not
    /// the last either: they must wait.
    mutating func read(into target: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        switch self {
        case .none:
            return (0, true)
        case .constant(let text, let sent):
            let rest = unsafe UnsafeRawBufferPointer(start: text.utf8Start + sent, count: text.utf8CodeUnitCount - sent)
            let count = min(rest.count, target.count)
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            self = .constant(text, sent: sent + count)
            return (count, count == rest.count)
        case .bytes(let bytes, let sent):
            let count = min(bytes.count - sent, target.count)
            unsafe bytes.withUnsafeBytes {
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
            }
            self = .bytes(bytes, sent: sent + count)
            return (count, sent + count == bytes.count)
        case .metered(let bytes, let sent, let allowed, let ends):
            let count = min(max(min(allowed, bytes.count) - sent, 0), target.count)
            unsafe bytes.withUnsafeBytes {
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
            }
            self = .metered(bytes, sent: sent + count, allowed: allowed, ends: ends)
            return (count, ends && sent + count == bytes.count)
        }
    }
}

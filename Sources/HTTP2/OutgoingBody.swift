/// The bytes of an answer that nghttp2 has not asked for yet.
enum OutgoingBody {
    case none
    case constant(StaticString, sent: Int)
    case bytes([UInt8], sent: Int)
    /// Bytes of which only so many may leave yet; without an end unless `ends`.
    case metered([UInt8], sent: Int, allowed: Int, ends: Bool)

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

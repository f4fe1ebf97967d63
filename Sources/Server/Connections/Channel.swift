import TLS

/// What carries the bytes of a connection that speaks HTTP/2: TLS, or the bare descriptor on a clear-text listener.
enum Channel {
    case tls(TLSSession)
    case clear(descriptor: Int32)

    /// Reads into the buffer.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSSession.Outcome {
        switch self {
        case .tls(let session): return unsafe session.read(into: buffer)
        case .clear(let descriptor):
            return switch unsafe Descriptor.read(descriptor, into: buffer) {
            case .bytes(let count): .done(count)
            case .wouldBlock: .wantsRead
            case .ended: .closed
            }
        }
    }

    /// Writes from the buffer; may take fewer bytes than given.
    func write(_ buffer: UnsafeRawBufferPointer) -> TLSSession.Outcome {
        switch self {
        case .tls(let session): return unsafe session.write(buffer)
        case .clear(let descriptor):
            return switch unsafe Descriptor.write(descriptor, buffer) {
            case .bytes(let count): .done(count)
            case .wouldBlock: .wantsWrite
            case .ended: .closed
            }
        }
    }

    /// Whether bytes wait inside, which no readiness of the descriptor will announce.
    var hasPending: Bool {
        if case .tls(let session) = self { session.hasPending } else { false }
    }

    /// Says that nothing more will be written, where the protocol has words for it.
    func shutdown() {
        if case .tls(let session) = self { session.shutdown() }
    }
}

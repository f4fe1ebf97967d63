/// TLS on one descriptor, which it does not own; confined to one thread.
package final class TLSSession {
    /// What came of a step.
    package enum Outcome {
        /// Done; for reads and writes so many bytes.
        case done(Int)
        /// Again when the descriptor is readable.
        case wantsRead
        /// Again when the descriptor is writable.
        case wantsWrite
        /// The peer ended the connection, with or without close_notify.
        case closed
        case failed(TLSFailure)
    }

    /// A server session.
    package init(server context: TLSContext, descriptor: Int32) throws(TLSError) { fatalError("contract") }

    /// A client session; `serverName` is sent as SNI and checked against the certificate.
    package init(client context: TLSContext, descriptor: Int32, serverName: String?) throws(TLSError) {
        fatalError("contract")
    }

    /// Goes on with the handshake.
    package func handshake() -> Outcome { fatalError("contract") }
    /// Reads into the buffer.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome { fatalError("contract") }
    /// Writes from the buffer; may take fewer bytes than given.
    package func write(_ buffer: UnsafeRawBufferPointer) -> Outcome { fatalError("contract") }
    /// Sends close_notify without waiting for the peer's.
    package func shutdown() { fatalError("contract") }

    /// Whether decrypted bytes wait inside, which no readiness event will announce.
    package var hasPending: Bool { fatalError("contract") }
    /// The server name the client asked for.
    package var serverName: String? { fatalError("contract") }
    /// The protocol agreed on.
    package var alpn: String? { fatalError("contract") }
    /// The protocols the client offered; empty without ALPN.
    package var offeredALPN: [String] { fatalError("contract") }
    /// "TLSv1.3".
    package var version: String { fatalError("contract") }
    /// The cipher suite.
    package var cipher: String { fatalError("contract") }
    /// The peer's certificate, when it sent one.
    package var peerCertificate: PeerCertificate? { fatalError("contract") }
}

@available(*, unavailable)
extension TLSSession: Sendable {}

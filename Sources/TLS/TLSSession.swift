import COpenSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// TLS on one descriptor, which it does not own; confined to one thread.
@safe
package final class TLSSession {
    /// What came of a step.
    package enum Outcome {
        /// Done; for reads and writes so many bytes.
        case done(Int)
        /// Again when the descriptor is readable.
        case wantsRead
        /// Again when the descriptor is writable.
        case wantsWrite
        /// The peer ended the connection, with or without close_notify; also when it came and went without a byte.
        case closed
        /// Boxed, so that the outcomes of the hot path stay small.
        indirect case failed(TLSFailure)
    }

    let ssl: OpaquePointer
    let descriptor: Int32
    let isServer: Bool
    let context: TLSContext

    /// Why the client's certificate ends the handshake; asked once, during the handshake, when the client sends one. Without it
    /// every certificate passes.
    package var judgesClient: ((PeerCertificate) -> PeerCertificate.Refusal?)?
    /// What the judge said against the client's certificate.
    private(set) var refusal: PeerCertificate.Refusal?

    /// The first bytes that a client sent, at most ``firstByteLimit``; kept to explain what was no handshake.
    package private(set) var firstBytes: [UInt8] = []
    /// No more of the first bytes are kept.
    package static let firstByteLimit = 64

    /// Written by the callback of the client's first message.
    var clientHello: ClientHello?
    /// The first fault of the client's certificate; written by the callback of its verification.
    private var firstVerificationError: Int32?
    /// Set by the handshake; OpenSSL's own answer changes with the first failure.
    private(set) var isEstablished = false
    /// After a failure OpenSSL must not be called again, not even to say good-bye.
    private var hasFailed = false

    /// A server session.
    package init(server context: TLSContext, descriptor: Int32) throws(TLSError) {
        unsafe ssl = try Self.make(context, descriptor)
        self.context = context
        self.descriptor = descriptor
        isServer = true
        unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_set_accept_state(ssl)
    }

    /// A client session; `serverName` is sent as SNI and checked against the certificate, an IP address only checked.
    /// `sendsServerName` false leaves SNI out; nil checks no name.
    package init(
        client context: TLSContext, descriptor: Int32, serverName: String?, sendsServerName: Bool = true
    ) throws(TLSError) {
        unsafe ssl = try Self.make(context, descriptor)
        self.context = context
        self.descriptor = descriptor
        isServer = false
        unsafe SSL_set_connect_state(ssl)
        if let serverName { try expect(serverName, announce: sendsServerName) }
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    /// Goes on with the handshake.
    package func handshake() -> Outcome {
        if isServer, clientHello == nil { keepFirstBytes() }
        COpenSSL_clearErrors()
        let result = unsafe SSL_do_handshake(ssl)
        guard result == 1 else { return outcome(of: result) }
        isEstablished = true
        if isServer { unsafe COpenSSL_acceptBareEnd(ssl) }
        return .done(0)
    }

    /// Reads into the buffer, one record at most.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        COpenSSL_clearErrors()
        let count = unsafe SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        return count > 0 ? .done(Int(count)) : outcome(of: count)
    }

    /// Writes from the buffer; may take fewer bytes than given.
    package func write(_ buffer: UnsafeRawBufferPointer) -> Outcome {
        guard buffer.count > 0 else { return .done(0) }
        COpenSSL_clearErrors()
        let count = unsafe SSL_write(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        return count > 0 ? .done(Int(count)) : outcome(of: count)
    }

    /// Sends close_notify without waiting for the peer's.
    package func shutdown() {
        guard isEstablished, !hasFailed else { return }
        COpenSSL_clearErrors()
        unsafe SSL_shutdown(ssl)
        COpenSSL_clearErrors()
    }

    /// Whether bytes wait inside, which no readiness event will announce. Read on while this is true: the last of them may be
    /// the beginning of a record only, then the read wants more. When it is false, the next event tells of the next bytes.
    package var hasPending: Bool { unsafe SSL_has_pending(ssl) == 1 }

    /// The server name the client asked for.
    package var serverName: String? { clientHello?.serverName }

    /// The protocol agreed on.
    package var alpn: String? {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &start, &count)
        guard count > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// The protocols the client offered; empty without ALPN.
    package var offeredALPN: [String] { clientHello?.protocolNames ?? [] }

    /// "TLSv1.3".
    package var version: String { unsafe String(cString: SSL_get_version(ssl)) }

    /// The cipher suite; empty before the handshake.
    package var cipher: String {
        guard let cipher = unsafe SSL_get_current_cipher(ssl), let name = unsafe SSL_CIPHER_get_name(cipher) else {
            return ""
        }
        return unsafe String(cString: name)
    }

    /// Whether an earlier session was resumed.
    package var isResumed: Bool { unsafe SSL_session_reused(ssl) == 1 }

    /// The client's certificate, when it sent one; known from the judgement on.
    package private(set) var peerCertificate: PeerCertificate?

    /// Recovers the session in OpenSSL's callbacks.
    static func with<Result>(_ ssl: OpaquePointer, _ body: (TLSSession) -> Result) -> Result? {
        guard let data = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
    }

    /// Keeps a fault of the client's certificate; the answer is the first one.
    func noteVerificationError(_ error: Int32) -> Int32 {
        let first = firstVerificationError ?? error
        firstVerificationError = first
        return first
    }

    /// Hears the judge of client certificates; nil lets the handshake go on.
    func judge(_ certificate: CertificateHandle, _ error: Int32) -> PeerCertificate.Refusal.Alert? {
        let words = error == X509_V_OK ? nil : unsafe String(cString: X509_verify_cert_error_string(Int(error)))
        let certificate = PeerCertificate(certificate, verificationError: words)
        peerCertificate = certificate
        refusal = judgesClient?(certificate)
        return refusal?.alert
    }

    private static func make(_ context: TLSContext, _ descriptor: Int32) throws(TLSError) -> OpaquePointer {
        COpenSSL_clearErrors()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw .library("cannot make a TLS session") }
        guard unsafe SSL_set_fd(ssl, descriptor) == 1 else {
            unsafe SSL_free(ssl)
            throw .library("cannot use descriptor \(descriptor) for TLS")
        }
        return unsafe ssl
    }

    private func expect(_ name: String, announce: Bool) throws(TLSError) {
        COpenSSL_clearErrors()
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1 { return }
        COpenSSL_clearErrors()
        guard unsafe SSL_set1_host(ssl, name) == 1, unsafe !announce || COpenSSL_setServerName(ssl, name) == 1 else {
            throw .library("cannot ask for the server name \"\(name)\"")
        }
    }

    /// Looks at what waits on the socket before OpenSSL takes it.
    private func keepFirstBytes() {
        guard firstBytes.count < Self.firstByteLimit else { return }
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.firstByteLimit, alignment: 1) { buffer in
            let room = Self.firstByteLimit - firstBytes.count
            let count = unsafe recv(descriptor, buffer.baseAddress, room, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count > 0 { unsafe firstBytes += buffer.prefix(count) }
        }
    }

    /// What a result without progress means; right after the call, as errno and the error queue are read.
    private func outcome(of result: Int32) -> Outcome {
        let number = errno
        let kind = unsafe SSL_get_error(ssl, result)
        switch kind {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        default:
            hasFailed = true
            let errors = OpenSSLErrors.collect()
            let isEnd = kind == SSL_ERROR_SYSCALL ? Self.endsOfConnection.contains(number) : errors.isEndOfStream
            if isEnd, isEstablished || (isServer && firstBytes.isEmpty) { return .closed }
            return .failed(failure(errors, isEnd: isEnd, systemError: kind == SSL_ERROR_SYSCALL ? number : 0))
        }
    }

    /// System errors by which a connection ends from the other side; 0 is an end without words.
    private static let endsOfConnection: [Int32] = [0, ECONNRESET, EPIPE, ENOTCONN, ECONNABORTED]
}

@available(*, unavailable)
extension TLSSession: Sendable {}

import COpenSSL

// What OpenSSL calls during a server's handshake. Each finds the session and tells it one thing.

/// Every fault of a client certificate passes at first; the session remembers the first thing that is wrong with it.
func acceptAndRecord(_ isGood: Int32, _ store: OpaquePointer?) -> Int32 {
    if isGood == 0, let session = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()) {
        // OpenSSL keeps the last error of several, also in tickets, but the first one is the cause.
        let first = unsafe TLSSession.with(OpaquePointer(session)) { session in
            session.noteVerificationError(unsafe X509_STORE_CTX_get_error(store))
        }
        if let first { unsafe X509_STORE_CTX_set_error(store, first) }
    }
    return 1
}

/// The verdict on a client certificate is the session's; the error that it leaves behind decides the alert.
func judgeClient(_ store: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> Int32 {
    // Always goes well, as every fault is accepted and recorded above.
    guard unsafe X509_verify_cert(store) == 1,
        let session = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let leaf = unsafe X509_STORE_CTX_get0_cert(store), unsafe X509_up_ref(leaf) == 1
    else { return 0 }
    let certificate = unsafe CertificateHandle(owning: leaf)
    let error = unsafe X509_STORE_CTX_get_error(store)
    let alert = unsafe TLSSession.with(OpaquePointer(session)) { $0.judge(certificate, error) }
    switch alert {
    case .some(nil): return 1
    case .certificateExpired: unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_HAS_EXPIRED)
    case .certificateRevoked: unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REVOKED)
    case .ofVerification, nil: break
    }
    return 0
}

/// A ticket resumes its session, unless that has a client certificate.
func takeTicket(
    _ ssl: OpaquePointer?, _ session: OpaquePointer?, _ name: UnsafePointer<UInt8>?, _ nameLength: Int,
    _ status: SSL_TICKET_STATUS, _ data: UnsafeMutableRawPointer?
) -> SSL_TICKET_RETURN {
    let isGood = status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW
    guard isGood, let session = unsafe session, unsafe SSL_SESSION_get0_peer(session) == nil else {
        return SSL_TICKET_RETURN(SSL_TICKET_RETURN_IGNORE_RENEW)
    }
    return SSL_TICKET_RETURN(
        status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW)
}

/// ALPN: `h2` wherever it stands in the client's list; a list without it is refused.
func selectProtocol(
    _ ssl: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let offered = unsafe offered, let chosen = unsafe chosen, let length = unsafe length else {
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredLength))
    var index = 0
    while index < list.count {
        let count = unsafe Int(list[index])
        let start = index + 1
        guard count > 0, start + count <= list.count else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        if count == 2, unsafe list[start] == UInt8(ascii: "h"), unsafe list[start + 1] == UInt8(ascii: "2") {
            unsafe chosen.pointee = offered + start
            unsafe length.pointee = UInt8(count)
            return SSL_TLSEXT_ERR_OK
        }
        index = start + count
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// Keeps what the client offers before anything can fail.
func noteClientHello(
    _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    guard let ssl = unsafe ssl else { return SSL_CLIENT_HELLO_ERROR }
    let hello = unsafe ClientHello(ssl)
    _ = unsafe TLSSession.with(ssl) { session in session.clientHello = hello }
    return SSL_CLIENT_HELLO_SUCCESS
}

/// One line of the key log.
func writeKeyLog(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let line = unsafe line, let log = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0) else { return }
    unsafe Unmanaged<KeyLog>.fromOpaque(log).takeUnretainedValue().append(String(cString: line))
}

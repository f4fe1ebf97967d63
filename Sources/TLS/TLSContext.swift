import COpenSSL

/// What all sessions of a listener or client share; set up once, immutable after.
@safe
package final class TLSContext: Sendable {
    /// Set up in the initialisers only; from then on OpenSSL allows its use from any thread.
    nonisolated(unsafe) let pointer: OpaquePointer
    /// What to do when a client does not trust the server's certificate.
    package let trustHint: String
    /// How a name gets into the server's certificate; `NAME` stands for it.
    let nameHint: String
    /// Where the secrets of the sessions are written, for tools that decrypt captures.
    private let keyLog: KeyLog?

    /// A server's context: certificate chain and key as PEM files; asks for client certificates without requiring them.
    /// ALPN chooses `h2` wherever it stands, accepts clients without ALPN, refuses those that offer other protocols only.
    ///
    /// Each session judges its client's certificate (``TLSSession/judgesClient``), whose fault is told by
    /// ``PeerCertificate/verificationError``; its dates are not looked at here. The hints are told when a client does not
    /// trust the server, or misses a name.
    package convenience init(
        serverCertificate: String, key: String, clientAuthorities: [String], trustHint: String = "Give it the CA",
        nameHint: String = "add --san NAME", keyLog: String? = nil
    ) throws(TLSError) {
        try unsafe self.init(
            method: TLS_server_method(), minimum: .minimum, maximum: .tls13, trustHint: trustHint, nameHint: nameHint,
            keyLog: keyLog)
        try use(certificate: serverCertificate, key: key)
        for authority in clientAuthorities { try trust(authority, announce: true) }
        // Whether a certificate has ended is a question to the server's clock, which a test may have moved.
        unsafe X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_NO_CHECK_TIME))
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, acceptAndRecord)
        unsafe SSL_CTX_set_cert_verify_callback(pointer, judgeClient, nil)
        unsafe SSL_CTX_set_alpn_select_cb(pointer, selectProtocol, nil)
        unsafe SSL_CTX_set_client_hello_cb(pointer, noteClientHello, nil)
        try keepTickets()
    }

    /// A client's context for tests and `send`; `authority` nil trusts nobody, `certificate` and `key` are for client
    /// authentication, an empty `alpn` sends no such extension.
    package convenience init(
        clientTrusting authority: String?, certificate: String? = nil, key: String? = nil, alpn: [String] = ["h2"],
        minimum: TLSVersion = .minimum, maximum: TLSVersion = .tls13
    ) throws(TLSError) {
        try unsafe self.init(
            method: TLS_client_method(), minimum: minimum, maximum: maximum, trustHint: "", nameHint: "", keyLog: nil)
        if let authority { try trust(authority, announce: false) }
        if let certificate { try use(certificate: certificate, key: key ?? certificate) }
        unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        try offer(alpn)
        // OpenSSL keeps the signatures of the versions before 1.2 behind its lowest security level.
        if maximum.rawValue < TLSVersion.tls12.rawValue {
            unsafe SSL_CTX_set_cipher_list(pointer, "DEFAULT@SECLEVEL=0")
        }
    }

    private init(
        method: OpaquePointer?, minimum: TLSVersion, maximum: TLSVersion, trustHint: String, nameHint: String,
        keyLog: String?
    ) throws(TLSError) {
        self.trustHint = trustHint
        self.nameHint = nameHint
        try OpenSSLLibrary.prepare()
        COpenSSL_clearErrors()
        guard let context = unsafe SSL_CTX_new(method) else { throw .library("cannot make a TLS context") }
        unsafe pointer = context
        do throws(TLSError) {
            self.keyLog = try keyLog.map { path throws(TLSError) in try KeyLog(path) }
        } catch {
            // Nothing frees the pointer of an object that was never completed.
            unsafe SSL_CTX_free(context)
            throw error
        }
        unsafe COpenSSL_setMode(pointer)
        unsafe COpenSSL_setOptions(pointer)
        unsafe COpenSSL_setReadAhead(pointer)
        guard unsafe COpenSSL_setMinimumVersion(pointer, minimum.rawValue) == 1,
            unsafe COpenSSL_setMaximumVersion(pointer, maximum.rawValue) == 1
        else { throw .library("cannot choose TLS \(minimum.number) to \(maximum.number)") }
        if let keyLog = self.keyLog {
            unsafe SSL_CTX_set_ex_data(pointer, 0, Unmanaged.passUnretained(keyLog).toOpaque())
            unsafe SSL_CTX_set_keylog_callback(pointer, writeKeyLog)
        }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }

    private func use(certificate: String, key: String) throws(TLSError) {
        let chain = try PEMFile(path: certificate).certificates()
        let privateKey = try PEMFile(path: key).privateKey()
        COpenSSL_clearErrors()
        guard unsafe SSL_CTX_use_certificate(pointer, chain[0].pointer) == 1 else {
            throw .library("\(certificate): OpenSSL refuses this certificate")
        }
        guard chain[0].belongs(to: privateKey) else {
            throw TLSError("\(key): this key does not belong to the certificate in \(certificate); give the pair")
        }
        guard unsafe SSL_CTX_use_PrivateKey(pointer, privateKey.pointer) == 1 else {
            throw .library("\(key): OpenSSL refuses this key")
        }
        for next in chain.dropFirst() where unsafe COpenSSL_addChainCertificate(pointer, next.pointer) != 1 {
            throw .library("\(certificate): OpenSSL refuses this chain")
        }
    }

    /// Trusts the certificates of a PEM file; a server also announces their names, by which clients choose a certificate.
    private func trust(_ authority: String, announce: Bool) throws(TLSError) {
        for certificate in try PEMFile(path: authority).certificates() {
            COpenSSL_clearErrors()
            guard unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), certificate.pointer) == 1 else {
                throw .library("\(authority): OpenSSL refuses this authority")
            }
            if announce, unsafe SSL_CTX_add_client_CA(pointer, certificate.pointer) != 1 {
                throw .library("\(authority): OpenSSL refuses this authority's name")
            }
        }
        // Names of push certificates are bundle ids: they must not be held against an authority's limits on host names.
        unsafe X509_VERIFY_PARAM_set_hostflags(SSL_CTX_get0_param(pointer), UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    }

    /// Sessions resume by tickets, which cost the server no memory; one a handshake is enough. Those with a client certificate
    /// do not: it is judged in each handshake, as it may have ended or been revoked meanwhile.
    private func keepTickets() throws(TLSError) {
        unsafe COpenSSL_setSessionCacheOff(pointer)
        let name = Array("mock-apns".utf8)
        guard unsafe SSL_CTX_set_session_id_context(pointer, name, UInt32(name.count)) == 1,
            unsafe SSL_CTX_set_num_tickets(pointer, 1) == 1,
            unsafe SSL_CTX_set_session_ticket_cb(pointer, nil, takeTicket, nil) == 1
        else { throw .library("cannot set up session tickets") }
    }

    private func offer(_ protocols: [String]) throws(TLSError) {
        guard !protocols.isEmpty else { return }
        var list: [UInt8] = []
        for name in protocols {
            guard let length = UInt8(exactly: name.utf8.count), length > 0 else {
                throw TLSError("ALPN \"\(name)\": expected 1 to 255 bytes")
            }
            list.append(length)
            list += name.utf8
        }
        // This one function returns 0 when all is well.
        guard unsafe SSL_CTX_set_alpn_protos(pointer, list, UInt32(list.count)) == 0 else {
            throw .library("cannot offer ALPN \(protocols)")
        }
    }
}

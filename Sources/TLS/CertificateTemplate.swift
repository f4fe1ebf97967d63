import COpenSSL

/// What a certificate shall say.
struct CertificateTemplate {
    /// An extension of a certificate.
    enum Extension {
        /// One that OpenSSL knows, with a value in its language.
        case known(Int32, String)
        /// Any other: its number and the octets of its value.
        case octets(String, [UInt8])
    }

    /// Attributes of the subject in order.
    var subject: [(attribute: Int32, text: String)]
    /// Seconds since 1970.
    var notBefore: Int64
    /// Seconds since 1970.
    var notAfter: Int64
    var extensions: [Extension]

    /// Bytes of a serial number; the highest bit is cleared, as it must be positive in at most 20 bytes (RFC 5280, 4.1.2.2).
    static let serialBytes = 16

    /// The certificate for the key's public half, signed by the issuer's key; by its own without an issuer.
    func sign(for key: KeyHandle, issuer: CertificateHandle?, issuerKey: KeyHandle) throws(TLSError)
        -> CertificateHandle
    {
        COpenSSL_clearErrors()
        guard let pointer = unsafe X509_new() else { throw .library("cannot make a certificate") }
        let certificate = unsafe CertificateHandle(owning: pointer)
        let issuer = issuer ?? certificate
        try unsafe fillSerial(pointer)
        try unsafe fillSubject(pointer)
        guard unsafe X509_set_version(pointer, 2) == 1,
            unsafe X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer)) == 1,
            unsafe ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(notBefore)) != nil,
            unsafe ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(notAfter)) != nil,
            unsafe X509_set_pubkey(pointer, key.pointer) == 1
        else { throw .library("cannot fill a certificate") }
        for item in extensions { try unsafe add(item, to: pointer, issuer: issuer) }
        guard unsafe X509_sign(pointer, issuerKey.pointer, EVP_sha256()) > 0 else {
            throw .library("cannot sign a certificate")
        }
        return certificate
    }

    private func fillSerial(_ certificate: OpaquePointer) throws(TLSError) {
        var bytes = SecureRandom.bytes(Self.serialBytes)
        bytes[0] = bytes[0] & 0x7F | 0x40
        guard let number = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) else {
            throw .library("cannot make a serial")
        }
        defer { unsafe BN_free(number) }
        guard unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil else {
            throw .library("cannot make a serial")
        }
    }

    private func fillSubject(_ certificate: OpaquePointer) throws(TLSError) {
        let name = unsafe X509_get_subject_name(certificate)
        for (attribute, text) in subject {
            let bytes = Array(text.utf8)
            let result = unsafe X509_NAME_add_entry_by_NID(
                name, attribute, MBSTRING_UTF8, bytes, Int32(clamping: bytes.count), -1, 0)
            guard result == 1 else { throw .library("cannot put \"\(text)\" into a subject") }
        }
    }

    private func add(_ item: Extension, to certificate: OpaquePointer, issuer: CertificateHandle) throws(TLSError) {
        let made: OpaquePointer?
        switch item {
        case .known(let number, let value):
            unsafe made = COpenSSL_makeExtension(issuer.pointer, certificate, number, value)
        case .octets(let number, let octets):
            unsafe made = COpenSSL_makeRawExtension(number, octets, Int32(clamping: octets.count))
        }
        guard let made = unsafe made else { throw .library("cannot make the extension \(item)") }
        defer { unsafe X509_EXTENSION_free(made) }
        guard unsafe X509_add_ext(certificate, made, -1) == 1 else {
            throw .library("cannot add the extension \(item)")
        }
    }
}

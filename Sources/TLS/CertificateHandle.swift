import COpenSSL

/// Owns one X509 certificate.
@safe
final class CertificateHandle: Sendable {
    /// Never changed after it was signed or read; OpenSSL locks what it caches inside.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// The certificate as PEM.
    func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        COpenSSL_clearErrors()
        guard unsafe PEM_write_bio_X509(memory.pointer, pointer) == 1 else {
            throw .library("cannot write a certificate")
        }
        return memory.text
    }

    /// Whether the key is this certificate's.
    func belongs(to key: KeyHandle) -> Bool {
        defer { COpenSSL_clearErrors() }
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    /// Whether the other certificate's key signed this one, by name and by signature.
    func isSigned(by issuer: CertificateHandle) -> Bool {
        defer { COpenSSL_clearErrors() }
        guard unsafe X509_check_issued(issuer.pointer, pointer) == X509_V_OK,
            let key = unsafe X509_get0_pubkey(issuer.pointer)
        else { return false }
        return unsafe X509_verify(pointer, key) == 1
    }

    /// The first second at which it is valid, since 1970.
    var notBefore: Int64 { unsafe Self.seconds(X509_get0_notBefore(pointer)) }
    /// The last second at which it is valid, since 1970.
    var notAfter: Int64 { unsafe Self.seconds(X509_get0_notAfter(pointer)) }

    /// The subject as one line.
    var subject: String { unsafe Self.line(X509_get_subject_name(pointer)) }
    /// The issuer as one line.
    var issuer: String { unsafe Self.line(X509_get_issuer_name(pointer)) }

    /// SHA-256 of the DER form.
    var fingerprint: [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        var length: UInt32 = 0
        unsafe X509_digest(pointer, EVP_sha256(), &digest, &length)
        return digest
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return 0 }
        defer { unsafe ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time = unsafe time, unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return 0 }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    /// "UID = com.example.app, CN = ..." with everything escaped that could break a line.
    private static func line(_ name: OpaquePointer?) -> String {
        guard let name = unsafe name, let memory = try? MemoryBIO() else { return "" }
        unsafe COpenSSL_printName(memory.pointer, name)
        return String(decoding: memory.bytes.prefix(maximumTextBytes), as: UTF8.self)
    }
}

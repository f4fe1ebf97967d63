import COpenSSL

/// Owns one EVP_PKEY, a private or a public key.
@safe
final class KeyHandle: Sendable {
    /// Never changed after it was made; OpenSSL allows concurrent use of such a key.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// A new P-256 key.
    static func generateP256() throws(TLSError) -> KeyHandle {
        try OpenSSLLibrary.prepare()
        COpenSSL_clearErrors()
        guard let key = unsafe COpenSSL_generateP256() else { throw .library("cannot make a P-256 key") }
        return unsafe KeyHandle(owning: key)
    }

    /// A new RSA key of the size that Apple's push certificates have; takes 50 to 180 ms and more on a busy machine.
    static func generateRSA() throws(TLSError) -> KeyHandle {
        try OpenSSLLibrary.prepare()
        COpenSSL_clearErrors()
        guard let key = unsafe COpenSSL_generateRSA(rsaBits) else { throw .library("cannot make an RSA key") }
        return unsafe KeyHandle(owning: key)
    }

    private static let rsaBits: UInt32 = 2048

    /// Whether this is an RSA key, the one kind that every sender reads.
    var isRSA: Bool { unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA }

    /// What kind of key this is, for people: "P-256", "P-384", "RSA".
    var kind: String {
        guard unsafe EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC else {
            guard let name = unsafe EVP_PKEY_get0_type_name(pointer) else { return "unknown" }
            return unsafe String(cString: name)
        }
        let group = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer -> String in
            var length = 0
            guard let start = buffer.baseAddress,
                unsafe EVP_PKEY_get_group_name(pointer, start, buffer.count, &length) == 1
            else { return "EC with a curve of its own" }
            return unsafe String(cString: start)
        }
        return Self.commonNames[group] ?? group
    }

    /// OpenSSL's names of curves, and those that people know.
    private static let commonNames = ["prime256v1": "P-256", "secp384r1": "P-384", "secp521r1": "P-521"]

    /// The key as PKCS #8 PEM without encryption.
    func privatePEM() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        COpenSSL_clearErrors()
        guard unsafe PEM_write_bio_PKCS8PrivateKey(memory.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw .library("cannot write a private key")
        }
        return memory.text
    }

    /// The public half as SubjectPublicKeyInfo PEM.
    func publicPEM() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        COpenSSL_clearErrors()
        guard unsafe PEM_write_bio_PUBKEY(memory.pointer, pointer) == 1 else {
            throw .library("cannot write a public key")
        }
        return memory.text
    }
}

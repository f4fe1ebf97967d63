import COpenSSL

extension CertificateAuthority.Identity {
    /// How a .p12 file is encrypted.
    package enum PKCS12Encryption: Sendable {
        /// Triple DES and SHA-1, as in files that the Keychain exports: what every sender reads. The key is for tests.
        case compatible
        /// AES-256 and SHA-256.
        case modern
    }

    /// Rounds of deriving the key from the password.
    private static let rounds: Int32 = 2048

    /// Certificate, key and CA as a .p12 file.
    package func pkcs12(password: String, encryption: PKCS12Encryption = .compatible) throws(TLSError) -> [UInt8] {
        COpenSSL_clearErrors()
        guard let chain = unsafe COpenSSL_newStack() else { throw .library("cannot make a .p12 file") }
        defer { unsafe COpenSSL_freeStack(chain) }
        let isModern = encryption == .modern
        let cipher = isModern ? NID_aes_256_cbc : NID_pbe_WithSHA1And3_Key_TripleDES_CBC
        guard unsafe COpenSSL_push(chain, authorityHandle.pointer) == 1,
            // -1: the digest over all is made below, as it is SHA-256 here whatever the cipher.
            let file = unsafe PKCS12_create(
                password, certificate.userID ?? "mock-apns", keyHandle.pointer, certificateHandle.pointer, chain,
                cipher,
                cipher, Self.rounds, -1, 0)
        else { throw .library("cannot make a .p12 file") }
        defer { unsafe PKCS12_free(file) }
        let digest = unsafe isModern ? EVP_sha256() : EVP_sha1()
        guard unsafe PKCS12_set_mac(file, password, -1, nil, 0, Self.rounds, digest) == 1 else {
            throw .library("cannot make a .p12 file")
        }
        let memory = try MemoryBIO()
        guard unsafe i2d_PKCS12_bio(memory.pointer, file) == 1 else { throw .library("cannot write a .p12 file") }
        return memory.bytes
    }
}

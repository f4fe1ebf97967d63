import COpenSSL

/// A client certificate and its key.
package struct ClientIdentity: Sendable {
    /// The certificate alone: several senders take the last one of a file for their own.
    package let certificatePEM: String
    /// PKCS #8 without password.
    package let keyPEM: String
    /// The certificate as this server will see it.
    package let certificate: PeerCertificate
    private let certificateHandle: CertificateHandle
    private let keyHandle: KeyHandle

    /// The password of PKCS #12 files unless another is asked for; some systems cannot open a file without one.
    package static let standardPassword = "mock-apns"
    /// Rounds of deriving the key from the password.
    private static let rounds: Int32 = 2048

    init(_ certificate: CertificateHandle, _ key: KeyHandle) throws(TLSError) {
        certificatePEM = try certificate.pem()
        keyPEM = try key.privatePEM()
        self.certificate = PeerCertificate(certificate, verificationError: nil)
        certificateHandle = certificate
        keyHandle = key
    }

    /// The one certificate and the one key as a .p12 file, encrypted as the Keychain does: triple DES and SHA-1, which every
    /// sender reads. The key is for tests.
    package func pkcs12(password: String = standardPassword) throws(TLSError) -> [UInt8] {
        COpenSSL_clearErrors()
        let cipher = NID_pbe_WithSHA1And3_Key_TripleDES_CBC
        guard
            // -1: the digest over all is made below, as OpenSSL's own choice is SHA-256.
            let file = unsafe PKCS12_create(
                password, certificate.userID ?? "mock-apns", keyHandle.pointer, certificateHandle.pointer, nil,
                cipher, cipher, Self.rounds, -1, 0)
        else { throw .library("cannot make a .p12 file") }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_set_mac(file, password, -1, nil, 0, Self.rounds, EVP_sha1()) == 1 else {
            throw .library("cannot make a .p12 file")
        }
        let memory = try MemoryBIO()
        guard unsafe i2d_PKCS12_bio(memory.pointer, file) == 1 else { throw .library("cannot write a .p12 file") }
        return memory.bytes
    }
}

import COpenSSL

/// Certificates to trust, as a PKCS #12 file without a key: the form that Java reads as a trust store.
package enum TrustStoreFile {
    /// Rounds of deriving the key from the password.
    private static let rounds: Int32 = 2048
    /// Java takes a certificate without a key for a trusted one only when it has this attribute.
    private static let trustedKeyUsage = "2.16.840.1.113894.746875.1.1"
    /// The purpose that the attribute names: every one.
    private static let everyPurpose = "2.5.29.37.0"

    /// A file of all certificates in PEM text, each under the name `mock-apns`, with a number from the second on.
    package static func pkcs12(pem: String, source: String, password: String) throws(TLSError) -> [UInt8] {
        COpenSSL_clearErrors()
        var bags: OpaquePointer?
        defer { unsafe COpenSSL_freeBags(bags) }
        let certificates = try PEMFile(bytes: Array(pem.utf8), source: source).certificates()
        for (index, certificate) in certificates.enumerated() {
            try unsafe add(certificate, name: index == 0 ? "mock-apns" : "mock-apns-\(index + 1)", to: &bags)
        }
        var safes: OpaquePointer?
        defer { unsafe COpenSSL_freeSafes(safes) }
        guard
            unsafe PKCS12_add_safe(&safes, bags, NID_pbe_WithSHA1And3_Key_TripleDES_CBC, rounds, password) == 1,
            let file = unsafe PKCS12_add_safes(safes, 0)
        else { throw failure }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_set_mac(file, password, -1, nil, 0, rounds, EVP_sha1()) == 1 else { throw failure }
        let memory = try MemoryBIO()
        guard unsafe i2d_PKCS12_bio(memory.pointer, file) == 1 else { throw failure }
        return memory.bytes
    }

    private static var failure: TLSError { .library("cannot make a .p12 file") }

    private static func add(
        _ certificate: CertificateHandle, name: String, to bags: inout OpaquePointer?
    ) throws(TLSError) {
        guard let purpose = unsafe OBJ_txt2obj(everyPurpose, 1) else { throw failure }
        defer { unsafe ASN1_OBJECT_free(purpose) }
        // -1: the bytes are an object of that type, not its content.
        guard let bag = unsafe PKCS12_add_cert(&bags, certificate.pointer),
            unsafe PKCS12_add_friendlyname_utf8(bag, name, -1) == 1,
            unsafe PKCS12_add1_attr_by_txt(
                bag, trustedKeyUsage, V_ASN1_OBJECT, UnsafePointer<UInt8>(purpose), -1) == 1
        else { throw failure }
    }
}

import COpenSSL

/// A P-256 private key: what is in an AuthKey_*.p8 file.
package final class ES256PrivateKey: Sendable {
    let handle: KeyHandle
    /// PKCS #8 PEM, the form of .p8 files.
    package let pem: String
    /// The public half.
    package let publicKey: ES256PublicKey

    /// A new key.
    package convenience init() throws(TLSError) {
        try self.init(KeyHandle.generateP256())
    }

    /// A key from PEM, PKCS #8 or SEC 1; `source` is the file's name for errors.
    package convenience init(pem: String, source: String = "the private key") throws(TLSError) {
        try self.init(PEMFile(bytes: Array(pem.utf8), source: source))
    }

    convenience init(_ file: PEMFile) throws(TLSError) {
        let handle = try file.privateKey()
        try ES256PublicKey.requireP256(handle, source: file.source)
        try self.init(handle)
    }

    private init(_ handle: KeyHandle) throws(TLSError) {
        self.handle = handle
        pem = try handle.privatePEM()
        publicKey = ES256PublicKey(handle)
    }

    /// Signs with SHA-256; the signature as r‖s of 64 bytes.
    package func sign(_ message: [UInt8]) throws(TLSError) -> [UInt8] {
        guard let raw = ES256Signature.raw(der: try signDER(message)) else {
            throw .library("cannot sign: no DER came")
        }
        return raw
    }

    /// Signs with SHA-256; the signature as DER.
    package func signDER(_ message: [UInt8]) throws(TLSError) -> [UInt8] {
        COpenSSL_clearErrors()
        guard let context = unsafe EVP_MD_CTX_new() else { throw .library("cannot sign") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var length = 0
        guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle.pointer) == 1,
            unsafe EVP_DigestSign(context, nil, &length, message, message.count) == 1
        else { throw .library("cannot sign") }
        var signature = [UInt8](repeating: 0, count: length)
        guard unsafe EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else {
            throw .library("cannot sign")
        }
        return Array(signature.prefix(length))
    }
}

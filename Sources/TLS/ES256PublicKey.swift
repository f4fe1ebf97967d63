import COpenSSL

/// A P-256 public key that checks provider tokens; immutable and usable from any thread.
package final class ES256PublicKey: Sendable {
    private enum Digest {
        case sha256
        case sha512

        var pointer: OpaquePointer? { unsafe self == .sha256 ? EVP_sha256() : EVP_sha512() }
    }

    private let handle: KeyHandle

    /// A key from PEM (public or private); `source` is the file's name for errors.
    package convenience init(pem: String, source: String = "the public key") throws(TLSError) {
        try self.init(PEMFile(bytes: Array(pem.utf8), source: source))
    }

    convenience init(_ file: PEMFile) throws(TLSError) {
        let handle = try file.publicKey()
        try Self.requireP256(handle, source: file.source)
        self.init(handle)
    }

    init(_ handle: KeyHandle) {
        self.handle = handle
    }

    /// SubjectPublicKeyInfo PEM.
    package func pem() throws(TLSError) -> String { try handle.publicPEM() }

    /// Whether a signature over SHA-256 fits: r‖s of 64 bytes, or DER.
    package func verifies(signature: [UInt8], of message: [UInt8]) -> Bool {
        verifies(signature, of: message, digest: .sha256, rawBytes: [2 * ES256Signature.integerBytes])
    }

    /// The same with SHA-512, for the one library that signs ES512 with its P-256 key: r‖s of 132 or 64 bytes, or DER.
    package func verifiesSHA512(signature: [UInt8], of message: [UInt8]) -> Bool {
        let rawBytes = [2 * ES256Signature.longIntegerBytes, 2 * ES256Signature.integerBytes]
        return verifies(signature, of: message, digest: .sha512, rawBytes: rawBytes)
    }

    static func requireP256(_ key: KeyHandle, source: String) throws(TLSError) {
        guard key.kind == "P-256" else {
            throw TLSError("\(source): expected a P-256 key as Apple's .p8 files hold it, found \(key.kind)")
        }
    }

    /// The form is told by structure, as a short DER signature may be 64 bytes long: both readings are tried where both fit.
    private func verifies(_ signature: [UInt8], of message: [UInt8], digest: Digest, rawBytes: [Int]) -> Bool {
        if ES256Signature.isDER(signature), verifies(der: signature, of: message, digest: digest) { return true }
        guard rawBytes.contains(signature.count) else { return false }
        return verifies(der: ES256Signature.der(raw: signature), of: message, digest: digest)
    }

    /// Each verification has a context of its own, so that threads do not share one.
    private func verifies(der: [UInt8], of message: [UInt8], digest: Digest) -> Bool {
        defer { COpenSSL_clearErrors() }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit(context, nil, digest.pointer, nil, handle.pointer) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}

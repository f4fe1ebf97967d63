/// A P-256 private key: what is in an AuthKey_*.p8 file.
package final class ES256PrivateKey: Sendable {
    /// A new key.
    package init() throws(TLSError) { fatalError("contract") }
    /// A key from PEM.
    package init(pem: String) throws(TLSError) { fatalError("contract") }
    /// PKCS #8 PEM, the form of .p8 files.
    package var pem: String { fatalError("contract") }
    /// The public half.
    package var publicKey: ES256PublicKey { fatalError("contract") }
    /// Signs with SHA-256; the signature as r‖s of 64 bytes.
    package func sign(_ message: [UInt8]) throws(TLSError) -> [UInt8] { fatalError("contract") }
    /// Signs with SHA-256; the signature as DER.
    package func signDER(_ message: [UInt8]) throws(TLSError) -> [UInt8] { fatalError("contract") }
}

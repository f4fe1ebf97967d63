/// A P-256 public key that checks provider tokens; immutable and usable from any thread.
package final class ES256PublicKey: Sendable {
    /// A key from PEM (public or private).
    package init(pem: String) throws(TLSError) { fatalError("contract") }

    /// Whether a signature fits: `raw` as r‖s of 64 bytes, or DER; `sha512` for the ES512-over-P-256 of one library (132 bytes raw).
    package func verifies(signature: [UInt8], of message: [UInt8]) -> Bool { fatalError("contract") }
    /// The same with SHA-512.
    package func verifiesSHA512(signature: [UInt8], of message: [UInt8]) -> Bool { fatalError("contract") }
}

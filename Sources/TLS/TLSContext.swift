/// What all sessions of a listener or client share; set up once, immutable after.
package final class TLSContext: Sendable {
    /// A server's context: certificate chain and key as PEM files; asks for client certificates without requiring them.
    /// ALPN chooses `h2` wherever it stands, accepts clients without ALPN, refuses those that offer other protocols only.
    package init(serverCertificate: String, key: String, clientAuthority: String?) throws(TLSError) {
        fatalError("contract")
    }

    /// A client's context for tests and `send`; `authority` nil trusts nobody, `certificate` and `key` are for client authentication.
    package init(
        clientTrusting authority: String?, certificate: String? = nil, key: String? = nil, alpn: [String] = ["h2"]
    ) throws(TLSError) {
        fatalError("contract")
    }
}

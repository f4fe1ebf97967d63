/// Why a handshake or a connection failed, with the likely cause.
package struct TLSFailure: Sendable, Equatable {
    /// A stable word: "alpn", "unknown_ca", "bad_certificate", "protocol_version", "http", "not_tls", "other".
    package let cause: String
    /// OpenSSL's words.
    package let detail: String
    /// One sentence for people: what probably happened and what to do.
    package let explanation: String
}

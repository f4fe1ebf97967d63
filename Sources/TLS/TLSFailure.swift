/// Why a handshake or a connection failed, with the likely cause.
package struct TLSFailure: Sendable, Equatable {
    /// A stable word: "alpn", "unknown_ca", "bad_certificate", "certificate_name", "client_certificate", "protocol_version",
    /// "cipher", "http", "not_tls", "closed", "other".
    package let cause: String
    /// OpenSSL's words.
    package let detail: String
    /// One sentence for people: what probably happened and what to do.
    package let explanation: String

    package init(cause: String, detail: String, explanation: String) {
        self.cause = cause
        self.detail = detail
        self.explanation = explanation
    }
}

import COpenSSL

/// An alert that the peer sent, and what it usually means when a client sends it to this server.
struct TLSAlert {
    /// The name in RFC 8446, 6 (older ones: RFC 5246, 7.2).
    let name: String
    /// The failure's stable word.
    let cause: String
    /// One sentence for people; empty where the name says all.
    let explanation: String
    /// Whether a wrong name in our certificate is a likely cause too.
    let isAboutCertificate: Bool
    /// Whether the client may lack trust in the CA, so that the context's hint belongs behind the explanation.
    let isAboutTrust: Bool

    /// The alert behind OpenSSL's reason code; nil when the code is about something else.
    init?(reason: Int32) {
        guard reason > SSL_AD_REASON_OFFSET, let number = UInt8(exactly: reason - SSL_AD_REASON_OFFSET) else {
            return nil
        }
        self = Self.table[number] ?? TLSAlert(number)
    }

    private init(_ number: UInt8) {
        self.init("number \(number)", "other")
    }

    private init(
        _ name: String, _ cause: String, _ explanation: String = "", certificate: Bool = false, trust: Bool = false
    ) {
        self.name = name
        self.cause = cause
        self.explanation = explanation
        isAboutCertificate = certificate
        isAboutTrust = trust
    }

    fileprivate static let table: [UInt8: TLSAlert] = [
        10: TLSAlert("unexpected_message", "other"),
        20: TLSAlert("bad_record_mac", "other"),
        22: TLSAlert("record_overflow", "other"),
        40: TLSAlert(
            "handshake_failure", "cipher",
            "The client found nothing in common (alert handshake_failure): allow TLS 1.2 or later and ECDHE with ECDSA in it"
        ),
        42: TLSAlert(
            "bad_certificate", "bad_certificate",
            "The client rejected our certificate (alert bad_certificate): it does not trust the CA, refuses something in it, or "
                + "checks another name", certificate: true, trust: true),
        43: TLSAlert(
            "unsupported_certificate", "bad_certificate",
            "The client cannot use our certificate, an EC P-256 one (alert unsupported_certificate)"),
        44: TLSAlert("certificate_revoked", "bad_certificate"),
        45: TLSAlert(
            "certificate_expired", "bad_certificate",
            "The client says that our certificate has expired (alert certificate_expired): compare the clocks of both "
                + "machines, or restart the server, which makes a new CA and certificate when they have ended"),
        46: TLSAlert(
            "certificate_unknown", "unknown_ca",
            "The client does not accept our certificate (alert certificate_unknown), most often because it does not trust "
                + "the CA or refuses something in it", certificate: true, trust: true),
        47: TLSAlert("illegal_parameter", "other"),
        48: TLSAlert(
            "unknown_ca", "unknown_ca",
            "The client does not trust our certificate (alert unknown_ca)", trust: true),
        49: TLSAlert("access_denied", "bad_certificate"),
        50: TLSAlert("decode_error", "other"),
        51: TLSAlert(
            "decrypt_error", "bad_certificate",
            "The client could not verify our signature (alert decrypt_error): it may hold the ca.pem of an earlier CA",
            trust: true),
        70: TLSAlert(
            "protocol_version", "protocol_version",
            "The client does not speak the TLS version chosen (alert protocol_version); APNs needs 1.2 or later"),
        71: TLSAlert(
            "insufficient_security", "cipher",
            "The client wants stronger ciphers than were agreed on (alert insufficient_security)"),
        80: TLSAlert("internal_error", "other"),
        86: TLSAlert("inappropriate_fallback", "protocol_version"),
        90: TLSAlert("user_canceled", "closed"),
        109: TLSAlert("missing_extension", "other"),
        110: TLSAlert("unsupported_extension", "other"),
        112: TLSAlert("unrecognized_name", "certificate_name"),
        113: TLSAlert("bad_certificate_status_response", "bad_certificate"),
        116: TLSAlert("certificate_required", "bad_certificate"),
        120: TLSAlert(
            "no_application_protocol", "alpn", "The client refused the protocol chosen (alert no_application_protocol)"),
    ]
}

/// The alerts of TLS by name, for whoever sends one on purpose.
package enum TLSAlertNumber {
    /// The numbers by name: "certificate_expired" is 45.
    package static let byName: [String: UInt8] = Dictionary(
        uniqueKeysWithValues: TLSAlert.table.map { ($1.name, $0) })

    /// A fatal alert as a record of its own, for a peer whose handshake has not begun to be answered.
    package static func record(_ number: UInt8) -> [UInt8] {
        [21, 3, 3, 0, 2, 2, number]
    }
}

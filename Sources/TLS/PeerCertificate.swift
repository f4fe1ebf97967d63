/// A client certificate as APNs reads it.
package struct PeerCertificate: Sendable, Equatable {
    /// What a certificate allows for one topic.
    package struct Topic: Sendable, Hashable {
        /// The topic, a bundle id with or without suffix.
        package var name: String
        /// "app", "voip", "complication"; empty when the certificate does not say.
        package var kinds: [String]

        package init(_ name: String, kinds: [String] = []) {
            self.name = name
            self.kinds = kinds
        }
    }

    /// Why a certificate ends the handshake.
    package struct Refusal: Sendable {
        /// The alert that the client gets.
        package enum Alert: Sendable {
            case certificateExpired
            case certificateRevoked
            /// The one that belongs to ``PeerCertificate/verificationError``: mostly unknown_ca.
            case ofVerification
        }

        package let alert: Alert
        /// One sentence for people.
        package let explanation: String

        package init(_ alert: Alert, _ explanation: String) {
            self.alert = alert
            self.explanation = explanation
        }
    }

    /// The subject, one line.
    package var subject: String
    /// The serial number, hexadecimal.
    package var serial: String
    /// SHA-256 of the certificate, hexadecimal.
    package var fingerprint: String
    /// The UID in the subject: the main bundle id and default topic.
    package var userID: String?
    /// The topics of extensions 1.2.840.113635.100.6.3.4 and .6.3.6, the UID's included.
    package let topics: [String]
    /// The same with what each is allowed for.
    package let listing: [Topic]
    /// Extension .6.3.1.
    package var isDevelopment: Bool
    /// Extension .6.3.2.
    package var isProduction: Bool
    /// Seconds since 1970.
    package var notBefore: Int64
    /// Seconds since 1970.
    package var notAfter: Int64
    /// Nil when the chain is good; otherwise OpenSSL's words.
    package var verificationError: String?

    /// A certificate made up from its parts, as tests need it.
    package init(
        subject: String, serial: String = "01", fingerprint: String = "", userID: String? = nil, listing: [Topic] = [],
        isDevelopment: Bool = true, isProduction: Bool = true, notBefore: Int64 = 0, notAfter: Int64 = .max,
        verificationError: String? = nil
    ) {
        self.subject = subject
        self.serial = serial
        self.fingerprint = fingerprint
        self.userID = userID
        self.listing = listing
        topics = listing.map(\.name)
        self.isDevelopment = isDevelopment
        self.isProduction = isProduction
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.verificationError = verificationError
    }
}

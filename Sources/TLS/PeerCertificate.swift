/// A client certificate as APNs reads it.
package struct PeerCertificate: Sendable, Equatable {
    /// The subject, one line.
    package var subject: String
    /// The serial number, hexadecimal.
    package var serial: String
    /// The UID in the subject: the main bundle id and default topic.
    package var userID: String?
    /// The topics of extensions 1.2.840.113635.100.6.3.4 and .6.3.6, the UID's included.
    package var topics: [String]
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
}

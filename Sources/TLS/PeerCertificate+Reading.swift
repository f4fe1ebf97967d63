import COpenSSL

extension PeerCertificate {
    /// The attribute for UID in subjects.
    private static let userIDAttribute = NID_userId

    /// Reads the first certificate in PEM text.
    package init(pem: String, source: String = "the certificate") throws(TLSError) {
        let file = PEMFile(bytes: Array(pem.utf8), source: source)
        self.init(try file.certificates()[0], verificationError: nil)
    }

    /// Reads what APNs looks at; what cannot be read is left out, as everything in it may come from an attacker.
    init(_ certificate: CertificateHandle, verificationError: String?) {
        defer { COpenSSL_clearErrors() }
        let userID = certificate.subjectText(Self.userIDAttribute)
        self.init(
            subject: certificate.subject, serial: certificate.serial,
            fingerprint: Hexadecimal.text(certificate.fingerprint), userID: userID,
            listing: Self.listing(of: certificate, userID: userID),
            isDevelopment: certificate.extensionValue(AppleExtension.development) != nil,
            isProduction: certificate.extensionValue(AppleExtension.production) != nil,
            notBefore: certificate.notBefore, notAfter: certificate.notAfter, verificationError: verificationError)
    }

    private static func listing(of certificate: CertificateHandle, userID: String?) -> [Topic] {
        var topics: [Topic] = []
        if let value = certificate.extensionValue(AppleExtension.topics) {
            topics = AppleExtension.readTopics(value)
        }
        if let value = certificate.extensionValue(AppleExtension.voipTopics) {
            for topic in AppleExtension.readVoIPTopics(value) where !topics.contains(where: { $0.name == topic.name }) {
                topics.append(topic)
            }
        }
        if let userID, !topics.contains(where: { $0.name == userID }) {
            topics.insert(Topic(userID, kinds: ["app"]), at: 0)
        }
        return topics
    }
}

import COpenSSL

/// The test CA: signs server certificates for a few names and client certificates, and nothing else.
package struct CertificateAuthority: Sendable {
    /// The name by which people know it in a list of authorities.
    static let commonName = "mock-apns TEST CA - do not trust outside tests"
    /// The years for which a new CA is valid.
    static let validDays: Int64 = 3652
    /// The most that Apple's systems accept of a server certificate, less a day.
    static let serverValidDays: Int64 = 397
    /// New certificates are valid from this long before now, since clocks differ between containers.
    static let backdatedSeconds: Int64 = 86_400
    static let secondsPerDay: Int64 = 86_400

    let certificate: CertificateHandle
    let key: KeyHandle

    /// The CA's certificate.
    package let certificatePEM: String

    init(certificate: CertificateHandle, key: KeyHandle) throws(TLSError) {
        self.certificate = certificate
        self.key = key
        certificatePEM = try certificate.pem()
    }

    /// A new CA for the key, limited to these names.
    static func make(key: KeyHandle, names: [SubjectName], now: Int64) throws(TLSError) -> CertificateAuthority {
        var constraints: [String] = []
        for name in names where !constraints.contains(name.constraintText) { constraints.append(name.constraintText) }
        let template = CertificateTemplate(
            subject: [(NID_commonName, commonName)],
            notBefore: now - backdatedSeconds, notAfter: now + validDays * secondsPerDay,
            extensions: [
                .known(NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                .known(NID_key_usage, "critical,keyCertSign,cRLSign"),
                .known(NID_ext_key_usage, "serverAuth,clientAuth"),
                .known(NID_subject_key_identifier, "hash"),
                .known(NID_name_constraints, "critical," + constraints.joined(separator: ",")),
            ])
        return try CertificateAuthority(certificate: template.sign(for: key, issuer: nil, issuerKey: key), key: key)
    }

    /// A CA that nobody trusts, for certificates that shall be refused.
    package static func stranger() throws(TLSError) -> CertificateAuthority {
        try make(key: .generateP256(), names: SubjectName.standard, now: SystemTime.now)
    }

    /// A server certificate for these names.
    func issueServerCertificate(
        for serverKey: KeyHandle, names: [SubjectName], now: Int64
    ) throws(TLSError) -> CertificateHandle {
        let notBefore = now - Self.backdatedSeconds
        let template = CertificateTemplate(
            subject: [(NID_commonName, "mock-apns server (test only)")],
            notBefore: notBefore,
            notAfter: min(notBefore + Self.serverValidDays * Self.secondsPerDay, certificate.notAfter),
            extensions: [
                .known(NID_basic_constraints, "critical,CA:FALSE"),
                .known(NID_key_usage, "critical,digitalSignature"),
                .known(NID_ext_key_usage, "serverAuth"),
                .known(NID_subject_key_identifier, "hash"),
                .known(NID_authority_key_identifier, "keyid"),
                .known(NID_subject_alt_name, names.map(\.extensionText).joined(separator: ",")),
            ])
        return try template.sign(for: serverKey, issuer: certificate, issuerKey: key)
    }
}

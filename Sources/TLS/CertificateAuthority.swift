import COpenSSL

/// A test CA. Two kinds are made: one that senders trust, which signs one server certificate and whose key is then forgotten,
/// and one that this server alone trusts, which signs client certificates.
package struct CertificateAuthority: Sendable {
    /// The name by which people know the CA that senders trust in a list of authorities.
    static let commonName = "mock-apns TEST CA - do not trust outside tests"
    /// The name of the CA of client certificates.
    static let clientCommonName = "mock-apns TEST client CA - trusted by this server only"
    /// The days for which a new CA of client certificates is valid.
    static let clientValidDays: Int64 = 3652
    /// The most that Apple's systems accept of a server certificate, less a day; its CA ends with it.
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

    /// A new CA that senders can trust, with a key that exists nowhere else.
    static func forServer(
        names: [SubjectName], constraints: NameConstraints = .off, now: Int64
    ) throws(TLSError) -> CertificateAuthority {
        var extensions: [CertificateTemplate.Extension] = [.known(NID_ext_key_usage, "serverAuth")]
        let limits = constraints.texts(names)
        if !limits.isEmpty {
            extensions.append(.known(NID_name_constraints, "critical," + limits.joined(separator: ",")))
        }
        return try make(key: .generateP256(), commonName, days: serverValidDays, now: now, extensions)
    }

    /// A new CA of client certificates for the key.
    static func forClients(key: KeyHandle, now: Int64) throws(TLSError) -> CertificateAuthority {
        try make(key: key, clientCommonName, days: clientValidDays, now: now, [.known(NID_ext_key_usage, "clientAuth")])
    }

    private static func make(
        key: KeyHandle, _ name: String, days: Int64, now: Int64, _ extensions: [CertificateTemplate.Extension]
    ) throws(TLSError) -> CertificateAuthority {
        let notBefore = now - backdatedSeconds
        let template = CertificateTemplate(
            subject: [(NID_commonName, name)], notBefore: notBefore, notAfter: notBefore + days * secondsPerDay,
            extensions: [
                .known(NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                .known(NID_key_usage, "critical,keyCertSign,cRLSign"),
                .known(NID_subject_key_identifier, "hash"),
            ] + extensions)
        return try CertificateAuthority(certificate: template.sign(for: key, issuer: nil, issuerKey: key), key: key)
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

/// What a new CA may sign for, written into its own certificate.
package enum NameConstraints: String, Sendable, CaseIterable {
    /// Nothing is written: every TLS library takes such a CA.
    case off
    /// The host names; some versions of rustls take no CA with constraints.
    case dns
    /// The host names and the addresses; BoringSSL refuses such a CA too.
    case all

    /// The permitted names in OpenSSL's language, each once.
    func texts(_ names: [SubjectName]) -> [String] {
        var texts: [String] = []
        for name in names {
            switch (self, name) {
            case (.off, _), (.dns, .address): continue
            default: if !texts.contains(name.constraintText) { texts.append(name.constraintText) }
            }
        }
        return texts
    }
}

import COpenSSL

/// Certificates by which senders authenticate themselves instead of by tokens.
extension CertificateAuthority {
    /// What a client certificate shall say.
    package struct ClientCertificateRequest: Sendable {
        /// The main bundle id, the subject's UID.
        package var userID: String
        /// The subject's common name; Apple's form is the default, by which some senders tell push certificates.
        package var commonName: String
        /// The topics of extension .6.3.6; those of kind "voip" alone are repeated in .6.3.4 when ``hasVoIPExtension`` is set.
        package var topics: [PeerCertificate.Topic]
        /// Whether it serves the development environment.
        package var isDevelopment: Bool
        /// Whether it serves the production environment.
        package var isProduction: Bool
        /// Whether extension .6.3.4 is there, as in certificates of VoIP services.
        package var hasVoIPExtension: Bool
        /// Seconds since 1970.
        package var notBefore: Int64
        /// Seconds since 1970.
        package var notAfter: Int64

        /// Apple's usual certificate for an app: the bundle id and its topics for VoIP and complications, both environments.
        package init(
            userID: String, commonName: String? = nil, topics: [PeerCertificate.Topic]? = nil,
            isDevelopment: Bool = true, isProduction: Bool = true, hasVoIPExtension: Bool = false,
            notBefore: Int64, notAfter: Int64
        ) {
            self.userID = userID
            self.commonName = commonName ?? Self.usualCommonName(of: userID)
            self.topics = topics ?? Self.usualTopics(of: userID)
            self.isDevelopment = isDevelopment
            self.isProduction = isProduction
            self.hasVoIPExtension = hasVoIPExtension
            self.notBefore = notBefore
            self.notAfter = notAfter
        }

        /// Apple's form, cut where a common name must end.
        private static func usualCommonName(of bundleID: String) -> String {
            String("Apple Push Services: \(bundleID)".unicodeScalars.prefix(maximumCommonNameCharacters))
        }

        /// Apple's form for a certificate of VoIP services.
        package static func voipName(of bundleID: String) -> String {
            String("VoIP Services: \(bundleID)".unicodeScalars.prefix(maximumCommonNameCharacters))
        }

        /// The bundle id, and what Apple lists beside it.
        package static func usualTopics(of bundleID: String) -> [PeerCertificate.Topic] {
            [
                PeerCertificate.Topic(bundleID, kinds: ["app"]),
                PeerCertificate.Topic(bundleID + ".voip", kinds: ["voip"]),
                PeerCertificate.Topic(bundleID + ".complication", kinds: ["complication"]),
            ]
        }
    }

    /// A certificate and its key.
    package struct Identity: Sendable {
        /// The certificate and the CA's.
        package let certificatePEM: String
        /// PKCS #8 without password.
        package let keyPEM: String
        /// The certificate as this server will see it.
        package let certificate: PeerCertificate
        let certificateHandle: CertificateHandle
        let keyHandle: KeyHandle
        let authorityHandle: CertificateHandle
    }

    /// Longest common name (RFC 5280, appendix A.1: ub-common-name).
    package static let maximumCommonNameCharacters = 64
    /// Longest UID (RFC 1274: ub-user-identifier).
    package static let maximumUserIDCharacters = 256

    /// Issues a client certificate with a new key.
    package func issueClientCertificate(_ request: ClientCertificateRequest) throws(TLSError) -> Identity {
        try issueClientCertificate(request, for: KeyHandle.generateP256())
    }

    /// Issues a client certificate for a key.
    func issueClientCertificate(_ request: ClientCertificateRequest, for key: KeyHandle) throws(TLSError) -> Identity {
        try Self.check(request)
        let template = CertificateTemplate(
            subject: [(NID_userId, request.userID), (NID_commonName, request.commonName)],
            notBefore: request.notBefore, notAfter: request.notAfter, extensions: Self.extensions(request))
        let signed = try template.sign(for: key, issuer: certificate, issuerKey: self.key)
        return Identity(
            certificatePEM: try signed.pem() + certificatePEM, keyPEM: try key.privatePEM(),
            certificate: PeerCertificate(signed, verificationError: nil), certificateHandle: signed, keyHandle: key,
            authorityHandle: certificate)
    }

    private static func extensions(_ request: ClientCertificateRequest) -> [CertificateTemplate.Extension] {
        var extensions: [CertificateTemplate.Extension] = [
            .known(NID_basic_constraints, "critical,CA:FALSE"),
            .known(NID_key_usage, "critical,digitalSignature"),
            .known(NID_ext_key_usage, "clientAuth"),
            .known(NID_subject_key_identifier, "hash"),
            .known(NID_authority_key_identifier, "keyid"),
        ]
        let null = DERWriter.element(DERTag.null, [])
        if request.isDevelopment { extensions.append(.octets(AppleExtension.development, null)) }
        if request.isProduction { extensions.append(.octets(AppleExtension.production, null)) }
        if request.hasVoIPExtension {
            let names = request.topics.filter { $0.kinds.contains("voip") }.map(\.name)
            extensions.append(.octets(AppleExtension.voipTopics, names.flatMap(DERWriter.utf8String)))
        }
        if !request.topics.isEmpty {
            extensions.append(.octets(AppleExtension.topics, AppleExtension.value(request.topics)))
        }
        return extensions
    }

    private static func check(_ request: ClientCertificateRequest) throws(TLSError) {
        guard (1...maximumUserIDCharacters).contains(request.userID.unicodeScalars.count) else {
            throw TLSError(
                "bundle id \"\(request.userID.prefix(80))\": expected 1 to \(maximumUserIDCharacters) characters")
        }
        guard (1...maximumCommonNameCharacters).contains(request.commonName.unicodeScalars.count) else {
            throw TLSError(
                "common name \"\(request.commonName)\": expected 1 to \(maximumCommonNameCharacters) characters; "
                    + "give a shorter one")
        }
        guard request.notBefore < request.notAfter else {
            throw TLSError(
                "validity: expected an end after the beginning, found \(request.notBefore) to \(request.notAfter)")
        }
    }
}

import COpenSSL

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

    /// Longest common name (RFC 5280, appendix A.1: ub-common-name).
    package static let maximumCommonNameCharacters = 64
    /// Longest UID (RFC 1274: ub-user-identifier).
    package static let maximumUserIDCharacters = 256

    /// Apple's usual certificate for the id, both environments.
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
    private static func usualCommonName(of id: String) -> String {
        cut(PeerCertificate.Family(id: id)?.commonName(of: id) ?? "Apple Push Services: \(id)")
    }

    /// Apple's form for a certificate of VoIP services.
    package static func voipName(of bundleID: String) -> String {
        cut("VoIP Services: \(bundleID)")
    }

    private static func cut(_ name: String) -> String {
        String(name.unicodeScalars.prefix(maximumCommonNameCharacters))
    }

    /// The bundle id, and what Apple lists beside it. Passes, web sites and device management have no further topics.
    package static func usualTopics(of id: String) -> [PeerCertificate.Topic] {
        let own = PeerCertificate.Topic(id, kinds: ["app"])
        if PeerCertificate.Family(id: id) != nil { return [own] }
        return [
            own, PeerCertificate.Topic(id + ".voip", kinds: ["voip"]),
            PeerCertificate.Topic(id + ".complication", kinds: ["complication"]),
        ]
    }

    var extensions: [CertificateTemplate.Extension] {
        var extensions: [CertificateTemplate.Extension] = [
            .known(NID_basic_constraints, "critical,CA:FALSE"),
            .known(NID_key_usage, "critical,digitalSignature"),
            .known(NID_ext_key_usage, "clientAuth"),
            .known(NID_subject_key_identifier, "hash"),
            .known(NID_authority_key_identifier, "keyid"),
        ]
        let null = DERWriter.element(DERTag.null, [])
        if isDevelopment { extensions.append(.octets(AppleExtension.development, null)) }
        if isProduction { extensions.append(.octets(AppleExtension.production, null)) }
        if hasVoIPExtension {
            let names = topics.filter { $0.kinds.contains("voip") }.map(\.name)
            extensions.append(.octets(AppleExtension.voipTopics, names.flatMap(DERWriter.utf8String)))
        }
        if !topics.isEmpty {
            extensions.append(.octets(AppleExtension.topics, AppleExtension.value(topics)))
        }
        return extensions
    }

    func check() throws(TLSError) {
        guard (1...Self.maximumUserIDCharacters).contains(userID.unicodeScalars.count) else {
            throw TLSError(
                "bundle id \"\(userID.prefix(80))\": expected 1 to \(Self.maximumUserIDCharacters) characters")
        }
        guard (1...Self.maximumCommonNameCharacters).contains(commonName.unicodeScalars.count) else {
            throw TLSError(
                "common name \"\(commonName)\": expected 1 to \(Self.maximumCommonNameCharacters) characters; "
                    + "give a shorter one")
        }
        guard notBefore < notAfter else {
            throw TLSError("validity: expected an end after the beginning, found \(notBefore) to \(notAfter)")
        }
    }
}

extension PeerCertificate {
    /// Certificates that are for one topic, their UID, and not for an app.
    package enum Family: String, CaseIterable, Sendable {
        case pass = "pass."
        case deviceManagement = "com.apple.mgmt."
        case website = "web."

        /// The family of a UID; nil for an app's bundle id.
        package init?(id: String) {
            guard let family = Self.allCases.first(where: { id.hasPrefix($0.rawValue) }) else { return nil }
            self = family
        }

        /// Apple's common name for an id of the family.
        func commonName(of id: String) -> String {
            switch self {
            case .pass: "Pass Type ID: \(id)"
            case .deviceManagement: "APSP:\(id.split(separator: ".").last ?? "")"
            case .website: "Website Push ID: \(id)"
            }
        }
    }
}

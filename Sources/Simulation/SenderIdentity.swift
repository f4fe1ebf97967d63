import TLS

/// Who sent a request, as far as that was proved.
enum SenderIdentity {
    case none
    case token(VerifiedToken)
    indirect case certificate(PeerCertificate)

    /// How the entry shows it.
    var shown: SenderReference {
        switch self {
        case .none: .none
        case .token(let token): token.shown
        case .certificate(let certificate): SenderReference(.certificate(subject: certificate.subject))
        }
    }

    /// The topics of the client certificate; empty for a provider token.
    var certificateTopics: [String] {
        guard case .certificate(let certificate) = self else { return [] }
        return certificate.topics
    }

    /// The topic of a request that names none.
    var defaultTopic: String? {
        guard case .certificate(let certificate) = self else { return nil }
        // One for a pass, a web site or device management is for its UID, whatever else it lists.
        if let userID = certificate.userID, PeerCertificate.Family(id: userID) != nil { return userID }
        // A certificate with several topics has no default: the sender must say which one is meant.
        guard certificate.topics.count <= 1 else { return nil }
        return certificate.userID ?? certificate.topics.first
    }
}

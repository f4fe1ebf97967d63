import APNs
import TLS

/// What APNs demands of client certificates.
enum CertificateRules {
    /// The certificate is valid and for this environment.
    static func check(
        _ certificate: PeerCertificate, _ environment: Environment, isRevoked: Bool, now: Int64,
        _ failures: inout [CheckFailure]
    ) {
        var problem: String?
        if let error = certificate.verificationError { problem = error }
        if now > certificate.notAfter {
            problem = "it ended \(Explanation.duration(seconds: now - certificate.notAfter)) ago"
        } else if now < certificate.notBefore {
            problem = "it begins in \(Explanation.duration(seconds: certificate.notBefore - now))"
        }
        if isRevoked { problem = "it was revoked" }
        if let problem {
            failures.append(
                CheckFailure(
                    .certificate, .badCertificate, expected: "a valid certificate", actual: problem,
                    explanation: "The client certificate \(certificate.subject) is not valid: \(problem)."))
        }
        if let failure = environmentFailure(certificate, environment) { failures.append(failure) }
    }

    /// The rule about environments; nil when the certificate is for this one.
    static func environmentFailure(_ certificate: PeerCertificate, _ environment: Environment) -> CheckFailure? {
        // A certificate with neither marker is none of Apple's; it may serve both.
        guard certificate.isDevelopment || certificate.isProduction else { return nil }
        let isGood = environment == .sandbox ? certificate.isDevelopment : certificate.isProduction
        if isGood { return nil }
        let other = environment == .sandbox ? "production" : "development"
        return CheckFailure(
            .certificateEnvironment, .badCertificateEnvironment, expected: "a certificate for \(environment)",
            actual: "a \(other) certificate",
            explanation: "The client certificate \(certificate.subject) is a \(other) certificate, and this is "
                + "\(environment).")
    }

    /// The certificate covers the topic: it lists it for pushes of this kind, and the type is not one for provider tokens only.
    static func checkTopic(
        _ topic: Span<UInt8>, suffix: PushType?, _ certificate: PeerCertificate, _ failures: inout [CheckFailure]
    ) {
        if let suffix, suffix.row.certificateUse == .never {
            return disallow(
                topic, expected: "a provider token",
                "Pushes of type \(suffix.rawValue) need a provider token; no client certificate covers the topic "
                    + "\(topic.shownText()).", &failures)
        }
        let kind = kind(suffix)
        var otherKinds: [String] = []
        for listed in certificate.listing where TopicPattern(listed.name).matches(topic) {
            if listed.kinds.isEmpty || kind == nil || listed.kinds.contains(kind ?? "") { return }
            otherKinds += listed.kinds
        }
        let listed = certificate.topics.joined(separator: ", ")
        if let kind, !otherKinds.isEmpty {
            return disallow(
                topic, expected: "a certificate that lists the topic for \(kind)",
                "The client certificate lists the topic \(topic.shownText()) for \(otherKinds.joined(separator: ", ")), "
                    + "not for \(kind).", &failures)
        }
        if let userID = certificate.userID, TopicPattern(userID).matches(topic) { return }
        disallow(
            topic, expected: listed,
            "The client certificate is for \(listed), not for the topic \(topic.shownText()).", &failures)
    }

    private static func disallow(
        _ topic: Span<UInt8>, expected: String, _ explanation: String, _ failures: inout [CheckFailure]
    ) {
        failures.append(
            CheckFailure(
                .topicAllowed, .topicDisallowed, expected: expected, actual: topic.shownText(),
                explanation: explanation))
    }

    /// Apple's word for what a topic of this suffix is for, as extension .6.3.6 has it; nil where none is known.
    private static func kind(_ suffix: PushType?) -> String? {
        switch suffix {
        case nil: "app"
        case .voip: "voip"
        case .complication: "complication"
        default: nil
        }
    }
}

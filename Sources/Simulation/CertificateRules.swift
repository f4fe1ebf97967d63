import APNs
import TLS

/// What APNs demands of client certificates.
enum CertificateRules {
    /// What is wrong with a certificate, and the alert by which a handshake says so.
    private struct Problem {
        let words: String
        let alert: PeerCertificate.Refusal.Alert
    }

    /// The certificate is valid and for this environment.
    static func check(
        _ certificate: PeerCertificate, _ environment: Environment, isRevoked: Bool, now moment: Instant,
        _ failures: inout [CheckFailure]
    ) {
        let now = moment.server / 1000
        if let problem = problem(certificate, isRevoked: isRevoked, now: now) {
            var failure = CheckFailure(
                .certificate, .badCertificate, expected: "a valid certificate", actual: problem.words,
                explanation: "The client certificate \(certificate.subject) is not valid: \(problem.words).")
            // Without the clock that a test has moved, or the revocation, it would be good.
            let isInTime = (certificate.notBefore...max(certificate.notBefore, certificate.notAfter)).contains(
                moment.machine / 1000)
            failure.isAskedFor = certificate.verificationError == nil && isInTime
            failures.append(failure)
        }
        if let failure = environmentFailure(certificate, environment) { failures.append(failure) }
    }

    /// Why the certificate ends its handshake; nil when it does not.
    static func refusal(
        _ certificate: PeerCertificate, isRevoked: Bool, now: Int64
    ) -> PeerCertificate.Refusal? {
        guard let problem = problem(certificate, isRevoked: isRevoked, now: now) else { return nil }
        let alert =
            switch problem.alert {
            case .certificateExpired: "alert certificate_expired"
            case .certificateRevoked: "alert certificate_revoked"
            case .ofVerification: "an alert"
            }
        return PeerCertificate.Refusal(
            problem.alert,
            "The client certificate \(certificate.subject), serial \(certificate.serial), is not valid: \(problem.words). "
                + "The handshake was ended with \(alert), as APNs does; --bad-certificates 403 answers each push "
                + "BadCertificate instead")
    }

    /// The first of several: what another CA signed was never ours to revoke, and the dates come last.
    private static func problem(_ certificate: PeerCertificate, isRevoked: Bool, now: Int64) -> Problem? {
        if let error = certificate.verificationError {
            return Problem(
                words:
                    "\(error), that is, no CA that this server trusts for client certificates (client-ca.pem of --certs, or "
                    + "--client-ca) has signed it for a client", alert: .ofVerification)
        }
        if isRevoked { return Problem(words: "it was revoked", alert: .certificateRevoked) }
        let time = "by the server's clock, which says \(TimeText.text(seconds: now))"
        if now > certificate.notAfter {
            let ago = Explanation.duration(seconds: now - certificate.notAfter)
            return Problem(words: "it ended \(ago) ago \(time)", alert: .certificateExpired)
        }
        if now < certificate.notBefore {
            let left = Explanation.duration(seconds: certificate.notBefore - now)
            return Problem(words: "it begins in \(left) \(time)", alert: .certificateExpired)
        }
        return nil
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

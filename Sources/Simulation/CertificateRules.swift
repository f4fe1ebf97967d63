import APNs
import TLS

/// What APNs demands of client certificates.
enum CertificateRules {
    /// The certificate is valid and for this environment.
    static func check(
        _ certificate: PeerCertificate, _ environment: Environment, now: Int64, _ failures: inout [CheckFailure]
    ) {
        var problem: String?
        if let error = certificate.verificationError { problem = error }
        if now > certificate.notAfter {
            problem = "it ended \(Explanation.duration(seconds: now - certificate.notAfter)) ago"
        } else if now < certificate.notBefore {
            problem = "it begins in \(Explanation.duration(seconds: certificate.notBefore - now))"
        }
        if let problem {
            failures.append(
                CheckFailure(
                    .certificate, .badCertificate, expected: "a valid certificate", actual: problem,
                    explanation: "The client certificate \(certificate.subject) is not valid: \(problem)."))
        }
        // A certificate with neither marker is none of Apple's; it may serve both.
        guard certificate.isDevelopment || certificate.isProduction else { return }
        let isGood = environment == .sandbox ? certificate.isDevelopment : certificate.isProduction
        if isGood { return }
        let other = environment == .sandbox ? "production" : "development"
        failures.append(
            CheckFailure(
                .certificateEnvironment, .badCertificateEnvironment, expected: "a certificate for \(environment)",
                actual: "a \(other) certificate",
                explanation: "The client certificate \(certificate.subject) is a \(other) certificate, and this is "
                    + "\(environment)."))
    }

    /// The certificate lists the topic.
    static func checkTopic(
        _ topic: Span<UInt8>, suffix: PushType?, _ certificate: PeerCertificate, _ failures: inout [CheckFailure]
    ) {
        for listed in certificate.topics where TopicPattern(listed).matches(topic) { return }
        if let userID = certificate.userID, TopicPattern(userID).matches(topic) { return }
        let listed = certificate.topics.joined(separator: ", ")
        failures.append(
            CheckFailure(
                .topicAllowed, .topicDisallowed, expected: listed, actual: topic.shownText(),
                explanation: "The client certificate is for \(listed), not for the topic \(topic.shownText())."))
    }
}

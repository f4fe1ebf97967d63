import APNs
import Simulation
import TLS
import Testing

/// Senders that prove who they are with a client certificate.
struct CertificateRulesTests {
    private func certificate(
        topics: [String] = ["com.example.app"], isDevelopment: Bool = true, isProduction: Bool = true,
        notBefore: Int64 = 0, notAfter: Int64 = .max, error: String? = nil
    ) -> PeerCertificate {
        PeerCertificate(
            subject: "UID=com.example.app", userID: "com.example.app",
            listing: topics.map { PeerCertificate.Topic($0) }, isDevelopment: isDevelopment,
            isProduction: isProduction, notBefore: notBefore, notAfter: notAfter, verificationError: error)
    }

    @Test func `a certificate needs no token, and a token is not even read`() throws {
        for authorization in [nil, "bearer garbage", "Basic x"] {
            var sender = try PushSender(certificate: certificate())
            let decision = sender.decide(PushRecipe(authorization: authorization))
            #expect(decision.reason == nil)
            guard case .certificate(let subject) = decision.entry.content.authentication else {
                Issue.record("\(decision.entry.content.authentication)")
                continue
            }
            #expect(subject == "UID=com.example.app")
        }
    }

    @Test func `the topic of a certificate with one is understood`() throws {
        var sender = try PushSender(certificate: certificate())
        var recipe = PushRecipe(authorization: nil)
        recipe["apns-topic"] = nil
        let decision = sender.decide(recipe)
        #expect(decision.reason == nil)
        #expect(decision.entry.content.defaultTopic == "com.example.app")
        #expect(decision.entry.content.topic == nil)
        var several = try PushSender(certificate: certificate(topics: ["com.example.app", "com.example.app.voip"]))
        #expect(several.decide(recipe).reason == .missingTopic)
    }

    @Test func `a certificate covers the topics it lists`() throws {
        var sender = try PushSender(certificate: certificate(topics: ["com.example.app", "com.example.app.voip"]))
        var recipe = PushRecipe(authorization: nil)
        #expect(sender.decide(recipe).reason == nil)
        recipe["apns-topic"] = "com.example.app.voip"
        recipe["apns-push-type"] = "voip"
        #expect(sender.decide(recipe).reason == nil)
        recipe["apns-topic"] = "com.example.app.push-type.liveactivity"
        recipe["apns-push-type"] = "alert"
        let decision = sender.decide(recipe)
        #expect(decision.reason == .topicDisallowed)
        #expect(decision.failures.first?.expected == "com.example.app, com.example.app.voip")
    }

    @Test func `a certificate is valid for a time and an environment`() throws {
        let start = PushSender.start / 1000
        let cases: [(PeerCertificate, Environment, Reason?)] = [
            (certificate(notAfter: start), .sandbox, nil),
            (certificate(notAfter: start - 1), .sandbox, .badCertificate),
            (certificate(notBefore: start), .sandbox, nil),
            (certificate(notBefore: start + 1), .sandbox, .badCertificate),
            (certificate(error: "self-signed certificate"), .sandbox, .badCertificate),
            (certificate(isProduction: false), .sandbox, nil),
            (certificate(isProduction: false), .production, .badCertificateEnvironment),
            (certificate(isDevelopment: false), .sandbox, .badCertificateEnvironment),
            (certificate(isDevelopment: false), .production, nil),
            (certificate(isDevelopment: false, isProduction: false), .production, nil),
            (certificate(isProduction: false, error: "x"), .production, .badCertificate),
        ]
        for (index, (certificate, environment, reason)) in cases.enumerated() {
            var sender = try PushSender(environment: environment, certificate: certificate)
            #expect(sender.decide(PushRecipe(authorization: nil)).reason == reason, "case \(index)")
        }
    }

    @Test func `a connection with a certificate may use all streams from the start`() throws {
        var configuration = Simulator.Configuration()
        configuration.initialStreams = 1
        var sender = try PushSender(configuration, certificate: certificate())
        #expect(sender.decide(PushRecipe(authorization: nil)).maxConcurrentStreams == nil)
    }
}

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
        var matcher = Matcher()
        try matcher.require("topic", anyOf: ["com.example.*"])
        #expect(matcher.matches(decision.entry))
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
        recipe["apns-topic"] = "com.example.app.push-type.widgets"
        recipe["apns-push-type"] = "alert"
        let decision = sender.decide(recipe)
        #expect(decision.reason == .topicDisallowed)
        #expect(decision.failures.first?.expected == "com.example.app, com.example.app.voip")
    }

    /// What a push type needs of a certificate, as rows: what is listed, the push, the reason.
    @Test(
        arguments: [
            ("com.example.app app", "alert", "com.example.app", nil),
            ("com.example.app app", "background", "com.example.app", nil),
            ("com.example.app voip", "alert", "com.example.app", .topicDisallowed),
            ("com.example.app", "alert", "com.example.app", nil),
            ("com.example.app.voip voip", "voip", "com.example.app.voip", nil),
            ("com.example.app.voip voip", "alert", "com.example.app.voip", .invalidPushType),
            ("com.example.app.voip app", "voip", "com.example.app.voip", .topicDisallowed),
            ("com.example.app app", "voip", "com.example.app.voip", .topicDisallowed),
            ("com.example.app.voip voip", "complication", "com.example.app.complication", .topicDisallowed),
            ("com.example.app.complication complication", "complication", "com.example.app.complication", nil),
            ("com.example.app.voip-ptt voip", "pushtotalk", "com.example.app.voip-ptt", nil),
            ("com.example.app app", "pushtotalk", "com.example.app.voip-ptt", .topicDisallowed),
            ("com.example.app app", "fileprovider", "com.example.app.pushkit.fileprovider", .topicDisallowed),
            (
                "com.example.app.pushkit.fileprovider", "fileprovider", "com.example.app.pushkit.fileprovider",
                .topicDisallowed
            ),
            ("com.example.app app", "controls", "com.example.app.push-type.controls", .topicDisallowed),
            ("com.example.app.push-type.widgets", "widgets", "com.example.app.push-type.widgets", nil),
            ("com.example.app.location-query", "location", "com.example.app.location-query", .topicDisallowed),
            (
                "com.example.app.push-type.liveactivity", "liveactivity", "com.example.app.push-type.liveactivity",
                .topicDisallowed
            ),
        ] as [(String, String, String, Reason?)])
    func `a certificate serves the push types that it lists, and some types need a token`(
        listed: String, type: String, topic: String, reason: Reason?
    ) throws {
        let words = listed.split(separator: " ").map(String.init)
        let certificate = PeerCertificate(
            subject: "UID=com.example.other", userID: "com.example.other",
            listing: [.init(words[0], kinds: Array(words.dropFirst())), .init("com.example.other", kinds: ["app"])])
        var configuration = Simulator.Configuration()
        configuration.profile = .live
        var sender = try PushSender(configuration, certificate: certificate)
        var recipe = PushRecipe(authorization: nil)
        recipe["apns-topic"] = topic
        recipe["apns-push-type"] = type
        let decision = sender.decide(recipe)
        #expect(decision.reason == reason)
        let needsToken = decision.failures.first?.explanation.contains("need a provider token") ?? false
        #expect(needsToken == ["location", "liveactivity", "fileprovider"].contains(type))
    }

    @Test(
        arguments: [
            ("com.example.app", [], "com.example.app"), ("com.example.app", [".voip"], nil),
            ("pass.com.example.card", [], "pass.com.example.card"),
            ("pass.com.example.card", [".voip", ".complication"], "pass.com.example.card"),
            ("com.apple.mgmt.External.1", [".voip"], "com.apple.mgmt.External.1"),
            ("web.com.example", [".voip"], "web.com.example"),
            ("website.example", [".voip"], nil), ("com.apple.mgmtx", [".voip"], nil),
        ] as [(String, [String], String?)])
    func `a certificate for a pass, a site or device management has its UID as topic`(
        userID: String, others: [String], topic: String?
    ) throws {
        let certificate = PeerCertificate(
            subject: "UID=\(userID)", userID: userID,
            listing: [.init(userID, kinds: ["app"])] + others.map { .init(userID + $0, kinds: ["voip"]) })
        var configuration = Simulator.Configuration()
        configuration.profile = .live
        var sender = try PushSender(configuration, certificate: certificate)
        var recipe = PushRecipe(authorization: nil)
        recipe["apns-topic"] = nil
        recipe["apns-push-type"] = nil
        let decision = sender.decide(recipe)
        #expect(decision.entry.content.defaultTopic == topic)
        #expect(decision.reason == (topic == nil ? .missingTopic : nil))
    }

    /// What ends a handshake: the certificate, whether it is revoked, the alert and a word of the explanation.
    @Test func `a bad certificate ends the handshake, unless the settings say otherwise`() throws {
        let start = PushSender.start / 1000
        typealias Alert = PeerCertificate.Refusal.Alert
        let cases: [(PeerCertificate, Bool, Alert?, String)] = [
            (certificate(), false, nil, ""), (certificate(notAfter: start), false, nil, ""),
            (certificate(notAfter: start - 1), false, .certificateExpired, "it ended 1 s"),
            (certificate(notBefore: start + 60), false, .certificateExpired, "it begins in"),
            (certificate(), true, .certificateRevoked, "it was revoked"),
            (certificate(notAfter: start - 1), true, .certificateRevoked, "it was revoked"),
            (certificate(error: "self-signed certificate"), false, .ofVerification, "self-signed certificate"),
            (certificate(notAfter: 1, error: "self-signed certificate"), true, .ofVerification, "client-ca.pem"),
            // The environment is not the handshake's affair.
            (certificate(isDevelopment: false), false, nil, ""),
        ]
        for (index, (certificate, isRevoked, alert, words)) in cases.enumerated() {
            for (profile, ends) in [(Profile.strict, true), (.live, true), (.lenient, false), (.strict, false)] {
                var configuration = Simulator.Configuration()
                configuration.profile = profile
                configuration.refusesHandshakes = ends || profile == .lenient
                let sender = try PushSender(configuration, certificate: certificate)
                sender.simulator.clock.freeze(at: PushSender.start)
                if isRevoked { sender.simulator.certificates.add(certificate, isRevoked: true) }
                let refusal = sender.simulator.refusalOfHandshake(certificate)
                #expect(refusal?.alert == (ends ? alert : nil), "case \(index), \(profile)")
                guard let refusal else { continue }
                #expect(refusal.explanation.contains(words), "\(refusal.explanation)")
                #expect(refusal.explanation.contains("UID=com.example.app"))
                #expect(refusal.explanation.contains("--bad-certificates 403"))
            }
        }
    }

    @Test func `the default topic says what kind of push it is`() throws {
        let certificate = PeerCertificate(
            subject: "UID=com.example.app.voip", userID: "com.example.app.voip",
            listing: [.init("com.example.app.voip", kinds: ["voip"])])
        var sender = try PushSender(certificate: certificate)
        var recipe = PushRecipe(authorization: nil)
        recipe["apns-topic"] = nil
        recipe["apns-push-type"] = "voip"
        let accepted = sender.decide(recipe)
        #expect(accepted.reason == nil)
        #expect(accepted.entry.content.payloadLimit == 5120)
        recipe["apns-push-type"] = "alert"
        #expect(sender.decide(recipe).reason == .invalidPushType)
    }

    @Test func `a missing topic is explained in the certificate's own terms`() throws {
        var sender = try PushSender(certificate: certificate(topics: ["com.example.app", "com.example.app.voip"]))
        var recipe = PushRecipe(authorization: nil)
        recipe["apns-topic"] = nil
        let explanation = try #require(sender.decide(recipe).failures.first?.explanation)
        #expect(explanation.contains("the client certificate is for com.example.app, com.example.app.voip"))
        #expect(!explanation.contains("token"))
    }

    @Test func `a revoked certificate is bad until that is taken back`() throws {
        var sender = try PushSender(certificate: certificate())
        sender.simulator.certificates.add(certificate(), isRevoked: true)
        let decision = sender.decide(PushRecipe(authorization: nil))
        #expect(decision.reason == .badCertificate)
        #expect(decision.failures.first?.actual == "it was revoked")
        _ = sender.simulator.certificates.set(revoked: false, serial: "01")
        #expect(sender.decide(PushRecipe(authorization: nil)).reason == nil)
    }

    @Test func `in the lenient profile any certificate will do`() throws {
        var configuration = Simulator.Configuration()
        configuration.profile = .lenient
        var sender = try PushSender(
            configuration, environment: .production, certificate: certificate(isProduction: false, error: "x"))
        #expect(sender.decide(PushRecipe(authorization: nil)).reason == nil)
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
        var connection = PeerConnection(id: 1, peer: "", listener: "")
        #expect(sender.simulator.initialStreams(of: connection) == 1)
        connection.certificate = certificate()
        #expect(sender.simulator.initialStreams(of: connection) == 1000)
    }
}

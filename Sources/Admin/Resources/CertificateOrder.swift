import APNs
import JSON
import Simulation
import TLS

/// What `POST /v1/certs` shall issue.
struct CertificateOrder {
    /// How the answer carries the certificate.
    enum Form: String, CaseIterable {
        case json, pem, p12
    }

    /// Who signs.
    enum Issuer: String, CaseIterable {
        /// The CA of client certificates that this server trusts, unless `--client-ca` names another.
        case test
        /// One that is made for this certificate and forgotten: nobody trusts it.
        case stranger
    }

    let form: Form
    let issuer: Issuer
    let isRevoked: Bool
    let password: String
    let key: ClientAuthority.Key
    let request: ClientCertificateRequest

    static let topic = Parameter(
        "topic", .text, "The main bundle id, the subject's UID.", example: "com.acme.app", standard: "com.example.app")
    static let topics = Parameter(
        "topics", .texts, "All topics of the extension 1.2.840.113635.100.6.3.6; their suffixes say their kinds.",
        example: "com.acme.app",
        standard:
            "the bundle id, `.voip` and `.complication` behind it; the id alone for `pass.`, `web.` and `com.apple.mgmt.`"
    )
    static let kinds = Parameter(
        "kinds", .words(["app", "voip", "complication"]),
        "Which of the usual topics are listed; with one kind the certificate has one topic, and pushes need not name it.",
        example: "app", standard: "all three")
    static let environments = Parameter(
        "environments", .words(Environment.allCases.map(\.rawValue)), "Where the certificate is good.",
        example: "production", standard: "both")
    static let validity = Parameter(
        "validity", .form("a duration; with a minus the certificate ended so long ago"),
        "How long the certificate is good, by the server's clock.", example: "-1d", standard: "397d")
    static let revoked = Parameter("revoked", .boolean, "Whether it is revoked from the start.", example: "true")
    static let issuer = Parameter(
        "issuer", .word(Issuer.allCases.map(\.rawValue)), "Who signs; `stranger` is a CA that nobody trusts.",
        example: "stranger", standard: "test")
    static let format = Parameter(
        "format", .word(Form.allCases.map(\.rawValue)),
        "json for all in one object, pem for a file of certificate and key, p12 for a PKCS #12 file.", example: "p12",
        standard: "json")
    static let key = Parameter(
        "key", .word(ClientAuthority.Key.allCases.map(\.rawValue)),
        "The key: `shared` is the RSA 2048 key that all certificates share, as making one takes a while; `rsa` is a new one, `ec` "
            + "a new P-256 key, which several senders cannot read.", example: "ec", standard: "shared")
    static let password = Parameter(
        "password", .text, "The password of the PKCS #12 file.", example: "secret", standard: "mock-apns")

    /// All members of the body.
    static let members = [topic, topics, kinds, environments, validity, revoked, issuer, key, format, password]
    /// How long a certificate is good unless the body says otherwise: what Apple's own systems accept at most.
    private static let standardSeconds: Int64 = 397 * secondsPerDay
    private static let secondsPerDay: Int64 = 86_400

    /// Reads an order; `now` in seconds on the server's clock.
    init(_ bytes: [UInt8], now: Int64) throws(Problem) {
        let body = try BodyFields(bytes, Self.members)
        form = try body.word(Self.format).flatMap { Form(rawValue: $0) } ?? .json
        issuer = try body.word(Self.issuer).flatMap { Issuer(rawValue: $0) } ?? .test
        key = try body.word(Self.key).flatMap { ClientAuthority.Key(rawValue: $0) } ?? .shared
        isRevoked = try body.boolean(Self.revoked) ?? false
        password = try body.text(Self.password) ?? ClientIdentity.standardPassword
        let listed = try Self.listing(body)
        let bundleID = try body.text(Self.topic) ?? listed?.first?.name ?? CertificateStore.exampleBundleID
        let kinds = Set(try body.words(Self.kinds))
        let usual = ClientCertificateRequest.usualTopics(of: bundleID)
            .filter { kinds.isEmpty || !kinds.isDisjoint(with: $0.kinds) }
        if let family = PeerCertificate.Family(id: bundleID), !kinds.isSubset(of: ["app"]) {
            throw Problem(
                .badBody,
                "The body asks for the kinds \(kinds.sorted().joined(separator: ", ")) of \(quoted(bundleID)), but a certificate "
                    + "for \(family.rawValue) lists that topic alone; leave \"kinds\" out.")
        }
        // The UID is a topic for alerts, unless it has a suffix, as in Apple's certificates for VoIP services.
        let isForApp = listed != nil || kinds.isEmpty || kinds.contains("app")
        let userID = isForApp ? bundleID : usual.first?.name ?? bundleID
        let places = Set(try body.words(Self.environments))
        let seconds = try body.difference(Self.validity).map { $0 / 1000 } ?? Self.standardSeconds
        request = ClientCertificateRequest(
            userID: userID,
            commonName: kinds == ["voip"] ? ClientCertificateRequest.voipName(of: bundleID) : nil,
            topics: listed ?? usual,
            isDevelopment: places.isEmpty || places.contains(Environment.sandbox.rawValue),
            isProduction: places.isEmpty || places.contains(Environment.production.rawValue),
            hasVoIPExtension: (listed ?? usual).contains { $0.kinds == ["voip"] },
            // A day before, as clocks differ; one that has ended began before its end.
            notBefore: min(now, now + seconds) - Self.secondsPerDay, notAfter: now + seconds)
    }

    private static func listing(_ body: BodyFields) throws(Problem) -> [PeerCertificate.Topic]? {
        guard let names = try body.texts(topics) else { return nil }
        if body.has(kinds) {
            throw Problem(.badBody, "The body has both \"topics\" and \"kinds\"; expected one of them.")
        }
        return names.map { name in
            let kind = name.hasSuffix(".voip") ? "voip" : name.hasSuffix(".complication") ? "complication" : "app"
            return PeerCertificate.Topic(name, kinds: [kind])
        }
    }
}

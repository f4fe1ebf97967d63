/// A provider token as it was read, before anybody checked its signature.
package struct ProviderToken: Sendable {
    /// How the token is signed.
    package enum Algorithm: Sendable {
        case es256
        /// SHA-512 over a P-256 key, as one sender in wide use signs.
        case es512
    }

    package let algorithm: Algorithm
    /// `kid`.
    package let keyID: String
    /// `iss`.
    package let teamID: String
    /// `iat`, seconds since 1970.
    package let issuedAt: Double
    /// The bytes that the signature covers.
    package let signedBytes: [UInt8]
    package let signature: [UInt8]
    /// Where the token departs from Apple's text.
    package let findings: [Finding]

    /// How many bytes an `authorization` field may have; those of senders have about 230.
    package static let lengthLimit = 4096
    /// How many bytes a key id or a team id may have.
    package static let idLengthLimit = 64
    /// How many seconds a token is valid.
    package static let lifetime: Int64 = 3600
    /// How many seconds a token may be issued in the future.
    package static let futureTolerance: Int64 = 300
    /// How many seconds must pass before a connection may use a new token.
    package static let refreshInterval: Int64 = 1200

    /// The token in the value of an `authorization` field; throws the first failed check.
    package init(authorization value: Span<UInt8>) throws(CheckFailure) {
        var reader = ProviderTokenReader()
        self = try reader.read(value)
    }

    init(
        algorithm: Algorithm, keyID: String, teamID: String, issuedAt: Double, signedBytes: [UInt8],
        signature: [UInt8], findings: [Finding]
    ) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.teamID = teamID
        self.issuedAt = issuedAt
        self.signedBytes = signedBytes
        self.signature = signature
        self.findings = findings
    }

    /// Whether a token of this age is neither too old nor from the future.
    package static func isAcceptable(issuedAt: Double, now: Int64) -> Bool {
        let age = Double(now) - issuedAt
        return age <= Double(lifetime) && age >= -Double(futureTolerance)
    }

    /// The age rule; nil when the token is acceptable.
    package static func ageFailure(issuedAt: Double, now: Int64) -> CheckFailure? {
        if isAcceptable(issuedAt: issuedAt, now: now) { return nil }
        let age = Double(now) - issuedAt
        let clock = Explanation.timeOfDay(seconds: now)
        // A million years either way is enough for a sentence, and keeps the conversion in range.
        let seconds = Int64(Swift.max(-3e13, Swift.min(3e13, age)))
        let duration = Explanation.duration(seconds: seconds)
        let expected = "\(-futureTolerance)..\(lifetime) s"
        if age > 0 {
            return CheckFailure(
                .tokenAge, .expiredProviderToken, expected: expected, actual: "\(seconds) s",
                explanation:
                    "The JWT's iat is \(duration) before the server clock (\(clock)); provider tokens are valid "
                    + "for \(lifetime / 60) minutes.")
        }
        let isMilliseconds = issuedAt > 1e11
        return CheckFailure(
            .tokenAge, .invalidProviderToken, expected: expected, actual: "\(seconds) s",
            explanation: isMilliseconds
                ? "The JWT's iat looks like milliseconds; it is in seconds since 1970."
                : "The JWT's iat is \(duration) after the server clock (\(clock)); at most \(futureTolerance / 60) "
                    + "minutes are tolerated.")
    }
}

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
    package static let futureTolerance: Int64 = 3600
    /// From how many seconds in the future on a token is worth a remark: a clock is wrong somewhere.
    package static let futureAdvice: Int64 = 60
    /// How many seconds must pass before a connection may use a new token.
    package static let refreshInterval: Int64 = 1200

    /// The token in the value of an `authorization` field; throws the first failed check.
    package init(authorization value: Span<UInt8>) throws(CheckFailure) {
        var reader = ProviderTokenReader()
        do throws(CheckFailure) {
            self = try reader.read(value)
        } catch {
            throw error.fix == nil ? error.looking(like: value, in: LookAlike.authorizations) : error
        }
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
        let unit = TimeUnit.of(issuedAt, now: now)
        let look = unit.map { " It looks like \($0.name); iat is in seconds since 1970." } ?? ""
        if age > 0 {
            return CheckFailure(
                .tokenAge, .expiredProviderToken, expected: expected, actual: "\(seconds) s",
                explanation:
                    "The JWT's iat is \(duration) before the server clock (\(clock)); provider tokens are valid "
                    + "for \(lifetime / 60) minutes." + look, fix: unit?.fix)
        }
        return CheckFailure(
            .tokenAge, .invalidProviderToken, expected: expected, actual: "\(seconds) s",
            explanation: "The JWT's iat is \(duration) after the server clock (\(clock)); at most "
                + "\(futureTolerance / 60) minutes are tolerated." + look,
            fix: unit?.fix ?? clockFix(ahead: seconds))
    }

    /// The finding about a token that is issued in the future but acceptable.
    package static func futureAdvice(issuedAt: Double, now: Int64) -> Finding? {
        let ahead = issuedAt - Double(now)
        guard ahead >= Double(futureAdvice), ahead <= Double(futureTolerance) else { return nil }
        let duration = Explanation.duration(seconds: Int64(ahead))
        return Finding(
            .tokenIssuedAhead, path: "iat", found: "\(duration) ahead",
            message: "The JWT's iat is \(duration) after the server clock (\(Explanation.timeOfDay(seconds: now))).")
    }

    /// A whole number of hours ahead is a local time that was taken for UTC more often than a wrong clock.
    private static func clockFix(ahead seconds: Int64) -> String {
        let beyond = seconds.magnitude % 1800
        let isZone = seconds.magnitude <= 14 * 3600 + 120 && (beyond <= 120 || beyond >= 1800 - 120)
        return isZone
            ? "Compute iat from UTC: it is off by what a time zone is off. If it is in UTC, set the sender's clock."
            : "Set the sender's clock, or this server's if a test has moved it; iat is the time of signing in UTC."
    }

    /// A unit or an epoch that `iat` was written in by mistake.
    private struct TimeUnit {
        let name: String
        let fix: String
        /// How the value is made into seconds since 1970.
        let factor: Double
        var offset = 0.0

        private static let now = "Send whole seconds since 1970: Math.floor(Date.now() / 1000), int(time.time()), "
        private static let all = [
            TimeUnit(name: "milliseconds", fix: "Divide iat by 1000. " + now + "time().", factor: 1e-3),
            TimeUnit(name: "microseconds", fix: "Divide iat by 1000000. " + now + "time().", factor: 1e-6),
            TimeUnit(name: "nanoseconds", fix: "Divide iat by 1000000000. " + now + "time().", factor: 1e-9),
            TimeUnit(
                name: "seconds since 2001", fix: "Take timeIntervalSince1970, not timeIntervalSinceReferenceDate.",
                factor: 1, offset: 978_307_200),
            TimeUnit(
                name: "ticks of .NET", fix: "Take DateTimeOffset.UtcNow.ToUnixTimeSeconds().", factor: 1e-7,
                offset: -62_135_596_800),
            TimeUnit(name: "minutes", fix: "Multiply iat by 60. " + now + "time().", factor: 60),
            TimeUnit(name: "days", fix: now + "time().", factor: 86_400),
            TimeUnit(name: "seconds since 1900", fix: now + "time().", factor: 1, offset: -2_208_988_800),
        ]

        /// The unit in which a value would be a time within some years of now.
        static func of(_ value: Double, now: Int64) -> TimeUnit? {
            all.first { abs(value * $0.factor + $0.offset - Double(now)) < 3 * 366 * 86_400 }
        }
    }
}

import APNs

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A provider token that was read and verified once, remembered by its bytes.
package final class VerifiedToken: Sendable {
    /// The whole value of the `authorization` field.
    let authorization: [UInt8]
    let keyID: String
    let teamID: String
    let issuedAt: Double
    /// What came of the signature, in one word or two: "verified", "unknown key".
    let signature: StaticString
    /// Whether the key is registered, so that the signature could be looked at.
    let isVerifiable: Bool
    /// Where the token departs from Apple's text.
    let findings: [Finding]
    /// The environments in which the key is good.
    let isGoodInSandbox: Bool
    let isGoodInProduction: Bool
    /// What the key covers; empty for all topics of its team.
    let topics: [TopicPattern]
    let relatedKeyID: String?
    /// How entries show the token.
    let shown: SenderReference
    /// The generation of the keys under which all this holds.
    let generation: UInt64

    init(
        _ token: ProviderToken, authorization: [UInt8], key: KeyStore.Key?, signature: StaticString, generation: UInt64
    ) {
        self.authorization = authorization
        keyID = token.keyID
        teamID = token.teamID
        issuedAt = token.issuedAt
        self.signature = signature
        isVerifiable = key != nil
        findings = token.findings
        isGoodInSandbox = key?.environments.contains(.sandbox) ?? true
        isGoodInProduction = key?.environments.contains(.production) ?? true
        topics = key?.topics.map(TopicPattern.init) ?? []
        relatedKeyID = key?.relatedKeyID
        self.generation = generation
        shown = SenderReference(
            .token(keyID: token.keyID, teamID: token.teamID, issuedAt: token.issuedAt, signature: signature))
    }

    /// Whether a field's value is this token, byte for byte.
    func isEqual(to value: Span<UInt8>) -> Bool {
        guard authorization.count == value.count else { return false }
        return unsafe authorization.withUnsafeBytes { own in
            unsafe value.withUnsafeBytes { other in
                guard let own = own.baseAddress, let other = other.baseAddress else { return true }
                return unsafe memcmp(own, other, authorization.count) == 0
            }
        }
    }

    func isGood(in environment: Environment) -> Bool {
        switch environment {
        case .sandbox: isGoodInSandbox
        case .production: isGoodInProduction
        }
    }

    var isTeamScoped: Bool { topics.isEmpty }

    /// Adds what is to be said of the token, which may depend on the time in seconds.
    @inline(__always)
    func examine(now: Int64, _ findings: inout [Finding]) {
        if !self.findings.isEmpty { findings.append(contentsOf: self.findings) }
        if issuedAt > Double(now), let finding = ProviderToken.futureAdvice(issuedAt: issuedAt, now: now) {
            findings.append(finding)
        }
    }
}

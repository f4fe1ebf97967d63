import APNs
import TLS

/// Proves who a sender is: reads provider tokens, verifies each once, and applies the rules of a connection to them.
final class Authenticator: Sendable {
    /// What the rules say of tokens.
    struct Settings: Sendable {
        /// Whether senders must prove who they are.
        var isRequired = true
        /// Whether a token of a key that is not registered is accepted unverified.
        var acceptsUnknownKeys = false
        /// Whether a connection may change its token only every 20 minutes.
        var limitsTokenRefresh = true
    }

    private let keys: KeyStore
    private let settings: Settings
    private let cache = VerifiedTokenCache()

    init(keys: KeyStore, settings: Settings) {
        self.keys = keys
        self.settings = settings
    }

    /// The token of a request; adds the checks that fail. A token that failed is returned too where it could be read and
    /// verified, so that the entry can show whose it was.
    ///
    /// `isBinding` says that the checks before these passed: only then does the connection remember the token.
    func authenticate(
        _ authorization: Span<UInt8>, on state: inout ConnectionState, environment: Environment, now: Int64,
        isBinding: Bool, _ failures: inout [CheckFailure]
    ) -> VerifiedToken? {
        if let current = state.current, current.generation == keys.generation, current.isEqual(to: authorization) {
            if isCurrent(current, environment, now) { return current }
            check(current, on: state, environment, now, &failures)
            return current
        }
        let count = failures.count
        guard let token = read(authorization, &failures) else { return nil }
        check(token, on: state, environment, now, &failures)
        if failures.count == count, isBinding { use(token, on: &state, now) }
        return token
    }

    /// Forgets all verified tokens.
    func reset() {
        cache.removeAll()
    }

    /// Whether the token that the connection used last is still good: what can change between two requests.
    private func isCurrent(_ token: VerifiedToken, _ environment: Environment, _ now: Int64) -> Bool {
        token.isGood(in: environment) && ProviderToken.isAcceptable(issuedAt: token.issuedAt, now: now / 1000)
    }

    // MARK: One token by itself

    /// A token from the cache, or read and verified.
    private func read(_ authorization: Span<UInt8>, _ failures: inout [CheckFailure]) -> VerifiedToken? {
        // Before the keys are asked: what changes them later makes this token out of date.
        let generation = keys.generation
        var bytes: [UInt8] = []
        if authorization.count <= ProviderToken.lengthLimit {
            bytes.reserveCapacity(authorization.count)
            for position in 0..<authorization.count { bytes.append(authorization[position]) }
            if let token = cache.token(bytes, generation: generation) { return token }
        }
        let token: ProviderToken
        do {
            token = try ProviderToken(authorization: authorization)
        } catch {
            failures.append(error)
            return nil
        }
        let key = keys.key(token.keyID)
        let count = failures.count
        let signature = verify(token, key, &failures)
        let verified = VerifiedToken(
            token, authorization: bytes, key: key, signature: signature, generation: generation)
        if failures.count == count { cache.insert(verified) }
        return verified
    }

    /// Checks key, signature and team; returns what came of the signature, for the entry.
    private func verify(
        _ token: ProviderToken, _ key: KeyStore.Key?, _ failures: inout [CheckFailure]
    ) -> StaticString {
        guard let key else {
            if settings.acceptsUnknownKeys { return "unknown key" }
            failures.append(unknownKey(token))
            return "unknown key"
        }
        if key.isRevoked {
            var failure = CheckFailure(
                .tokenKey, .invalidProviderToken, expected: "a key in use", actual: "\(key.keyID), revoked",
                explanation: "The key \(key.keyID) was revoked.",
                fix: "Sign with another key, and open new connections; here PATCH /v1/keys/\(key.keyID) takes the "
                    + "revocation back.")
            failure.isAskedFor = true
            failures.append(failure)
        }
        let isGood =
            switch token.algorithm {
            case .es256: key.key.verifies(signature: token.signature, of: token.signedBytes)
            case .es512: key.key.verifiesSHA512(signature: token.signature, of: token.signedBytes)
            }
        if !isGood {
            failures.append(
                CheckFailure(
                    .tokenSignature, .invalidProviderToken, expected: "a signature by \(key.keyID)",
                    actual: "another signature",
                    explanation:
                        "The signature does not fit the key \(key.keyID): the token was signed by another key or "
                        + "changed afterwards.", fix: TokenMistakes.fix(badSignature: token, of: key, among: keys.all)))
        }
        if token.teamID != key.teamID {
            failures.append(wrongTeam(token, key))
        }
        return isGood ? "verified" : "invalid"
    }

    private func unknownKey(_ token: ProviderToken) -> CheckFailure {
        let all = keys.all
        let known = all.map(\.keyID).prefix(5).joined(separator: ", ")
        let failure = CheckFailure(
            .tokenKey, .invalidProviderToken, expected: known.isEmpty ? "a registered key" : known,
            actual: token.keyID,
            explanation: "The JWT's kid \(token.keyID) is none of the registered keys"
                + (known.isEmpty ? "; there are none." : " (\(known))."),
            fix: TokenMistakes.fix(unknownKey: token, among: all))
        return failure.fix == nil
            ? failure.looking(likeIdentifier: token.keyID, usually: TokenMistakes.registerKey) : failure
    }

    /// What is said of a team that is not the key's.
    private func wrongTeam(_ token: ProviderToken, _ key: KeyStore.Key) -> CheckFailure {
        let failure = CheckFailure(
            .tokenTeam, .invalidProviderToken, expected: key.teamID, actual: token.teamID,
            explanation: "The JWT's iss is \(token.teamID), but the key \(key.keyID) belongs to team \(key.teamID).",
            fix: TokenMistakes.fix(wrongTeam: token, key))
        return failure.fix == nil
            ? failure.looking(
                likeIdentifier: token.teamID,
                usually: "Write iss as \(key.teamID), or sign with a key of team \(token.teamID).")
            : failure
    }

    // MARK: A token on a connection

    /// Checks what depends on the connection and on time.
    private func check(
        _ token: VerifiedToken, on state: ConnectionState, _ environment: Environment, _ now: Int64,
        _ failures: inout [CheckFailure]
    ) {
        if let first = state.first {
            if first.teamID != token.teamID {
                failures.append(
                    CheckFailure(
                        .tokenTeam, .invalidProviderToken, expected: first.teamID, actual: token.teamID,
                        explanation: "This connection belongs to team \(first.teamID) since its first push; a token of "
                            + "team \(token.teamID) needs a connection of its own.",
                        fix: "Open a connection of its own for each team."))
            } else if !isRelated(token, to: first) {
                failures.append(
                    CheckFailure(
                        .relatedKey, .unrelatedKeyIDInToken, expected: first.relatedKeyID ?? first.keyID,
                        actual: token.keyID,
                        explanation: "This connection uses the key \(first.keyID) since its first push, and the key "
                            + "\(token.keyID) is not related to it."))
            }
        }
        if !token.isGood(in: environment) {
            let other: Environment = environment == .sandbox ? .production : .sandbox
            failures.append(
                CheckFailure(
                    .keyEnvironment, .badEnvironmentKeyInToken, expected: "a key for \(environment.rawValue)",
                    actual: "a key for \(other.rawValue)",
                    explanation: "The key \(token.keyID) is for \(other.rawValue), and this is \(environment.rawValue)."
                ))
        }
        if let failure = ProviderToken.ageFailure(issuedAt: token.issuedAt, now: now / 1000) {
            failures.append(failure)
        }
        if settings.limitsTokenRefresh { checkRefresh(token, on: state, now, &failures) }
    }

    /// A team's keys that cover everything may be mixed; any other key must be the first one or the one related to it.
    private func isRelated(_ token: VerifiedToken, to first: VerifiedToken) -> Bool {
        token.keyID == first.keyID || token.keyID == first.relatedKeyID || first.keyID == token.relatedKeyID
            || (token.isTeamScoped && first.isTeamScoped)
    }

    /// A connection may exchange the token of a key every 20 minutes.
    private func checkRefresh(
        _ token: VerifiedToken, on state: ConnectionState, _ now: Int64, _ failures: inout [CheckFailure]
    ) {
        guard let use = state.uses.first(where: { $0.token.keyID == token.keyID }) else { return }
        guard use.token.authorization != token.authorization else { return }
        // A token that has expired must be replaced, however short it was in use.
        guard ProviderToken.isAcceptable(issuedAt: use.token.issuedAt, now: now / 1000), !use.isCalledExpired else {
            return
        }
        // A clock that was set back starts a new interval.
        let elapsed = (now - use.since) / 1000
        guard elapsed >= 0, elapsed < ProviderToken.refreshInterval else { return }
        failures.append(
            CheckFailure(
                .tokenRefresh, .tooManyProviderTokenUpdates,
                expected: "the same token for \(ProviderToken.refreshInterval) s", actual: "another after \(elapsed) s",
                explanation:
                    "This connection changed its provider token \(Explanation.duration(seconds: elapsed)) ago; "
                    + "another is allowed after \(ProviderToken.refreshInterval / 60) minutes. "
                    + "The earlier token still works."))
    }

    /// Remembers that the answer called a token of the connection expired.
    func callExpired(_ token: VerifiedToken, on state: inout ConnectionState) {
        for index in state.uses.indices where state.uses[index].token.authorization == token.authorization {
            state.uses[index].isCalledExpired = true
        }
    }

    /// Remembers an accepted token.
    private func use(_ token: VerifiedToken, on state: inout ConnectionState, _ now: Int64) {
        if state.first == nil { state.first = token }
        state.current = token
        if let index = state.uses.firstIndex(where: { $0.token.keyID == token.keyID }) {
            if state.uses[index].token.authorization != token.authorization {
                state.uses[index].since = now
                state.uses[index].isCalledExpired = false
            }
            state.uses[index].token = token
        } else {
            if state.uses.count >= ConnectionState.tokenUseLimit { state.uses.removeFirst() }
            state.uses.append(ConnectionState.TokenUse(token: token, since: now))
        }
    }
}

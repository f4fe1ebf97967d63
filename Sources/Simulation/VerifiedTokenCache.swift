import Locking

/// Tokens verified on any connection, so that a sender with many connections pays for one signature.
final class VerifiedTokenCache: Sendable {
    /// How many tokens are remembered; real senders use a handful.
    static let limit = 1024

    private let tokens = Lock<[[UInt8]: VerifiedToken]>([:])

    /// The token with these bytes, if it was verified under the present keys.
    func token(_ authorization: [UInt8], generation: UInt64) -> VerifiedToken? {
        tokens.withLock { tokens in
            guard let token = tokens[authorization], token.generation == generation else { return nil }
            return token
        }
    }

    /// Remembers a token. A full cache forgets everything: a sender that makes so many tokens reuses none.
    func insert(_ token: VerifiedToken) {
        tokens.withLock { tokens in
            if tokens.count >= Self.limit { tokens.removeAll(keepingCapacity: true) }
            tokens[token.authorization] = token
        }
    }

    /// Forgets all.
    func removeAll() {
        tokens.withLock { $0.removeAll() }
    }

    /// How many tokens are remembered.
    var count: Int { tokens.withLock { $0.count } }
}

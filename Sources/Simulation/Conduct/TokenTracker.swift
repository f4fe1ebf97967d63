import APNs

/// How a sender uses its provider tokens: L001, L002, L030.
///
/// Workers may have a connection and a token each, and connections may share a token; so tokens are compared on one connection,
/// and counted against the connections that were in use in the same time.
struct TokenTracker {
    /// The shortest time, in milliseconds, after which a token may be changed for another; tokens are counted over it, too.
    static let refreshInterval: Int64 = 20 * 60 * 1000
    /// So many tokens for each connection are usual within the interval: one, and the next.
    static let usual = 2

    /// What one connection does with the tokens of a key.
    private struct Use {
        /// The token that the server took last, and when it came to be used.
        var token: UInt64
        var since: Int64
        /// Which tokens were used for which topic.
        var topics: [String: Set<UInt64>] = [:]
        /// The tokens that this was told of.
        var remarked: Set<UInt64> = []
    }

    /// What all connections do with the tokens of a key: when each was last seen.
    private struct Window {
        var tokens: [UInt64: Int64] = [:]
        var connections: [UInt64: Int64] = [:]
        var isRemarked = false
    }

    /// By connection and key.
    private var uses: [String: Use] = [:]
    /// By key.
    private var windows: [String: Window] = [:]

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        guard case .token(let keyID, let teamID, _, _) = facts.content.authentication, let token = facts.token else {
            return
        }
        let key = "\(teamID) \(keyID)"
        seeUse(facts, token, "\(facts.content.connection.value.id) \(key)", keyID, &remarks)
        seeWindow(facts, token, key, keyID, &remarks)
    }

    private mutating func seeUse(
        _ facts: ConductFacts, _ token: UInt64, _ place: String, _ keyID: String, _ remarks: inout [Conduct.Remark]
    ) {
        let now = facts.content.serverTime
        // A token that the server refuses must be replaced, and whatever was in use before is what counts.
        let isRefused = facts.content.reason.map { $0.status == 403 } ?? false
        guard var use = uses[place] else {
            guard !isRefused else { return }
            uses[place] = Use(token: token, since: now, topics: [facts.topic: [token]])
            return
        }
        defer { uses[place] = use }
        if use.token == token {
            if isRefused { use.since = .min }
            use.topics[facts.topic, default: []].insert(token)
            return
        }
        let isEarly = use.since != .min && now >= use.since && now - use.since < Self.refreshInterval
        let others = use.topics[facts.topic] ?? []
        use.topics[facts.topic, default: []].insert(token)
        if isEarly, use.remarked.insert(token).inserted {
            let age = Explanation.duration(seconds: (now - use.since) / 1000)
            // Every token so far kept to a topic of its own.
            let isPerTopic = others.subtracting([token]).isEmpty && use.topics.count > 1
            remarks.append(
                isPerTopic
                    ? .init(
                        code: .tokenPerTopic,
                        message: "The connection used another provider token of the key \(keyID) for the topic "
                            + "\(facts.topic) than for the topics before.")
                    : .init(
                        code: .tokenRefreshedOften,
                        message: "The connection changed its provider token of the key \(keyID) after \(age)"
                            + facts.clockWords + "."))
        }
        // Of a token that is refused the one before stays in use.
        guard !isRefused, facts.content.reason != .tooManyProviderTokenUpdates else { return }
        use.token = token
        use.since = now
    }

    private mutating func seeWindow(
        _ facts: ConductFacts, _ token: UInt64, _ key: String, _ keyID: String, _ remarks: inout [Conduct.Remark]
    ) {
        let now = facts.content.serverTime
        var window = windows[key] ?? Window()
        defer { windows[key] = window }
        window.connections[facts.content.connection.value.id] = now
        // What was refused had to be replaced.
        window.tokens[token] = facts.content.reason?.status == 403 ? nil : now
        guard !window.isRemarked, window.tokens.count > Self.usual else { return }
        window.tokens = window.tokens.filter { abs(now - $0.value) < Self.refreshInterval }
        window.connections = window.connections.filter { abs(now - $0.value) < Self.refreshInterval }
        guard window.tokens.count > Self.usual * window.connections.count else { return }
        window.isRemarked = true
        remarks.append(
            .init(
                code: .tokenPerRequest,
                message: "\(window.tokens.count) provider tokens of the key \(keyID) came within 20 minutes over "
                    + (window.connections.count == 1 ? "one connection." : "\(window.connections.count) connections.")))
    }
}

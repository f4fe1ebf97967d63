import APNs

/// How a sender uses its provider tokens: L001, L002.
struct TokenTracker {
    /// The shortest time, in milliseconds, after which a token may be changed for another.
    static let refreshInterval: Int64 = 20 * 60 * 1000
    /// So many requests of a key in a row, each with a token of its own, are a habit.
    static let habit = 3

    private struct Use {
        var token: UInt64
        var since: Int64
    }

    private struct Row {
        var token: UInt64
        var changes = 0
        var isRemarked = false
    }

    /// By connection and key.
    private var uses: [String: Use] = [:]
    /// By key.
    private var rows: [String: Row] = [:]

    mutating func see(_ facts: ConductFacts, _ remarks: inout [Conduct.Remark]) {
        guard case .token(let keyID, let teamID, _, _) = facts.content.authentication, let token = facts.token else {
            return
        }
        let key = "\(teamID) \(keyID)"
        seeUse(facts, token, key, keyID, &remarks)
        var row = rows[key] ?? Row(token: token)
        if row.token == token {
            row.changes = rows[key] == nil ? 1 : 0
        } else {
            row.changes += 1
            row.token = token
        }
        if row.changes >= Self.habit, !row.isRemarked {
            row.isRemarked = true
            remarks.append(
                .init(
                    code: .tokenPerRequest,
                    message:
                        "\(row.changes) requests in a row of the key \(keyID) each had a provider token of its own."))
        }
        rows[key] = row
    }

    private mutating func seeUse(
        _ facts: ConductFacts, _ token: UInt64, _ key: String, _ keyID: String, _ remarks: inout [Conduct.Remark]
    ) {
        let place = "\(facts.content.connection.value.id) \(key)"
        let now = facts.content.serverTime
        guard let use = uses[place] else {
            uses[place] = Use(token: token, since: now)
            return
        }
        guard use.token != token else { return }
        uses[place] = Use(token: token, since: now)
        let age = now - use.since
        guard age >= 0, age < Self.refreshInterval else { return }
        remarks.append(
            .init(
                code: .tokenRefreshedOften,
                message: "The connection changed its provider token of the key \(keyID) after "
                    + "\(Explanation.duration(seconds: age / 1000))."))
    }
}

import APNs
package import Simulation

/// Which entries a guest means: the conditions of the query, and what the route adds to them.
package struct Filter: Sendable {
    /// The conditions of the query and of the route.
    package private(set) var matcher = Matcher()
    /// The conditions of the query alone: what a refused request may still agree with.
    package private(set) var asked = Matcher()

    /// Reads the filters of a call.
    package init(_ call: AdminCall, about subject: ListQuestion.Subject) throws(Problem) {
        let now = call.simulator.clock.now().machine
        for name in call.query.names where Self.isFilter(name) {
            if name == Self.search {
                try search(call.query.text(name) ?? "", now: now)
                continue
            }
            let values = try call.query.values(name)
            if subject == .notifications { try Self.checkAccepted(name, values, call.query) }
            do throws(MatcherError) {
                try asked.require(name, anyOf: values, now: now)
            } catch {
                throw Self.problem(error)
            }
        }
        matcher = asked
        try Self.checkCost(asked)
        if subject == .notifications { try restrict() }
    }

    /// Refuses what takes too long for a single push.
    private static func checkCost(_ matcher: Matcher) throws(Problem) {
        guard matcher.cost > MatchCost.entryLimit else { return }
        throw WaitProblem.tooCostly(
            "These conditions can take \(matcher.cost) steps for one push; there may be \(MatchCost.entryLimit).",
            budget: MatchCost.entryLimit, used: matcher.cost)
    }

    /// Refuses what, asked of so many entries at once, could hold up other guests.
    func checkCost(of entries: Int) throws(Problem) {
        let (cost, isBeyond) = (matcher.cost &+ MatchCost.bodyBytes).multipliedReportingOverflow(by: entries)
        guard isBeyond || cost > MatchCost.queryLimit else { return }
        throw WaitProblem.tooCostly(
            "These conditions can take \(cost) steps for \(entries) entries; there may be \(MatchCost.queryLimit).",
            budget: MatchCost.queryLimit, used: cost)
    }

    /// What a matcher object describes.
    init(_ matcher: Matcher, about subject: ListQuestion.Subject = .requests) throws(Problem) {
        asked = matcher
        self.matcher = matcher
        try Self.checkCost(matcher)
        if subject == .notifications { try restrict() }
    }

    /// Only accepted pushes are meant, though nobody said so.
    private mutating func restrict() throws(Problem) {
        do throws(MatcherError) {
            let accepted = JournalEntry.Outcome.accepted.rawValue
            try matcher.require("outcome", anyOf: [accepted], implied: true)
            try matcher.require("kind", anyOf: Self.pushes, implied: true)
        } catch {
            throw Self.problem(error)
        }
    }

    /// The parameter that holds words.
    static let search = "q"

    private mutating func search(_ words: String, now: Int64) throws(Problem) {
        do throws(MatcherError) {
            try asked.search(words, now: now)
        } catch {
            throw Self.problem(error)
        }
    }

    /// What counts as a push; requests that manage channels are none.
    private static let pushes = [RequestKind.device.rawValue, RequestKind.broadcast.rawValue]

    private static let names = Set(FilterParameters.all.map(\.name))

    private static func isFilter(_ name: String) -> Bool {
        names.contains(Query.base(of: name)) || Query.openPrefixes.contains { name.hasPrefix($0) }
    }

    /// Asking accepted pushes for a refusal would always find nothing, and a test would wait in vain.
    private static func checkAccepted(_ name: String, _ values: [String], _ query: Query) throws(Problem) {
        let possible = ["outcome": ["accepted"], "status": ["200"], "reason": [], "kind": pushes]
        guard let possible = possible[name], let value = values.first(where: { !possible.contains($0) }) else { return }
        throw Problem(
            .badValue,
            "The parameter \(quoted(name)) has the value \(quoted(value)), but /v1/notifications lists accepted pushes "
                + "only.",
            hint: "Ask /v1/requests?\(name)=\(PercentText.encode(value)) instead.")
    }

    private static func problem(_ error: MatcherError) -> Problem {
        Problem(.badValue, error.message + ".", hint: error.suggestion.map { "Did you mean \(quoted($0))?" })
    }
}

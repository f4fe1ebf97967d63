package import APNs
package import JSON

/// Failures at random, as a set of rules that anybody can read.
package struct Chaos: Sendable {
    /// How many of a hundred pushes are refused, by which reasons.
    package var rejectPercent: Double
    package var reasons: [Reason]
    /// How many of a hundred accepted pushes lose their answer with their connection.
    package var dropPercent: Double
    /// After how many requests of a connection comes a GOAWAY; nil for never.
    package var goAwayEvery: Int?
    /// How it was described.
    package let source: [UInt8]

    private let latency: [UInt8]?
    private let match: [UInt8]?

    /// The members of a description.
    package static let members = ["rejectPercent", "reasons", "latency", "dropPercent", "goawayEvery", "match"]
    /// What refuses when no reasons are given.
    package static let standardReasons: [Reason] = [.internalServerError, .serviceUnavailable]
    /// Rules of this kind are asked after ordinary ones.
    package static let priority = -1000

    /// Reads a description.
    package init(_ document: JSONDocument, _ element: JSONElement) throws(RuleError) {
        let object = try RuleObject(document, element, path: "", names: Self.members)
        rejectPercent = try object.number("rejectPercent", in: 0...100) ?? 0
        dropPercent = try object.number("dropPercent", in: 0...100) ?? 0
        goAwayEvery = try object.integer("goawayEvery", in: 1...Rule.countLimit)
        latency = object.source("latency")
        match = object.source("match")
        source = Array(document.written(element).utf8)
        var reasons: [Reason] = []
        for element in try object.elements("reasons") ?? [] {
            let word = document.string(element) ?? document.written(element)
            guard let reason = Reason(wire: word) else {
                let words = Reason.allCases.map(\.word)
                throw RuleError(
                    "reasons", "reasons has \(word); expected reasons of Apple's, see GET /v1/reasons.",
                    suggestion: NearestName.of(word, among: words))
            }
            reasons.append(reason)
        }
        self.reasons = reasons.isEmpty ? Self.standardReasons : reasons
    }

    /// The rules: latency first, which lets the others follow.
    package func rules(now: Int64) throws(RuleError) -> [Rule] {
        var rules: [Rule] = []
        if let latency {
            rules.append(
                try rule(
                    "chaos-latency", #"{"delay": \#(String(decoding: latency, as: UTF8.self)), "continue": true}"#, now)
            )
        }
        if let goAwayEvery {
            rules.append(
                try rule(
                    "chaos-goaway", #"{"fault": "goaway", "code": "NO_ERROR", "reason": "Shutdown"}"#, now,
                    when: #"{"per": "connection", "every": \#(goAwayEvery)}"#))
        }
        if dropPercent > 0 {
            rules.append(
                try rule(
                    "chaos-drop", #"{"fault": "accept-then-drop"}"#, now,
                    when: #"{"per": "device", "probability": \#(dropPercent / 100)}"#))
        }
        // Each rule sees what those before it let pass, so that all together refuse as many as was asked for.
        let share = rejectPercent / 100 / Double(reasons.count)
        for (index, reason) in reasons.enumerated() where share > 0 {
            let likelihood = min(1, share / (1 - share * Double(index)))
            rules.append(
                try rule(
                    "chaos-reject-\(index + 1)", #"{"reason": "\#(reason.word)"}"#, now,
                    when: #"{"per": "device", "probability": \#(likelihood)}"#))
        }
        return rules
    }

    private func rule(_ id: String, _ then: String, _ now: Int64, when: String? = nil) throws(RuleError) -> Rule {
        var text = #"{"id": "\#(id)", "priority": \#(Self.priority), "then": \#(then)"#
        if let when { text += #", "when": \#(when)"# }
        if let match { text += #", "match": \#(String(decoding: match, as: UTF8.self))"# }
        var document = JSONDocument()
        _ = document.parse(Array((text + "}").utf8))
        var rule = try RuleReader(now: now).rule(document, document.root, id: id)
        rule.origin = .chaos
        return rule
    }
}

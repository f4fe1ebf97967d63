/// A scripted outcome: which requests are meant, which of those it touches, and what then happens.
package struct Rule: Sendable {
    /// What follows the last step of a sequence.
    package enum End: String, Sendable, CaseIterable {
        /// The rule fires no more.
        case pass
        /// The last step again.
        case last
        /// The first step again.
        case cycle
    }

    /// Who made the rule.
    package enum Origin: Sendable {
        case rules, failNext, chaos
    }

    /// The JSON that described the rule, for whoever asks for it again.
    package struct Source: Sendable {
        package var match: [UInt8]?
        package var when: [UInt8]?
        package var then: [UInt8] = []
        /// Whether the stage was said, and does not follow from the rest.
        package var namesStage = false
    }

    package var id: String
    package var stage = RuleStage.afterValidation
    /// Which requests are meant.
    package var matcher = Matcher()
    package var scope = RuleScope.all
    /// How many of them pass before the rule looks at one.
    package var skip = 0
    /// How often it fires for each of what it counts by; nil for always.
    package var times: Int?
    /// It looks at each n-th only.
    package var every: Int?
    /// How likely it is to fire.
    package var probability: Double?
    /// From when on it fires, and until when, in milliseconds of the server's clock.
    package var from: Int64?
    package var until: Int64?
    /// The state of the script in which it fires, and the one that it leads to.
    package var state: String?
    package var nextState: String?
    /// One, or those of a sequence.
    package var steps: [RuleStep] = []
    package var isSequence = false
    package var end = End.pass
    /// Rules of higher priority are asked first; of the same, older ones.
    package var priority = 0
    /// How long it lives, in milliseconds of the server's clock, and until when that is.
    package var lifetime: Int64?
    package var expiresAt: Int64?
    package var note: String?
    /// Whether rules behind it are asked too when it fires.
    package var continues = false
    package var origin = Origin.rules
    /// Whether somebody chose the id; a made-up one is another rule each time.
    package var isNamed = true
    package var source = Source()

    /// Where it stands in the order of age; given by the script.
    var number: UInt64 = 0
    /// The hash of the id.
    var hash: UInt64 = 0

    /// How long an id may be.
    package static let idLimit = 64
    /// How long a note may be.
    package static let noteLimit = 1000
    /// How many steps a sequence may have.
    package static let stepLimit = 1000
    /// The largest `skip`, `times` and `every`.
    package static let countLimit = 1_000_000_000
    /// The largest priority; the smallest is its negative.
    package static let priorityLimit = 1_000_000

    /// A rule that does nothing yet.
    init(id: String) {
        self.id = id
        hash = ScriptHash.hash(id.utf8)
    }

    /// Whether it can fire at this time of the server's clock.
    func isAwake(at now: Int64) -> Bool {
        if let expiresAt, now >= expiresAt { return false }
        if let from, now < from { return false }
        if let until, now >= until { return false }
        return probability != 0
    }

    /// The most that it takes to ask it about one push, in steps.
    var cost: Int { matcher.cost &+ Self.askingCost }

    /// What asking a rule takes besides its matcher, in steps.
    private static let askingCost = 16

    /// The step of the n-th firing, from 0; nil when a sequence is over.
    func step(_ index: Int) -> RuleStep? {
        guard isSequence, index >= steps.count else { return isSequence ? steps[index] : steps.first }
        switch end {
        case .pass: return nil
        case .last: return steps.last
        case .cycle: return steps[index % steps.count]
        }
    }

    /// The faults among its outcomes.
    var faults: [FaultKind] {
        steps.compactMap { step in
            if case .fault(let fault, _)? = step.outcome { fault.kind } else { nil }
        }
    }

    /// What the rule does, in a few words.
    package var words: String {
        let texts = steps.map { step in
            [step.delay.map { _ in "delay" }, step.outcome?.words].compactMap(\.self).joined(separator: " + ")
        }
        let text = texts.prefix(3).joined(separator: ", ") + (texts.count > 3 ? ", …" : "")
        return isSequence ? "\(text), then \(end.rawValue)" : text
    }

    /// Whether a text can be an id: letters, digits, `-`, `_`, `.` and `:`.
    package static func isID(_ text: String) -> Bool {
        (1...idLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...58, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}

/// Which rules never fired, over the life of a script: those that are gone are remembered.
///
/// A rule that somebody named is the same one when it comes back under its name, after a reset or with another document of
/// state; one with a made-up id is a rule of its own each time.
struct RuleLedger: Sendable {
    /// How many ids are remembered of each kind; far more than a suite has.
    static let limit = 10_000

    /// The names that fired.
    private var fired: Set<String> = []
    /// The ids of rules that ended and had not fired, each name once.
    private var unused: [String] = []
    private var unusedNames: Set<String> = []

    /// A rule fires for the first time.
    mutating func fires(_ rule: Rule) {
        if rule.isNamed, fired.count < Self.limit { fired.insert(rule.id) }
    }

    /// A rule goes, whichever way, that has fired so often.
    mutating func ends(_ rule: Rule, hits: Int) {
        guard Self.isCounted(rule), hits == 0, unused.count < Self.limit else { return }
        if rule.isNamed, !unusedNames.insert(rule.id).inserted { return }
        unused.append(rule.id)
    }

    /// The ids of all rules that never fired: those that are gone, and of those that are there.
    func neverFired(_ present: [(rule: Rule, hits: Int)]) -> [String] {
        var ids = unused.filter { !unusedNames.contains($0) || !fired.contains($0) }
        for (rule, hits) in present where Self.isCounted(rule) && hits == 0 {
            if rule.isNamed, fired.contains(rule.id) || unusedNames.contains(rule.id) { continue }
            ids.append(rule.id)
        }
        return ids
    }

    /// Failures at random may stay away.
    private static func isCounted(_ rule: Rule) -> Bool { rule.origin != .chaos }
}

/// A condition in the form in which it is checked.
indirect enum Predicate: Sendable {
    /// All hold.
    case all([Predicate])
    /// At least one holds.
    case any([Predicate])
    /// It does not hold.
    case not(Predicate)
    /// The value of a field passes a test.
    case field(MatchField, ValueTest)

    /// Whether it holds of the entry; worth nothing when the scratch's budget is spent.
    func holds(of entry: JournalEntry, _ scratch: MatchScratch) -> Bool {
        if scratch.isSpent { return false }
        switch self {
        case .all(let parts): return parts.allSatisfy { $0.holds(of: entry, scratch) }
        case .any(let parts):
            for part in parts where !scratch.isSpent && part.holds(of: entry, scratch) { return true }
            return false
        case .not(let part): return !part.holds(of: entry, scratch)
        case .field(let field, let test):
            return field.hasValue(in: entry, scratch) { test.passes($0, $1, scratch) }
        }
    }

    /// Whether it holds as far as some values are known; nil when that depends on the others.
    func holds(where known: (MatchField, ValueTest) -> Bool?) -> Bool? {
        switch self {
        case .all(let parts):
            let parts = parts.map { $0.holds(where: known) }
            return parts.contains(false) ? false : parts.contains(nil) ? nil : true
        case .any(let parts):
            let parts = parts.map { $0.holds(where: known) }
            return parts.contains(true) ? true : parts.contains(nil) ? nil : false
        case .not(let part): return part.holds(where: known).map { !$0 }
        case .field(let field, let test): return known(field, test)
        }
    }

    /// Whether some part of it looks at such a field.
    func uses(_ isMeant: (MatchField) -> Bool) -> Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains { $0.uses(isMeant) }
        case .not(let part): part.uses(isMeant)
        case .field(let field, _): isMeant(field)
        }
    }
}

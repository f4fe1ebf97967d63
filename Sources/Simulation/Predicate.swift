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

    /// Whether it holds of the entry.
    func holds(of entry: JournalEntry, _ scratch: MatchScratch) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(of: entry, scratch) }
        case .any(let parts): parts.contains { $0.holds(of: entry, scratch) }
        case .not(let part): !part.holds(of: entry, scratch)
        case .field(let field, let test): field.hasValue(in: entry, scratch) { test.passes($0, $1) }
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

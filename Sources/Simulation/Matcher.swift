/// Which entries are meant: the one matcher behind filters, waits, verifications and rules.
package struct Matcher: Sendable {
    /// What a comparison of one entry says: the fields that agree, and those that differ with both values.
    package struct Comparison: Sendable {
        package struct Difference: Sendable {
            package var field: String
            package var expected: String
            package var actual: String
        }
        package var agree: [String] = []
        package var differ: [Difference] = []
    }

    /// Matches everything.
    package init() {}

    /// The names that `require` knows ("device", "topic", "collapseId", "type", "priority", "apnsId", "env", "status",
    /// "reason", "outcome", "keyId", "teamId", "cert", "conn", "rule", "channel", "since" …); `aps.…` and `payload.…` besides.
    package static var fieldNames: [String] { fatalError("contract") }

    /// Adds a condition: the field is one of these values, each exact or a glob with `*`. All conditions must hold.
    package mutating func require(_ field: String, anyOf values: [String]) throws(MatcherError) {
        fatalError("contract")
    }

    /// Whether the entry is meant.
    package func matches(_ entry: JournalEntry) -> Bool { fatalError("contract") }

    /// Field by field.
    package func compare(_ entry: JournalEntry) -> Comparison { fatalError("contract") }

    /// The conditions as they were given, for answers: field and values joined by commas.
    package var description: [(field: String, value: String)] { fatalError("contract") }
}

/// A condition that cannot be understood, in words for people that name the value, what was expected and the fix.
package struct MatcherError: Error, Sendable {
    package let field: String
    package let message: String
    /// The nearest known name, for an unknown field.
    package let suggestion: String?
}

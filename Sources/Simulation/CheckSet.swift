package import APNs

/// A set of checks in one word.
package struct CheckSet: Sendable, Equatable {
    private var bits: UInt64 = 0

    /// No checks.
    package init() {}

    /// These checks.
    package init(_ checks: some Sequence<Check>) {
        for check in checks { insert(check) }
    }

    /// Adds a check.
    package mutating func insert(_ check: Check) {
        bits |= 1 << UInt64(check.rawValue)
    }

    /// Whether the check is in the set.
    package func contains(_ check: Check) -> Bool {
        bits & 1 << UInt64(check.rawValue) != 0
    }
}

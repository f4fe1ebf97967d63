/// What matching may cost, in steps, and what it costs at the most.
///
/// A step is about one byte compared or one state visited: some ten machine instructions. Costs are counted and not timed, so
/// the same question is refused on every machine.
package enum MatchCost {
    /// What one question of a guest may take in all: a full journal of ordinary payloads, read and searched through.
    package static let queryLimit = 400_000_000
    /// The most that asking a guest's question of one push may take: it cannot give way in between.
    package static let entryLimit = 4_000_000
    /// After how many steps a guest's question gives way to other guests.
    package static let slice = 1_000_000
    /// What all rules together may take for one push.
    package static let ruleLimit = 250_000
    /// What all waits together may take for one push on the thread that answers it; those beyond look for themselves.
    package static let followerLimit = 50_000
    /// What all expressions of a matcher may take to be made ready.
    package static let preparationLimit = 2_000_000

    /// The longest body that is reckoned with: that of the push type that may be the longest.
    package static let bodyBytes = 5120
    /// The longest value of a header field that is reckoned with.
    static let headerBytes = 4096
    /// The longest value of all other fields that is reckoned with.
    static let wordBytes = 512
    /// What it takes to find a value: of the payload, and others.
    static let lookup = (payload: 64, header: 64, other: 8)
}

extension Predicate {
    /// The most that it takes to ask one push, in steps, without reading its payload once.
    var cost: Int {
        switch self {
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 &+ $1.cost }
        case .not(let part): part.cost &+ 1
        case .field(let field, let test): field.lookupCost &+ test.cost(bytes: field.valueBytes)
        }
    }
}

extension MatchField {
    /// The longest value that is reckoned with.
    fileprivate var valueBytes: Int {
        switch self {
        case .payload, .body: MatchCost.bodyBytes
        case .header, .collapseID, .topic, .channel, .certificate: MatchCost.headerBytes
        default: MatchCost.wordBytes
        }
    }

    fileprivate var lookupCost: Int {
        switch self {
        case .payload: MatchCost.lookup.payload &+ MatchCost.bodyBytes / 8
        case .header: MatchCost.lookup.header
        default: MatchCost.lookup.other
        }
    }
}

extension ValueTest {
    /// The most that it takes for a value of so many bytes, in steps.
    fileprivate func cost(bytes: Int) -> Int {
        switch self {
        case .oneOf(let patterns): patterns.cost(bytes: bytes)
        case .exists: 1
        case .contains(let pattern), .holds(let pattern): pattern.cost(bytes: bytes)
        case .same(_, let value): value.utf8.count &+ 1
        case .expression(let expression): expression.cost(bytes: bytes)
        case .number(_, let number): number.cost &+ bytes
        case .equal: bytes
        }
    }
}

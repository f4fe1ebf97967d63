import Simulation

/// What came of a verification.
struct VerifyResult: Sendable {
    /// A matched entry in the order of arrival.
    struct Arrival: Sendable {
        let entry: JournalEntry
        let expectation: Int
        let isOutOfOrder: Bool
    }

    /// How many arrivals are kept.
    static let arrivalLimit = 20

    /// What each expectation has.
    var matched: [MatchCollection]
    /// Accepted pushes that nobody expects.
    var others = Self.unexpected
    /// Refused requests that nobody expects.
    var rejections = Self.unexpected
    /// Entries with a finding that is not allowed.
    var findings = Self.unexpected
    /// The last matched entries up to the first that was out of order, in an ordered verification.
    private(set) var arrivals: [Arrival] = []
    var cursor: UInt64 = 0
    var oldest: UInt64 = 0
    /// Why not all that the question is about is known, in words; nil when it is.
    var gap: String?
    var truncated: Bool { gap != nil }
    var verdict = WaitMachine.Verdict.met
    var waitedMilliseconds: Int64 = 0

    /// Nothing yet.
    init(_ question: VerifyQuestion) {
        matched = question.expectations.map { _ in
            MatchCollection(limit: AdminLimits.verifiedEntries, keepsNewest: false)
        }
    }

    /// The entry that came at the wrong place.
    var outOfOrder: Arrival? { arrivals.last { $0.isOutOfOrder } }

    /// Notes a matched entry; what comes behind the first fault of order tells nothing more.
    mutating func arrive(_ entry: JournalEntry, for expectation: Int, isOutOfOrder: Bool) {
        if outOfOrder != nil { return }
        if arrivals.count == Self.arrivalLimit { arrivals.removeFirst() }
        arrivals.append(Arrival(entry: entry, expectation: expectation, isOutOfOrder: isOutOfOrder))
    }

    private static var unexpected: MatchCollection {
        MatchCollection(limit: AdminLimits.unexpectedEntries, keepsNewest: false)
    }
}

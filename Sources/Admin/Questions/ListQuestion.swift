import Simulation

/// What a list call asks: which entries, from where, shown how, and whether to wait for them.
package struct ListQuestion: Sendable {
    /// What the list is about.
    package enum Subject: Sendable {
        /// Accepted pushes.
        case notifications
        /// Everything in the inspection log.
        case requests

        /// The word for so many of them.
        package func noun(_ count: Int) -> String {
            switch self {
            case .notifications: count == 1 ? "notification" : "notifications"
            case .requests: count == 1 ? "request" : "requests"
            }
        }
    }

    /// What the answer is.
    package enum Form: Sendable {
        case list
        /// The newest match alone.
        case latest
    }

    package var subject: Subject
    package var form: Form
    /// What the guest asked for.
    package var filter: Filter
    /// Entries up to this number are not meant.
    package var after: UInt64
    package var limit: Int
    package var newestFirst: Bool
    package var projection: Projection?
    /// Nil for a plain list.
    package var expectation: WaitExpectation?
    /// Whether an expectation that ran out of time is answered 200.
    package var acceptsTimeout: Bool

    /// Reads the question out of the query of a call.
    package init(_ call: AdminCall, about subject: Subject, form: Form) throws(Problem) {
        try self.init(call.query, try Filter(call, about: subject), about: subject, form: form, call.journal)
    }

    /// Reads all but the filter out of a query or a body.
    init(
        _ values: some ParameterValues, _ filter: Filter, about subject: Subject, form: Form, _ journal: Journal
    ) throws(Problem) {
        self.subject = subject
        self.form = form
        self.filter = filter
        after = try Self.cursor(values, journal)
        limit = form == .latest ? 1 : try values.integer(ListParameters.limit) ?? AdminLimits.pageDefault
        let order = try values.word(ListParameters.order)
        newestFirst = form == .latest || order == "desc"
        projection = try Projection(values)
        expectation = try Self.expectation(values)
        acceptsTimeout = try values.word(ListParameters.onTimeout) == "ok"
    }

    /// A question about one expectation of several.
    init(_ filter: Filter, about subject: Subject, after: UInt64, _ expectation: WaitExpectation) {
        self.subject = subject
        self.filter = filter
        self.after = after
        self.expectation = expectation
        form = .list
        limit = AdminLimits.verifiedEntries
        newestFirst = false
        acceptsTimeout = false
    }

    /// An empty collection for the answer.
    package var collection: MatchCollection {
        MatchCollection(limit: limit, keepsNewest: newestFirst)
    }

    /// Where a question begins; 0 unless it says so.
    static func cursor(_ values: some ParameterValues, _ journal: Journal) throws(Problem) -> UInt64 {
        guard let text = try values.cursor(ListParameters.after) else { return 0 }
        let cursor = journal.cursor
        if text == "now" { return cursor }
        guard let number = UInt64(text) else { throw values.refusal(ListParameters.after, text, hint: nil) }
        if number > cursor {
            throw values.refusal(
                ListParameters.after, text,
                hint: "The cursor is \(cursor) now. Was this one taken from another run of the server? "
                    + "The field mock-apns-instance tells runs apart.")
        }
        return number
    }

    private static func expectation(_ values: some ParameterValues) throws(Problem) -> WaitExpectation? {
        let wait = try values.duration(ListParameters.wait)
        let count = try values.integer(ListParameters.count)
        let exactly = try values.integer(ListParameters.exactly)
        let settle = try values.duration(ListParameters.settle)
        if count != nil, exactly != nil {
            throw Problem(.badValue, "Both \"count\" and \"exactly\" are given; expected one of them.")
        }
        if settle != nil, exactly == nil || wait == nil {
            throw Problem(
                .badValue,
                "\"settle\" is the quiet behind the matches of \"exactly\" within \"wait\", which \(exactly == nil ? "\"exactly\"" : "\"wait\"") must say.",
                hint: "For example: exactly=1&wait=5s&settle=500ms")
        }
        if let exactly { return WaitExpectation(.exactly(exactly), wait: wait, settle: settle ?? AdminLimits.settle) }
        if let count { return WaitExpectation(.atLeast(count), wait: wait) }
        return wait.map { WaitExpectation(.atLeast(1), wait: $0) }
    }
}

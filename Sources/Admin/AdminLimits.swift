/// Every limit of the admin API, by name.
package enum AdminLimits {
    /// How many calls may wait at the same time.
    package static let waiters = 1000
    /// How many guests may read the event stream at the same time.
    package static let eventClients = 100
    /// How many bytes of events may wait for a guest that reads slowly.
    package static let eventBytes = 256 << 10
    /// How many answers may be sent at the same time that are made meanwhile.
    package static let sendings = 20
    /// How many completed entries and connections may wait for a guest whose turn has not come; more are counted only.
    package static let eventsAhead = 1000
    /// How often an idle event stream says that the server is still there, in milliseconds.
    package static let heartbeat: Int64 = 15_000
    /// The longest `wait` and `settle`, in milliseconds.
    package static let wait: Int64 = 60_000
    /// The quiet after the n-th match that `exactly` asks for unless `settle` says otherwise, in milliseconds.
    package static let settle: Int64 = 200
    /// How many items a list holds unless `limit` says otherwise.
    package static let pageDefault = 100
    /// The largest `limit`.
    package static let page = 1000
    /// The largest `count` and `exactly`; more than a journal holds by default could never be met.
    package static let count = 1_000_000
    /// The largest body of a request, in bytes.
    package static let bodyBytes = 1 << 20
    /// The largest head of a request, in bytes.
    package static let headBytes = 16 << 10
    /// How many near misses an unmet expectation lists.
    package static let nearMisses = 3
    /// How many expectations one verification may have.
    package static let expectations = 50
    /// The longest name of an expectation, in characters.
    package static let expectationName = 100
    /// How many entries a verification names for each expectation.
    package static let verifiedEntries = 100
    /// How many unexpected entries of a kind a failed verification shows; all are counted.
    package static let unexpectedEntries = 3
    /// How many unmet expectations of a verification are looked at for near misses.
    package static let explainedExpectations = 5
    /// How many of the newest entries are looked at for near misses.
    package static let nearMissWindow = 2000
    /// How many of the newest entries are looked at for the nearest request of a rule, and for how many rules of a list.
    package static let nearestWindow = 500
    package static let nearestRules = 20
    /// How long the tokens of devices are reckoned to be where many are looked through.
    package static let deviceTokenBytes = 64
    /// How many steps looking for near misses may take.
    package static let explainingSteps = 10_000_000
    /// How long answers may take to leave when the server stops, in milliseconds.
    package static let closingGrace: Int64 = 2000
}

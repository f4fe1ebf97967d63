/// A Live Activity on a device.
package struct InboxActivity: Sendable, Equatable {
    /// Where it is in its life.
    package enum State: String, Sendable {
        case active
        /// It shows its last content until it is dismissed.
        case ended
        /// It is shown no more.
        case dismissed
    }

    /// How long an activity runs before the system ends it: 8 hours in milliseconds.
    package static let longestRun: Int64 = 8 * 3_600_000
    /// How long an ended activity is shown at most: 4 hours in milliseconds.
    package static let longestRest: Int64 = 4 * 3_600_000

    /// The number of the entry that started it, or of the first that spoke of one that the app had started.
    package var seq: UInt64
    package var topic: String
    /// `attributes-type`; nil when the app started the activity.
    package var attributesType: String?
    package var attributes: [UInt8]?
    /// `content-state` as it was sent; nil when there was none.
    package var contentState: [UInt8]?
    package var updates = 0
    package var alerts = 0
    /// All times in milliseconds of the server's clock.
    package var startedAt: Int64
    package var updatedAt: Int64
    package var endedAt: Int64?
    /// When it goes from the screen, for one that has ended.
    package var dismissedAt: Int64?
    package var staleAt: Int64?
    package internal(set) var state = State.active
    package internal(set) var isStale = false
    /// The newest timestamp, and the entry that had it.
    var timestamp: Double?
    var lastSeq: UInt64

    init(seq: UInt64, topic: String, startedAt: Int64) {
        self.seq = seq
        self.topic = topic
        self.startedAt = startedAt
        updatedAt = startedAt
        lastSeq = seq
    }

    /// Ends the activity, to be dismissed when it asked for that, at the latest after ``longestRest``.
    mutating func end(at time: Int64, dismissal: Int64? = nil) {
        endedAt = time
        dismissedAt = min(dismissal ?? .max, time &+ Self.longestRest)
        state = .ended
    }

    /// What has become of it at a time.
    mutating func age(to now: Int64) {
        if state == .active, now - startedAt >= Self.longestRun { end(at: startedAt + Self.longestRun) }
        if let dismissedAt, dismissedAt <= now { state = .dismissed }
        isStale = state == .active && staleAt.map { $0 <= now } ?? false
    }
}

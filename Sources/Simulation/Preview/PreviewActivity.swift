package import APNs

/// What a push does to a Live Activity.
package struct PreviewActivity: Sendable, Equatable {
    /// A value of the content state beside what it was before the push.
    package struct Row: Sendable, Equatable {
        /// What became of the value.
        package enum Change: String, Sendable {
            case same, added, changed, removed
        }

        /// The dotted path in the content state.
        package var path: String
        /// The value as JSON; nil when it was removed.
        package var value: String?
        /// The value before, as JSON; nil when there was none.
        package var before: String?
        package var change: Change
    }

    package var event: LiveActivityEvent?
    package var attributesType: String?
    /// The values that the activity was started with.
    package var attributes: [Row] = []
    package var state: [Row] = []
    /// How many updates it has had, this one included.
    package var updates = 0
    /// All times in milliseconds of the server's clock.
    package var staleAt: Int64?
    package var dismissedAt: Int64?
    package var isStale = false
    package var isDismissed = false

    /// Nothing known.
    package init() {}
}

/// What a push does to a Live Activity.
package enum LiveActivityEvent: String, Sendable, CaseIterable {
    case start, update, end

    /// The names, in the order of the cases.
    static let names: [StaticString] = ["start", "update", "end"]

    /// The keys of `aps` without which the event does nothing.
    package var requiredKeys: [APSKey] {
        switch self {
        case .start: [.timestamp, .contentState, .attributesType, .attributes, .alert]
        case .update: [.timestamp, .contentState]
        case .end: [.timestamp]
        }
    }
}

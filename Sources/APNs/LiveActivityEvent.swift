package import JSON

/// What a push does to a Live Activity.
package enum LiveActivityEvent: String, Sendable, CaseIterable {
    case start, update, end

    static let names = JSONNameTable(["start", "update", "end"])

    /// The event that a string names.
    package init?(_ element: JSONElement, in document: JSONDocument) {
        guard let place = document.place(ofText: element, in: LiveActivityEvent.names) else { return nil }
        self = LiveActivityEvent.allCases[place]
    }

    /// The keys of `aps` without which the event does nothing.
    package var requiredKeys: [APSKey] {
        switch self {
        case .start: [.timestamp, .contentState, .attributesType, .attributes, .alert]
        case .update: [.timestamp, .contentState]
        case .end: [.timestamp]
        }
    }
}

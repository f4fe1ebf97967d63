package import APNs

/// A device token that is known to the server: which app of which environment received it, and what became of it.
///
/// At Apple a token belongs to one app, one kind of push and one environment; here it may be given several topics.
package struct Device: Sendable, Equatable {
    /// What became of the device and its app.
    package enum State: String, Sendable, CaseIterable {
        /// The app is there and the device is online.
        case active
        /// The app is there, but the device has no network: pushes are stored.
        case offline
        /// The app was removed, or got another token.
        case unregistered
        /// The token has expired.
        case expired
    }

    /// A change of the state, at a place in the order of pushes.
    package struct Change: Sendable, Equatable {
        package var state: State
        /// When it came about, in milliseconds of the server's clock.
        package var at: Int64
        /// The number of the last journal entry before it.
        package var cursor: UInt64

        package init(_ state: State, at: Int64, cursor: UInt64) {
            self.state = state
            self.at = at
            self.cursor = cursor
        }
    }

    /// How many changes are remembered, the newest.
    package static let changeLimit = 256
    /// How many topics a device may have.
    package static let topicLimit = 64
    /// How many bytes a topic, `os` and `locale` may have each.
    package static let textLimit = 256

    /// The token, hexadecimal digits in lower case.
    package let token: String
    package var environment: Environment
    /// The topics that the token is good for, `*` standing for any characters; all when empty.
    package var topics: [TopicPattern]
    package private(set) var state: State
    /// Since when it is in this state, in milliseconds of the server's clock: what 410 has as `timestamp`.
    package private(set) var since: Int64
    /// The system of the device, for people.
    package var os: String?
    /// The language of the device, for people.
    package var locale: String?
    /// When it was registered, in milliseconds of the server's clock.
    package internal(set) var registeredAt: Int64
    /// The place in the order of registration, from 1; 0 before it has one.
    package internal(set) var number: UInt64 = 0
    /// The changes of its state, the oldest first; before them it was active.
    package private(set) var changes: [Change] = []
    /// Whether older changes were forgotten.
    package private(set) var hasForgottenChanges = false

    /// An active device.
    package init(
        token: String, environment: Environment = .sandbox, topics: [TopicPattern] = [], os: String? = nil,
        locale: String? = nil, now: Int64
    ) {
        self.token = token.lowercased()
        self.environment = environment
        self.topics = topics
        self.os = os
        self.locale = locale
        state = .active
        since = now
        registeredAt = now
    }

    /// Puts the device into a state, since a time that may lie before now.
    package mutating func become(_ state: State, since: Int64? = nil, now: Int64, cursor: UInt64) {
        self.since = since ?? (state == self.state ? self.since : now)
        guard state != self.state else { return }
        self.state = state
        if changes.count == Self.changeLimit {
            changes.removeFirst()
            hasForgottenChanges = true
        }
        changes.append(Change(state, at: now, cursor: cursor))
    }

    /// Whether the token is good for this topic, suffix and all.
    package func takes(_ topic: Span<UInt8>) -> Bool {
        topics.isEmpty || topics.contains { $0.matches(topic) }
    }

    /// The topics in words.
    var topicWords: String {
        topics.isEmpty ? "every topic" : topics.map(\.text).joined(separator: ", ")
    }
}

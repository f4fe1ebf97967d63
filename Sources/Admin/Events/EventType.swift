import Simulation

/// What an event of the stream tells.
package enum EventType: String, Sendable, CaseIterable {
    case notification, rejected, faulted, broken
    case completed, connection
    case clock, rule, device, namespace, reset
    case evicted, hello

    /// The types that a guest can choose among; the two others are always told.
    static let selectable = allCases.filter { $0 != .evicted && $0 != .hello }

    /// The types of a guest that chooses none: what is new, once. An entry that is completed was told before, and a sender may
    /// open as many connections as it sends pushes.
    static let usual = selectable.filter { $0 != .completed && $0 != .connection }

    /// One line for the reference.
    var meaning: String {
        switch self {
        case .notification: "an accepted push or a request that manages channels"
        case .rejected: "a request that was refused"
        case .faulted: "a request that a rule disturbed"
        case .broken: "a connection that broke before its first request"
        case .completed:
            "a request that a rule had kept waiting has its answer, or will never have one; the same object again"
        case .connection:
            "a connection got as far as HTTP, has ended, or failed before; the object of `GET /v1/connections`"
        case .clock: "the clock was set or moved; the data are the answer to that call"
        case .rule: "rules were changed; the data are the answer to that call"
        case .device: "the devices were changed; the data are the answer to that call"
        case .namespace: "a namespace was made or deleted; the data are the answer to that call"
        case .reset: "the journal was reset"
        case .evicted:
            "the guest was too slow: the entries `from` to `to` are no longer held, or so many other events were `leftOut`"
        case .hello: "the first event: version, instance, cursor"
        }
    }

    /// The type that tells of an entry.
    init(_ entry: JournalEntry) {
        switch entry.content.outcome {
        case .accepted: self = .notification
        case .rejected: self = .rejected
        case .faulted: self = .faulted
        case .broken: self = .broken
        }
    }
}

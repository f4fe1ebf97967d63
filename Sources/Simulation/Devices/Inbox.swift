package import APNs

/// What a device would be showing now: the outcome of all pushes that were accepted for it.
///
/// A pure function of the entries, of the changes of the device's state and of the time; nothing is kept for it, so that
/// pushes to devices that nobody asks about cost nothing.
package struct Inbox: Sendable {
    /// A notification in Notification Center.
    package struct Notification: Sendable, Equatable {
        /// The number of the entry that it shows.
        package var seq: UInt64
        package var topic: String
        package var thread: String?
        package var collapseID: String?
        package var title: String?
        package var subtitle: String?
        package var body: String?
        package var category: String?
        package var sound: String?
        package var interruptionLevel: String?
        /// In milliseconds of the server's clock.
        package var deliveredAt: Int64
        /// How many notifications of the same collapse id it took the place of.
        package var replaces = 0
    }

    /// The notifications of one app and thread, the newest first.
    package struct Thread: Sendable, Equatable {
        package var topic: String
        /// `thread-id`; nil for notifications without one.
        package var thread: String?
        package var items: [Notification]
    }

    /// A push that an app or an extension gets, and that shows nothing by itself.
    package struct Handled: Sendable, Equatable {
        package var seq: UInt64
        package var pushType: PushType
    }

    /// A push that waits for the device to be online.
    package struct Stored: Sendable, Equatable {
        package var seq: UInt64
        /// In milliseconds of the server's clock.
        package var until: Int64
    }

    /// A push that the device shows no more, or never did.
    package struct Dropped: Sendable, Equatable {
        package var seq: UInt64
        package var cause: InboxDropCause
    }

    /// How many items each list holds at most, the newest.
    package static let listLimit = 1000
    /// How long APNs stores a push at most: 30 days in milliseconds.
    package static let longestStorage: Int64 = 30 * 86_400_000

    /// The number on the app's icon; nil when no push has set it.
    package internal(set) var badge: Int64?
    /// The groups of Notification Center, the one with the newest notification first.
    package internal(set) var center: [Thread] = []
    package internal(set) var activities: [InboxActivity] = []
    /// How many pushes woke the app without showing anything.
    package internal(set) var silentWakeups = 0
    package internal(set) var handled: [Handled] = []
    package internal(set) var stored: [Stored] = []
    package internal(set) var dropped: [Dropped] = []
    /// Whether a list was cut at ``listLimit``.
    package internal(set) var isCut = false

    /// An empty inbox.
    init() {}

    /// The inbox at some milliseconds of the server's clock, from the accepted pushes to one device in the order of their
    /// numbers and the changes of its state.
    package init(_ entries: some Sequence<JournalEntry>, changes: [Device.Change] = [], now: Int64) {
        var builder = InboxBuilder()
        var rest = changes[...]
        for entry in entries {
            while let change = rest.first, change.cursor < entry.seq {
                builder.apply(change)
                rest.removeFirst()
            }
            builder.receive(InboxPush(entry))
        }
        for change in rest { builder.apply(change) }
        self = builder.inbox(now: now)
    }
}

package import APNs

/// What a device shows because of one entry: the facts of a picture, which the web page draws and the command line tells.
///
/// An approximation: how Apple's systems lay a notification out is nowhere written down.
package struct Preview: Sendable, Equatable {
    /// What there is to see.
    package enum Kind: String, Sendable, CaseIterable {
        /// A notification.
        case alert
        /// A number on the icon or a sound, and nothing to read.
        case badge
        /// The app is woken, and nothing is shown.
        case silent
        /// An incoming call.
        case call
        /// A Live Activity.
        case activity
        /// A push that the system or an extension handles by itself.
        case system
        /// Nothing at all, although the push was accepted.
        case nothing
        /// A request that is no push.
        case request
    }

    /// A remark in a few words.
    package struct Chip: Sendable, Equatable {
        /// A stable word.
        package var name: String
        package var text: String
    }

    /// The sound of a notification.
    package struct Sound: Sendable, Equatable {
        package var name: String
        package var isCritical = false
        /// From 0 to 1; nil when the push does not say.
        package var volume: Double?
    }

    /// Who calls, on a call sheet.
    package var caller: String?
    package var kind: Kind
    /// Whether the push came as far as its device.
    package var reachesDevice: Bool
    /// What the device does with it, or why it does nothing, in one or two sentences; empty for what never reached it.
    package var note = ""
    /// Why it is shown no more, or was never; nil when nothing is in its way.
    package var fate: String?
    /// Whether it is to be drawn pale, since the device does not show it.
    package var isFaded = false

    package var app: PreviewApp
    package var title: PreviewText?
    package var subtitle: PreviewText?
    package var body: PreviewText?
    /// The number for the icon, 0 takes it away; nil leaves it as it is.
    package var badge: Int64?
    /// The number on the icon after this push, whoever set it; nil when none did.
    package var shownBadge: Int64?
    package var sound: Sound?
    package var level = InterruptionLevel.active
    package var relevance: Double?
    package var thread: String?
    package var category: String?
    package var collapseID: String?
    /// How many notifications of the same collapse id it took the place of.
    package var replaces = 0
    /// How many notifications of the same app and thread lie below it.
    package var below = 0
    package var chips: [Chip] = []
    /// URLs in the payload that an extension may load; they are shown and never fetched.
    package var links: [String] = []
    package var activity: PreviewActivity?

    /// How many accepted pushes to the same device are looked at, on either side of the entry.
    package static let historyLimit = 500

    /// A preview of which only these are known.
    init(_ kind: Kind, app: PreviewApp, reachesDevice: Bool) {
        self.kind = kind
        self.app = app
        self.reachesDevice = reachesDevice
    }
}

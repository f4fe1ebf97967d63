/// The keys of `aps`, in the order of Apple's table.
package enum APSKey: Int, Sendable, CaseIterable {
    case alert, badge, sound, threadID, category, contentAvailable, mutableContent, targetContentID
    case interruptionLevel, relevanceScore, filterCriteria
    case staleDate, contentState, timestamp, event, dismissalDate, attributesType, attributes
    case inputPushToken, inputPushChannel, contentChanged, urlArguments

    /// What is known of each key, in the order of the cases.
    package static let rows: [PayloadKeyRow] = [
        PayloadKeyRow("alert", .alert, since: "iOS 3", "The text that is shown."),
        PayloadKeyRow("badge", .badge, since: "iOS 3", "The number on the app's icon; 0 takes it away."),
        PayloadKeyRow("sound", .sound, since: "iOS 3", "The sound that is played."),
        PayloadKeyRow(
            "thread-id", .text, ofAlertsOnly: true, since: "iOS 10", "Groups notifications that belong together."),
        PayloadKeyRow(
            "category", .text, ofAlertsOnly: true, since: "iOS 8",
            "The type of the notification, which decides its actions."),
        PayloadKeyRow("content-available", .flag, since: "iOS 7", "Wakes the app in the background."),
        PayloadKeyRow(
            "mutable-content", .flag, ofAlertsOnly: true, since: "iOS 10",
            "Gives the notification to the app's extension first."),
        PayloadKeyRow(
            "target-content-id", .text, ofAlertsOnly: true, since: "iOS 13", "The window that is brought forward."),
        PayloadKeyRow(
            "interruption-level", .interruptionLevel, ofAlertsOnly: true, since: "iOS 15",
            "How important and urgent the notification is."),
        PayloadKeyRow(
            "relevance-score", .relevance, ofAlertsOnly: true, since: "iOS 15",
            "Orders the app's notifications or Live Activities."),
        PayloadKeyRow("filter-criteria", .text, ofAlertsOnly: true, since: "iOS 16", "What a Focus filter decides by."),
        PayloadKeyRow(
            "stale-date", .seconds, in: .liveActivity, since: "iOS 16.2", "When a Live Activity becomes out of date."),
        PayloadKeyRow(
            "content-state", .object, in: .liveActivity, since: "iOS 16.1", "What a Live Activity shows now."),
        PayloadKeyRow(
            "timestamp", .seconds, in: .liveActivity, since: "iOS 16.1", "When the push was made; older ones lose."),
        PayloadKeyRow(
            "event", .event, in: .liveActivity, since: "iOS 16.1", "Starts, updates or ends a Live Activity."),
        PayloadKeyRow(
            "dismissal-date", .seconds, in: .liveActivity, only: .end, since: "iOS 16.1",
            "When an ended Live Activity leaves the Lock Screen."),
        PayloadKeyRow(
            "attributes-type", .text, in: .liveActivity, only: .start, since: "iOS 17.2",
            "The Swift type of the attributes."),
        PayloadKeyRow(
            "attributes", .object, in: .liveActivity, only: .start, since: "iOS 17.2",
            "What a Live Activity is started with."),
        PayloadKeyRow(
            "input-push-token", .flag, in: .liveActivity, only: .start, since: "iOS 18",
            "Asks the device for a token for updates.", source: ApplePage.liveActivities),
        PayloadKeyRow(
            "input-push-channel", .channel, in: .liveActivity, only: .start, since: "iOS 18",
            "The broadcast channel that updates come from.", source: ApplePage.liveActivities),
        PayloadKeyRow(
            "content-changed", .contentChanged, in: .contentChanges, since: "iOS 18",
            "Tells widgets or controls to reload.", source: ApplePage.widgets),
        PayloadKeyRow(
            "url-args", .urlArguments, in: .alert, since: "Safari 7", "Fills the address of a website push."),
    ]

    package var row: PayloadKeyRow { APSKey.rows[rawValue] }
}

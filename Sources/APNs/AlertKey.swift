/// The keys of `alert`, in the order of Apple's table; the last ones are of older systems, which ignore or forgive them.
package enum AlertKey: Int, Sendable, CaseIterable {
    case title, subtitle, body, launchImage
    case titleKey, titleArguments, subtitleKey, subtitleArguments, bodyKey, bodyArguments
    case sound, actionKey, action, summaryArgument, summaryCount

    /// What is known of each key, in the order of the cases.
    package static let rows: [PayloadKeyRow] = [
        PayloadKeyRow("title", .localizableText, since: "iOS 8.2", "The title."),
        PayloadKeyRow("subtitle", .text, since: "iOS 10", "A line below the title."),
        PayloadKeyRow("body", .localizableText, since: "iOS 3", "The text."),
        PayloadKeyRow("launch-image", .text, since: "iOS 4", "The picture shown while the app starts."),
        PayloadKeyRow("title-loc-key", .text, since: "iOS 8.2", "The key of a localised title."),
        PayloadKeyRow("title-loc-args", .localizationArguments, since: "iOS 8.2", "What fills the localised title."),
        PayloadKeyRow("subtitle-loc-key", .text, since: "iOS 10", "The key of a localised subtitle."),
        PayloadKeyRow(
            "subtitle-loc-args", .localizationArguments, since: "iOS 10", "What fills the localised subtitle."),
        PayloadKeyRow("loc-key", .text, since: "iOS 3", "The key of a localised text."),
        PayloadKeyRow("loc-args", .localizationArguments, since: "iOS 3", "What fills the localised text."),
        PayloadKeyRow(
            "sound", .alertSound, in: .liveActivity, since: "iOS 16.1", "The sound of a Live Activity's alert.",
            source: ApplePage.liveActivities),
        PayloadKeyRow("action-loc-key", .text, since: "iOS 3", "The key of the action button's title; not used now."),
        PayloadKeyRow("action", .text, since: "Safari 7", "The action button's title of a website push."),
        PayloadKeyRow("summary-arg", .text, since: "iOS 12", "Text of the group's summary; not used since iOS 15."),
        PayloadKeyRow(
            "summary-arg-count", .number, since: "iOS 12", "Number in the group's summary; not used since iOS 15."),
    ]

    package var row: PayloadKeyRow { AlertKey.rows[rawValue] }
}

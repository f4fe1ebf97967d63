import APNs
import JSON
import Testing

/// The tables of keys stand in the order of their cases.
struct PayloadTableTests {
    @Test func `every key of aps has its row`() {
        #expect(APSKey.rows.count == APSKey.allCases.count)
        let expected: [APSKey: String] = [
            .alert: "alert", .badge: "badge", .sound: "sound", .threadID: "thread-id", .category: "category",
            .contentAvailable: "content-available", .mutableContent: "mutable-content",
            .targetContentID: "target-content-id", .interruptionLevel: "interruption-level",
            .relevanceScore: "relevance-score", .filterCriteria: "filter-criteria", .staleDate: "stale-date",
            .contentState: "content-state", .timestamp: "timestamp", .event: "event",
            .dismissalDate: "dismissal-date", .attributesType: "attributes-type", .attributes: "attributes",
            .inputPushToken: "input-push-token", .inputPushChannel: "input-push-channel",
            .contentChanged: "content-changed", .urlArguments: "url-args",
        ]
        for key in APSKey.allCases { #expect(key.row.name.description == expected[key]) }
    }

    @Test func `every key of alert has its row`() {
        #expect(AlertKey.rows.count == AlertKey.allCases.count)
        let expected: [AlertKey: String] = [
            .title: "title", .subtitle: "subtitle", .body: "body", .launchImage: "launch-image",
            .titleKey: "title-loc-key", .titleArguments: "title-loc-args", .subtitleKey: "subtitle-loc-key",
            .subtitleArguments: "subtitle-loc-args", .bodyKey: "loc-key", .bodyArguments: "loc-args",
            .sound: "sound", .actionKey: "action-loc-key", .action: "action", .summaryArgument: "summary-arg",
            .summaryCount: "summary-arg-count",
        ]
        for key in AlertKey.allCases { #expect(key.row.name.description == expected[key]) }
    }

    @Test func `every key of sound has its row`() {
        #expect(SoundKey.allCases.map(\.row.name.description) == ["critical", "name", "volume"])
    }

    @Test func `every row says what the key is for`() {
        for row in APSKey.rows + AlertKey.rows + SoundKey.rows {
            #expect(row.meaning.description.hasSuffix("."))
            #expect(!row.since.description.isEmpty)
            #expect(row.source.description.hasPrefix("https://"))
            #expect(!row.pushTypes.isEmpty)
        }
    }
}

/// What Apple's tables say of one key of a payload.
package struct PayloadKeyRow: Sendable {
    /// The key.
    package let name: StaticString
    /// What its value must be.
    package let rule: ValueRule
    /// The push types in which it means something.
    package let pushTypes: PushTypeSet
    /// For a key of Live Activities: the only event with which it means something; nil for any.
    package let event: LiveActivityEvent?
    /// Whether it says how an alert is shown, so that it means nothing in a push that shows none.
    package let isOfAlertsOnly: Bool
    /// The first system that knows it.
    package let since: StaticString
    /// What it is for.
    package let meaning: StaticString
    /// Apple's page.
    package let source: StaticString

    init(
        _ name: StaticString, _ rule: ValueRule, in pushTypes: PushTypeSet = .all, only event: LiveActivityEvent? = nil,
        ofAlertsOnly: Bool = false, since: StaticString, _ meaning: StaticString,
        source: StaticString = ApplePage.payload
    ) {
        self.name = name
        self.rule = rule
        self.pushTypes = pushTypes
        self.event = event
        isOfAlertsOnly = ofAlertsOnly
        self.since = since
        self.meaning = meaning
        self.source = source
    }
}

/// The kinds of push of Apple's table; the raw value is the value of `apns-push-type`.
///
/// ``row`` holds what is known of each: topic suffix, size, priorities and which senders may use it.
package enum PushType: String, Sendable, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets

    /// The push type that `apns-push-type` names; the value is compared byte for byte.
    package init?(header value: Span<UInt8>) {
        for (name, type) in PushType.byName where value.isEqual(to: name) {
            self = type
            return
        }
        return nil
    }

    /// The type whose suffix ends this topic; nil for a plain bundle id.
    package init?(suffixOf topic: Span<UInt8>) {
        // A suffix alone is no topic.
        for (suffix, type) in PushType.bySuffix where topic.hasSuffix(suffix) && topic.count > suffix.utf8CodeUnitCount
        {
            self = type
            return
        }
        return nil
    }

    /// The names of the table, taken out once.
    private static let byName: [(StaticString, PushType)] = allCases.map { ($0.row.name, $0) }
    /// The suffixes of the table, taken out once.
    private static let bySuffix: [(StaticString, PushType)] = allCases.compactMap { type in
        type.row.topicSuffix.map { ($0, type) }
    }
}

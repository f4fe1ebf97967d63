/// The kinds of push of Apple's table; the raw value is the value of `apns-push-type`.
///
/// ``row`` holds what is known of each: topic suffix, size, priorities and which senders may use it.
package enum PushType: String, Sendable, CaseIterable {
    case alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets

    /// The push type that `apns-push-type` names; the value is compared byte for byte.
    package init?(header value: Span<UInt8>) {
        for type in PushType.allCases where value.isEqual(to: type.row.name) {
            self = type
            return
        }
        return nil
    }

    /// The type whose suffix ends this topic; nil for a plain bundle id.
    package init?(suffixOf topic: Span<UInt8>) {
        for type in PushType.suffixed {
            guard let suffix = type.row.topicSuffix else { continue }
            // A suffix alone is no topic.
            if topic.count > suffix.utf8CodeUnitCount, topic.hasSuffix(suffix) {
                self = type
                return
            }
        }
        return nil
    }

    /// The types with a suffix, the usual ones first.
    private static let suffixed: [PushType] = [
        .voip, .liveactivity, .complication, .pushtotalk, .location, .widgets, .controls, .fileprovider,
    ]
}

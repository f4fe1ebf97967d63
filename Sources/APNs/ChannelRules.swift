import HTTP

/// What APNs demands of broadcasts and of the management of channels: small functions, pure, one for each rule.
package enum ChannelRules {
    /// How many bytes the payload of a broadcast may have.
    package static let payloadLimit = PushTypeRow.extendedLimit
    /// How many characters a channel id may have; Apple's have 24 and may change.
    package static let channelIDLimit = 64
    /// The push type of the header.
    package static let pushTypeName: StaticString = "liveactivity"
    /// The spellings that stand on Apple's other pages.
    package static let otherTypeNames: [StaticString] = ["LiveActivity", "Liveactivity"]

    /// The path has a bundle id, not a topic: there is no suffix of a push type.
    static func bundleID(_ value: Span<UInt8>, _ failures: inout [CheckFailure]) {
        guard let type = PushType(suffixOf: value), let suffix = type.row.topicSuffix else { return }
        let plain = value.extracting(first: value.count - suffix.utf8CodeUnitCount).shownText()
        failures.append(
            CheckFailure(
                .topicForm, .topicDisallowed, expected: plain, actual: value.shownText(),
                explanation: "The path names \"\(value.shownText())\"; the paths of broadcasts and channels take the "
                    + "bundle id without the suffix \(suffix).",
                fix: "Use the bundle id \(plain) in the path; the suffix belongs to the apns-topic of device pushes."))
    }

    /// `apns-request-id` and `apns-id` are UUIDs where they are there; the former is the one that comes back.
    static func requestID(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, _ failures: inout [CheckFailure]
    ) -> UUIDText? {
        let bytes = request.storage.span
        let named: [(StaticString, ByteRange)] = [
            ("apns-request-id", fields.requestID), ("apns-id", fields.apnsID),
        ]
        var found: UUIDText?
        for (name, place) in named where place.isPresent {
            let value = bytes.extracting(place.bounds)
            if let id = UUIDText(value) {
                found = found ?? id
            } else {
                failures.append(
                    CheckFailure(
                        .apnsID, .badMessageID, expected: "8-4-4-4-12 hexadecimal digits", actual: value.shownText(),
                        explanation: "The \(name) \"\(value.shownText())\" is not a UUID of 36 characters.",
                        fix: "Send 32 hexadecimal digits in the form 8-4-4-4-12, or leave \(name) out and read "
                            + "apns-request-id from the answer."))
            }
        }
        return found
    }

    /// `apns-channel-id` is there and has the form of a channel id.
    static func channelID(_ value: Span<UInt8>, isPresent: Bool, _ failures: inout [CheckFailure]) -> String? {
        guard !value.isEmpty else {
            failures.append(
                CheckFailure(
                    .channelPresent, .missingChannelID, expected: "apns-channel-id: <channel id>",
                    actual: isPresent ? "empty" : "absent",
                    explanation: isPresent
                        ? "The apns-channel-id is empty." : "There is no apns-channel-id header; it names the channel.")
            )
            return nil
        }
        guard let problem = problem(ofChannelID: value) else { return value.text }
        failures.append(
            CheckFailure(
                .channelForm, .badChannelID, expected: "standard base64, at most \(channelIDLimit) characters",
                actual: value.shownText(),
                explanation: "The apns-channel-id \"\(value.shownText())\" is not a channel id: \(problem)."))
        return nil
    }

    /// What keeps these bytes from being a channel id; nil when nothing does.
    package static func problem(ofChannelID value: Span<UInt8>) -> String? {
        if value.isEmpty { return "it is empty" }
        if value.count > channelIDLimit {
            return "it has \(value.count) characters, \(value.count - channelIDLimit) more than the limit"
        }
        var end = value.count
        while end > 0, value.count - end < 2, value[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for position in 0..<end {
            switch value[position] {
            case 48...57, 65...90, 97...122, UInt8(ascii: "+"), UInt8(ascii: "/"): continue
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                return "the character at position \(position) is of the URL alphabet; channel ids use + and /"
            case UInt8(ascii: "%"):
                return "it is percent-encoded at position \(position); header fields carry the id as it is"
            default:
                let character = value.extracting(position..<position + 1).shownText()
                return "there is \"\(character)\" at position \(position), which base64 does not have"
            }
        }
        if value.count % 4 != 0 || end == 0 {
            return "it has \(value.count) characters; base64 has a multiple of 4, with = at the end where needed"
        }
        return nil
    }

    /// `apns-push-type` is there and is `liveactivity`, in one of the three spellings of Apple's pages: nothing else can be broadcast.
    static func pushType(_ value: Span<UInt8>, isPresent: Bool, _ failures: inout [CheckFailure]) -> PushType? {
        if value.isEqual(to: pushTypeName) || otherTypeNames.contains(where: { value.isEqual(to: $0) }) {
            return .liveactivity
        }
        let shown = value.shownText()
        guard isPresent else {
            failures.append(
                CheckFailure(
                    .pushTypePresent, .missingPushType, expected: "apns-push-type: \(pushTypeName)", actual: "absent",
                    explanation: "There is no apns-push-type header; a broadcast needs it.",
                    fix: "Send apns-push-type: \(pushTypeName)."))
            return nil
        }
        let hint =
            shown.lowercased() == pushTypeName.description
            ? "the word is written \(pushTypeName)"
            : "only Live Activities can be broadcast"
        failures.append(
            CheckFailure(
                .pushType, .invalidPushType, expected: pushTypeName.description, actual: shown,
                explanation: "The apns-push-type of the broadcast is \"\(shown)\"; \(hint).",
                fix: "Send apns-push-type: \(pushTypeName)."))
        return PushType(header: value)
    }

    /// `apns-expiration` is there and acceptable.
    static func expiration(_ value: Span<UInt8>, isPresent: Bool, _ failures: inout [CheckFailure]) -> Int64? {
        if isPresent { return NotificationRules.expiration(value, &failures) }
        failures.append(
            CheckFailure(
                .expiration, .badExpirationDate, expected: "whole seconds since 1970, or 0", actual: "absent",
                explanation: "There is no apns-expiration header; a broadcast needs it.",
                fix: "Send apns-expiration: 0 for a single attempt, or the seconds since 1970 (UTC) until which to "
                    + "store the message in a channel that does so."))
        return nil
    }

    /// `apns-priority` is there and acceptable.
    static func priority(_ value: Span<UInt8>, isPresent: Bool, _ failures: inout [CheckFailure]) -> UInt8 {
        if isPresent { return NotificationRules.priority(value, &failures) }
        failures.append(
            CheckFailure(
                .priority, .badPriority, expected: "10, 5 or 1", actual: "absent",
                explanation: "There is no apns-priority header; a broadcast needs it."))
        return 10
    }
}

extension Span where Element == UInt8 {
    /// The bytes as text; those that are not UTF-8 are replaced.
    package var text: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

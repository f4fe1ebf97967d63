/// The rules about topics.
extension NotificationRules {
    /// There is a topic. `certificateTopics` are those of the sender's client certificate, none for a provider token.
    package static func topicPresent(
        _ topic: Span<UInt8>, isHeaderPresent: Bool, certificateTopics: [String] = [],
        _ failures: inout [CheckFailure]
    ) {
        guard topic.isEmpty else { return }
        let problem = isHeaderPresent ? "The apns-topic is empty" : "There is no apns-topic header"
        let demand =
            certificateTopics.isEmpty
            ? "with a provider token each request must name the topic."
            : "the client certificate is for \(certificateTopics.joined(separator: ", ")), and each request must say "
                + "which one is meant."
        failures.append(
            CheckFailure(
                .topicPresent, .missingTopic, expected: "apns-topic: <bundle id>",
                actual: isHeaderPresent ? "empty" : "absent",
                explanation: "\(problem); \(demand)"))
    }

    /// The topic could be somebody's: bundle ids consist of letters, digits, dots, hyphens and underscores.
    ///
    /// What cannot be a bundle id is nobody's topic; APNs was seen to say `TopicDisallowed` to it, not `BadTopic`.
    package static func topicCharacters(_ topic: Span<UInt8>, _ failures: inout [CheckFailure]) {
        if topic.allBytes({ isTopicCharacter($0) ? 0 : 1 }) { return }
        var position = 0
        while position < topic.count - 1, isTopicCharacter(topic[position]) { position += 1 }
        let character = topic.extracting(position..<position + 1).shownText()
        failures.append(
            CheckFailure(
                .topicAllowed, .topicDisallowed, expected: "letters, digits, dots and hyphens",
                actual: topic.shownText(),
                explanation: "The topic \"\(topic.shownText())\" cannot be a bundle id, so no key covers it: it has "
                    + "\"\(character)\" at position \(position)."
            ).looking(like: topic, in: LookAlike.topics))
    }

    private static func isTopicCharacter(_ byte: UInt8) -> Bool {
        // Letters fold to lower case; what else folds into their range does not exist.
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// The declared push type goes with the suffix of the topic.
    package static func pushTypeTopic(
        _ declared: PushType?, suffix: PushType?, topic: Span<UInt8>, _ failures: inout [CheckFailure]
    ) {
        guard let declared, !topic.isEmpty else { return }
        if declared == suffix { return }
        // Nearly all pushes.
        if suffix == nil, PushTypeSet.withoutSuffix.contains(PushTypeSet(declared)) { return }
        let wanted = declared.row.topicSuffix
        let expected = wanted.map { "<bundle id>\($0)" } ?? "a bundle id without the suffix of another push type"
        if let suffix {
            failures.append(
                CheckFailure(
                    .pushTypeTopic, .invalidPushType, expected: expected, actual: topic.shownText(),
                    explanation: "The topic \"\(topic.shownText())\" is one of type \(suffix.rawValue), but "
                        + "apns-push-type says \(declared.rawValue)."))
        } else {
            failures.append(
                CheckFailure(
                    .pushTypeTopic, .deviceTokenNotForTopic, expected: expected, actual: topic.shownText(),
                    explanation: "A push of type \(declared.rawValue) goes to a device token of \(expected), but "
                        + "apns-topic says \"\(topic.shownText())\"."))
        }
    }
}

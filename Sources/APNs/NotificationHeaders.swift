package import HTTP

/// One device push as its headers describe it, read by the rules that need neither a clock nor a memory.
package struct NotificationHeaders: Sendable {
    package private(set) var apnsID: UUIDText?
    package private(set) var expiration: Int64?
    package private(set) var priority: UInt8 = 10
    /// The push type of the header; nil without one and when it is unknown.
    package private(set) var declaredType: PushType?
    /// The push type whose suffix the topic has.
    package private(set) var topicSuffix: PushType?
    /// How many bytes the payload may have.
    package private(set) var payloadLimit: Int
    /// Whether the device token has digits in upper case.
    package private(set) var hasUpperCaseToken = false

    /// What is odd about topic and device token though they are accepted; nearly always empty.
    private(set) var advice: [Finding] = []

    /// Reads the headers of a request; adds the checks that fail.
    ///
    /// The calls stand in the order of the checks, but it is the order of ``Check`` that decides.
    package init(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, deviceToken: ByteRange, defaultTopic: String?,
        certificateTopics: [String] = [], ordinaryLimit: Int, _ failures: inout [CheckFailure]
    ) {
        let bytes = request.storage.span
        if fields.duplicate.isPresent {
            NotificationRules.duplicates(bytes.extracting(fields.duplicate.bounds), &failures)
        }
        NotificationRules.deviceTokenPresent(bytes.extracting(deviceToken.bounds), &failures)
        if fields.apnsID.isPresent {
            apnsID = NotificationRules.apnsID(bytes.extracting(fields.apnsID.bounds), &failures)
        }
        if fields.expiration.isPresent {
            expiration = NotificationRules.expiration(bytes.extracting(fields.expiration.bounds), &failures)
        }
        if fields.priority.isPresent {
            priority = NotificationRules.priority(bytes.extracting(fields.priority.bounds), &failures)
        }
        if fields.collapseID.isPresent {
            NotificationRules.collapseID(bytes.extracting(fields.collapseID.bounds), &failures)
        }
        if fields.pushType.isPresent {
            declaredType = NotificationRules.pushType(bytes.extracting(fields.pushType.bounds), &failures)
        }
        let topic = bytes.extracting(fields.topic.bounds)
        let usual = fields.topic.isPresent ? [] : Array((defaultTopic ?? "").utf8)
        topicSuffix = PushType(suffixOf: fields.topic.isPresent ? topic : usual.span)
        payloadLimit = ordinaryLimit
        if let type = declaredType ?? topicSuffix, type == .voip {
            payloadLimit = max(ordinaryLimit, PushTypeRow.extendedLimit)
        }
        NotificationRules.payloadSize(
            request.bodyBytesReceived, limit: payloadLimit, declaredType,
            body: bytes.extracting(request.bodyRange), &failures)
        if deviceToken.count > 0 {
            let token = bytes.extracting(deviceToken.bounds)
            let count = failures.count
            hasUpperCaseToken = NotificationRules.deviceToken(token, &failures)
            if failures.count == count, let finding = Finding.deviceTokenLength(token) { advice.append(finding) }
        }
        if fields.topic.isPresent || defaultTopic == nil {
            NotificationRules.topicPresent(
                topic, isHeaderPresent: fields.topic.isPresent, certificateTopics: certificateTopics, &failures)
        }
        let count = failures.count
        NotificationRules.topicCharacters(topic, &failures)
        if failures.count == count, let finding = Finding.topicForm(topic, suffix: topicSuffix) {
            advice.append(finding)
        }
        NotificationRules.pushTypeTopic(
            declaredType, suffix: topicSuffix, topic: fields.topic.isPresent ? topic : usual.span, &failures)
    }
}

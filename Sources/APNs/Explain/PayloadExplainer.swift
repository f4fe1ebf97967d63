import JSON

/// Judges payloads by themselves, one after the other, with the same rules that requests are judged by; pure.
package struct PayloadExplainer {
    private var document = JSONDocument()

    package init() {}

    /// What becomes of a payload.
    package mutating func explain(_ payload: [UInt8], _ question: PayloadQuestion) -> PayloadReport {
        var failures: [CheckFailure] = []
        var findings: [Finding] = []
        let topic = Array((question.topic ?? "").utf8)
        let suffix = PushType(suffixOf: topic.span)
        let declared = question.declaredType
        let limit = Self.limit(question, declared ?? suffix)
        NotificationRules.payloadSize(payload.count, limit: limit, declared, body: payload.span, &failures)
        var fault: JSONFault?
        var type = declared ?? suffix ?? .alert
        if !payload.isEmpty {
            // A broadcast must be JSON in every profile.
            let profile = question.isBroadcast && question.profile == .live ? .strict : question.profile
            fault = document.parse(payload)
            if let fault {
                findings += NotificationRules.notJSON(fault, payload.span, type, profile, &failures).findings
            } else if document.kind(document.root) != .object {
                findings += NotificationRules.notObject(document, type, profile, &failures).findings
            } else {
                type = declared ?? PayloadRules.inferredType(document, topicSuffix: suffix)
                findings += examine(question, type, PayloadRules.TopicFamily(topic.span), limit, &failures)
            }
        }
        examineHeaders(question, declared, suffix, topic.span, &failures, &findings)
        failures.sort { $0.check < $1.check }
        let isObject = !payload.isEmpty && fault == nil
        return PayloadReport(
            pushType: type, isTypeInferred: declared == nil, profile: question.profile, failures: failures,
            remarks: PayloadPlaces(document, payload, fault).remarks(findings), fault: fault, bytes: payload.count,
            limit: limit, compactBytes: isObject ? PayloadSize.compact(payload) : payload.count,
            parts: isObject ? PayloadSize(document, limit: limit).parts : [])
    }

    private func examine(
        _ question: PayloadQuestion, _ type: PushType, _ family: PayloadRules.TopicFamily, _ limit: Int,
        _ failures: inout [CheckFailure]
    ) -> [Finding] {
        // Without a request nothing is said about a push type or a priority that the request might have.
        let context = PayloadRules.Context(
            pushType: type, priority: question.priority ?? type.row.advisedPriorities.first ?? 10,
            topicFamily: family, isBroadcast: question.isBroadcast, limit: limit)
        let findings = PayloadRules.examine(document, context)
        if question.profile == .strict, !findings.isEmpty {
            NotificationRules.refuse(findings, question.isBroadcast ? .payloadKeys : .payload, &failures)
        }
        return findings
    }

    /// The rules about what was said beside the payload.
    private func examineHeaders(
        _ question: PayloadQuestion, _ declared: PushType?, _ suffix: PushType?, _ topic: Span<UInt8>,
        _ failures: inout [CheckFailure], _ findings: inout [Finding]
    ) {
        if let device = question.device {
            let token = Array(device.utf8)
            NotificationRules.deviceTokenPresent(token.span, &failures)
            let count = failures.count
            if !token.isEmpty, NotificationRules.deviceToken(token.span, &failures) {
                findings.append(.upperCaseDeviceToken)
            }
            if failures.count == count, let finding = Finding.deviceTokenLength(token.span) { findings.append(finding) }
        }
        guard question.topic != nil else { return }
        NotificationRules.topicPresent(topic, isHeaderPresent: true, &failures)
        let count = failures.count
        NotificationRules.topicCharacters(topic, &failures)
        if failures.count == count, let finding = Finding.topicForm(topic, suffix: suffix) { findings.append(finding) }
        var contradictions: [CheckFailure] = []
        NotificationRules.pushTypeTopic(declared, suffix: suffix, topic: topic, &contradictions)
        if question.profile == .lenient {
            findings += contradictions.map { Finding(topicNotOfType: $0) }
        } else {
            failures += contradictions
        }
    }

    private static func limit(_ question: PayloadQuestion, _ type: PushType?) -> Int {
        if question.isBroadcast { return ChannelRules.payloadLimit }
        return type == .voip ? max(question.ordinaryLimit, PushTypeRow.extendedLimit) : question.ordinaryLimit
    }
}

package import HTTP
package import JSON

/// The rules about payloads, around the key tables of ``PayloadRules``.
extension NotificationRules {
    /// What came of the payload.
    package struct PayloadVerdict: Sendable {
        /// The push type of the header, or else what topic and payload suggest.
        package var pushType: PushType
        package var findings: [Finding]
        /// What was noted of the payload; of the form `unknown` where nothing was.
        package var facts = PayloadFacts()
    }

    /// The body is there and no larger than its limit.
    package static func payloadSize(
        _ count: Int, limit: Int, _ type: PushType?, body: Span<UInt8>, _ failures: inout [CheckFailure]
    ) {
        if count == 0 {
            failures.append(
                CheckFailure(
                    .payloadPresent, .payloadEmpty, expected: "a JSON object", actual: "0 bytes",
                    explanation: "The request has no body."))
        } else if count > limit {
            let kind = type.map { " of type \($0.rawValue)" } ?? ""
            failures.append(
                CheckFailure(
                    .payloadSize, .payloadTooLarge, expected: "at most \(limit) bytes", actual: "\(count) bytes",
                    explanation: "The payload has \(count) bytes, \(count - limit) more than a push\(kind) may have.",
                    fix: count == body.count ? PayloadSize.shortening(body, limit: limit) : nil))
        }
    }

    /// The body is a JSON object that agrees with Apple's key tables, as far as the profile insists on it.
    package static func payload(
        _ request: borrowing HTTPRequest, _ headers: NotificationHeaders, topicFamily: PayloadRules.TopicFamily,
        isTypeDeclared: Bool, profile: Profile, document: inout JSONDocument, _ failures: inout [CheckFailure]
    ) -> PayloadVerdict {
        let fallback = headers.declaredType ?? headers.topicSuffix ?? .alert
        if let fault = document.parse(request.storage, in: request.bodyRange) {
            return notJSON(
                fault, request.storage.span.extracting(request.bodyRange), fallback, profile, &failures)
        }
        guard case .object = document.kind(document.root) else {
            return notObject(document, fallback, profile, &failures)
        }
        let type =
            headers.declaredType
            ?? PayloadRules.inferredType(document, topicSuffix: headers.topicSuffix)
        let context = PayloadRules.Context(
            pushType: type, isTypeDeclared: isTypeDeclared, priority: headers.priority, topicFamily: topicFamily,
            limit: headers.payloadLimit)
        var facts = PayloadFacts()
        let findings = PayloadRules.examine(document, context, &facts)
        if !findings.isEmpty, profile == .strict { refuse(findings, .payload, &failures) }
        return PayloadVerdict(pushType: type, findings: findings, facts: facts)
    }

    /// Adds the failed check when a finding contradicts the contract.
    static func refuse(_ findings: [Finding], _ check: Check, _ failures: inout [CheckFailure]) {
        let errors = findings.filter { $0.code.severity == .error }
        guard let first = errors.first else { return }
        let others = errors.count > 1 ? " (and \(errors.count - 1) more, see the findings)" : ""
        failures.append(
            CheckFailure(
                check, .badRequestPayload, expected: first.code.expected.description, actual: first.found,
                explanation: "\(first.path.isEmpty ? "" : "\(first.path): ")\(first.message)\(others)", fix: first.fix))
    }

    /// What is said of a body that is not JSON.
    static func notJSON(
        _ fault: JSONFault, _ body: Span<UInt8>, _ type: PushType, _ profile: Profile,
        _ failures: inout [CheckFailure]
    ) -> PayloadVerdict {
        let look = LookAlike.first(in: LookAlike.payloadTexts, like: body)
        let place = "line \(fault.line), column \(fault.column)"
        let message =
            "The payload is not JSON: \(fault.message), at \(place) (byte \(fault.offset))."
            + (look.map { " It looks like \($0.name)." } ?? "")
        let finding = Finding(.payloadNotJSON, found: fault.message, message: message, fix: look?.fix)
        if profile != .live {
            failures.append(
                CheckFailure(
                    .payload, .badRequestPayload, expected: "JSON", actual: "\(fault.message) at \(place)",
                    explanation: message, fix: finding.fix))
        }
        return PayloadVerdict(pushType: type, findings: [finding])
    }

    /// What is said of JSON that is no object.
    static func notObject(
        _ document: JSONDocument, _ type: PushType, _ profile: Profile, _ failures: inout [CheckFailure]
    ) -> PayloadVerdict {
        let kind = document.kind(document.root)
        let isEncodedTwice = document.firstByte(ofText: document.root) == UInt8(ascii: "{")
        let message =
            "The payload is a JSON \(kind); it must be an object."
            + (isEncodedTwice ? " It looks like JSON that was encoded twice." : "")
        let finding = Finding(
            .payloadNotObject, found: "\(kind)", message: message,
            fix: isEncodedTwice ? "Encode the payload once; what is in the string is the payload." : nil)
        if profile != .live {
            failures.append(
                CheckFailure(
                    .payload, .badRequestPayload, expected: "a JSON object", actual: "\(kind)", explanation: message,
                    fix: finding.fix))
        }
        return PayloadVerdict(pushType: type, findings: [finding])
    }
}

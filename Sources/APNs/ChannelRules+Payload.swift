package import HTTP
package import JSON

/// The rules about the bodies of broadcasts and of requests that create channels.
extension ChannelRules {
    /// The payload of a broadcast is a JSON object in every profile; in the strict one it also agrees with the key tables.
    package static func payload(
        _ request: borrowing HTTPRequest, _ headers: ChannelHeaders, profile: Profile, document: inout JSONDocument,
        _ failures: inout [CheckFailure]
    ) -> [Finding] {
        if let fault = document.parse(request.storage, in: request.bodyRange) {
            return NotificationRules.notJSON(
                fault, request.storage.span.extracting(request.bodyRange), .liveactivity, .strict, &failures
            ).findings
        }
        guard document.kind(document.root) == .object else {
            return NotificationRules.notObject(document, .liveactivity, .strict, &failures).findings
        }
        let context = PayloadRules.Context(
            pushType: .liveactivity, priority: headers.priority, isBroadcast: true, limit: payloadLimit)
        let findings = PayloadRules.examine(document, context)
        if profile == .strict, !findings.isEmpty { NotificationRules.refuse(findings, .payloadKeys, &failures) }
        return findings
    }

    /// The storage policy that a body asks for when it creates a channel; nil when it is not acceptable.
    package static func storagePolicy(
        _ request: borrowing HTTPRequest, document: inout JSONDocument, _ failures: inout [CheckFailure]
    ) -> MessageStoragePolicy? {
        bodySize(request.bodyBytesReceived, &failures)
        guard !request.bodyRange.isEmpty, request.droppedBodyBytes == 0 else { return nil }
        guard isObject(request, &document, &failures) else { return nil }
        unknownMembers(document, &failures)
        channelType(document, &failures)
        return policy(document, &failures)
    }

    /// The names of the members that the body has.
    private static let members = ["message-storage-policy", "push-type"]
    /// The push type of the body, which is spelt otherwise than that of the header.
    private static let typeInBody = "LiveActivity"
    private static let body = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#

    private static func bodySize(_ count: Int, _ failures: inout [CheckFailure]) {
        if count == 0 {
            failures.append(
                CheckFailure(
                    .payloadPresent, .payloadEmpty, expected: "a JSON object", actual: "0 bytes",
                    explanation: "The request has no body; the body says what channel to create.",
                    fix: "Send \(body), or 1 to store the most recent message."))
        } else if count > payloadLimit {
            failures.append(
                CheckFailure(
                    .payloadSize, .payloadTooLarge, expected: "at most \(payloadLimit) bytes", actual: "\(count) bytes",
                    explanation: "The body has \(count) bytes, \(count - payloadLimit) more than it may have.",
                    fix: "Send \(body), which is all there is to say."))
        }
    }

    private static func isObject(
        _ request: borrowing HTTPRequest, _ document: inout JSONDocument, _ failures: inout [CheckFailure]
    ) -> Bool {
        let fault = document.parse(request.storage, in: request.bodyRange)
        if fault == nil, document.kind(document.root) == .object { return true }
        let explanation: String
        if let fault {
            explanation =
                "The body is not JSON: \(fault.message), at line \(fault.line), column \(fault.column) "
                + "(byte \(fault.offset))."
        } else {
            explanation = "The body is a JSON \(document.kind(document.root)); it must be an object."
        }
        failures.append(
            CheckFailure(
                .payload, .badRequestPayload, expected: "a JSON object", actual: fault?.message ?? "another value",
                explanation: explanation, fix: "Send \(body), made by a JSON encoder."))
        return false
    }

    private static func unknownMembers(_ document: JSONDocument, _ failures: inout [CheckFailure]) {
        let names = document.children(of: document.root).compactMap { document.key(of: $0) }
        let unknown = names.filter { !members.contains($0) }
        guard let first = unknown.first else { return }
        let shown = Array(first.utf8).span.shownText()
        let others = unknown.count > 1 ? " (and \(unknown.count - 1) more)" : ""
        let nearest = EditDistance.nearest(to: first, among: members).map { "; did you mean \"\($0)\"?" } ?? "."
        failures.append(
            CheckFailure(
                .bodyMembers, .badRequestParams, expected: members.joined(separator: ", "), actual: shown,
                explanation: "The body has the member \"\(shown)\"\(others), which is not known\(nearest)"))
    }

    private static func policy(_ document: JSONDocument, _ failures: inout [CheckFailure]) -> MessageStoragePolicy? {
        let member = document.member("message-storage-policy", of: document.root)
        if let member, let number = document.integer(member), let policy = MessageStoragePolicy(rawValue: Int(number)) {
            return policy
        }
        let shown = member.map { document.written($0, limit: 60) }
        let problem = shown.map { "The message-storage-policy is \($0)" } ?? "The body has no message-storage-policy"
        failures.append(
            CheckFailure(
                .storagePolicy, .missingChannelQueueSize, expected: "0 or 1", actual: shown ?? "absent",
                explanation: "\(problem); it must be the number 0 (store no message) or 1 (store the most recent one)."
            ))
        return nil
    }

    private static func channelType(_ document: JSONDocument, _ failures: inout [CheckFailure]) {
        let fix = #"Send "push-type":"LiveActivity" in the body."#
        guard let member = document.member("push-type", of: document.root) else {
            failures.append(
                CheckFailure(
                    .channelTypePresent, .missingPushType, expected: typeInBody, actual: "absent",
                    explanation: "The body has no push-type.", fix: fix))
            return
        }
        if document.string(member) == typeInBody { return }
        let shown = document.written(member, limit: 60)
        let isOtherCase = document.string(member)?.lowercased() == typeInBody.lowercased()
        let hint =
            isOtherCase
            ? "in the body the word is written LiveActivity; liveactivity is for the header apns-push-type"
            : "channels exist for Live Activities only"
        failures.append(
            CheckFailure(
                .channelType, .invalidPushType, expected: typeInBody, actual: shown,
                explanation: "The push-type of the channel is \(shown); \(hint).", fix: fix))
    }
}

package import HTTP

/// Findings about the request around the payload: its headers, its device token, and a body that is no JSON object.
extension FindingCode {
    /// All of them, in the order of their codes.
    package static let requestCodes: [FindingCode] = [
        .payloadNotJSON, .payloadNotObject, .topicNotOfType, .alreadyExpired, .deviceTokenUpperCase,
    ]

    package static let payloadNotJSON = FindingCode(
        "J001", .error, expected: "JSON (RFC 8259) in UTF-8", fix: "Build the payload with a JSON encoder.",
        source: ApplePage.payload)
    package static let payloadNotObject = FindingCode(
        "J002", .error, expected: "a JSON object", fix: "Send an object whose member aps holds Apple's keys.",
        source: ApplePage.payload)
    package static let topicNotOfType = FindingCode(
        "L008", .error, expected: "the topic suffix of the push type",
        fix: "Send apns-topic with the suffix that belongs to apns-push-type.", source: ApplePage.sending)
    package static let alreadyExpired = FindingCode(
        "L009", .warning, expected: "0, or a time in the future",
        fix: "Compute apns-expiration as now plus the time for which the notification is of use, in seconds.",
        source: ApplePage.sending)
    package static let deviceTokenUpperCase = FindingCode(
        "L017", .warning, expected: "lower-case hexadecimal digits",
        fix: "Write device tokens in lower case, so that one device has one spelling.", source: ApplePage.sending)
}

extension NotificationHeaders {
    /// Adds the findings about the headers. Rarely is there one.
    package func examine(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, now: Int64, _ findings: inout [Finding]
    ) {
        if let expiration, expiration > 0, expiration < now {
            let ago = Explanation.duration(seconds: now - expiration)
            findings.append(
                Finding(
                    .alreadyExpired, path: "apns-expiration", found: "\(expiration)",
                    message: "The notification expired \(ago) before it arrived."))
        }
        if hasUpperCaseToken { findings.append(.upperCaseDeviceToken) }
    }
}

extension Finding {
    /// A device token with digits in upper case.
    static let upperCaseDeviceToken = Finding(
        .deviceTokenUpperCase, path: ":path", found: "upper case",
        message: "The device token has digits in upper case.")

    /// A topic that does not go with the push type, where that refuses nothing.
    package init(topicNotOfType failure: CheckFailure) {
        self.init(.topicNotOfType, path: "apns-topic", found: failure.actual, message: failure.explanation)
    }
}

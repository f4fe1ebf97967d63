package import HTTP

/// What APNs demands of each field of a request: small functions, pure, one for each rule.
///
/// Each reads a value and, when the value is not acceptable, adds the failed check with the sentence that explains it.
package enum NotificationRules {
    /// How many bytes a collapse id may have.
    package static let collapseIDLimit = 64
    /// How many hexadecimal digits a device token may have.
    package static let deviceTokenDigits = 64...200

    /// The method is one that the route takes.
    package static func method(_ value: Span<UInt8>, _ route: Route, _ failures: inout [CheckFailure]) {
        // Nearly all requests.
        if case .device = route, value.isEqual(to: "POST") { return }
        for method in route.methods where value.isEqual(to: method) { return }
        let expected = route.methods.map(\.description).joined(separator: ", ")
        // To a path of channel management, one of its methods where another belongs is a wrong path.
        var reason = Reason.methodNotAllowed
        if case .allChannels = route, value.isEqual(to: "POST") || value.isEqual(to: "DELETE") { reason = .badPath }
        failures.append(
            CheckFailure(
                .method, reason, expected: expected, actual: value.shownText(),
                explanation: "The method is \(value.shownText()); this path takes \(expected)."))
    }

    /// The path is one that exists.
    package static func path(_ value: Span<UInt8>, _ route: Route, _ failures: inout [CheckFailure]) {
        guard case .unknown = route else { return }
        let shown = value.shownText()
        failures.append(
            CheckFailure(
                .path, .badPath, expected: "/3/device/<device token>", actual: shown,
                explanation: "The path \(shown) is none that APNs has; device pushes go to /3/device/<device token>."
            ).looking(likePath: value))
    }

    /// No field that APNs reads is repeated.
    package static func duplicates(_ name: Span<UInt8>, _ failures: inout [CheckFailure]) {
        let shown = name.shownText()
        failures.append(
            CheckFailure(
                .duplicateHeaders, .duplicateHeaders, expected: "each header once", actual: "\(shown) repeated",
                explanation: "The header \(shown) occurs more than once; equal values count too."))
    }

    /// `apns-id` is a UUID, when there is one.
    package static func apnsID(_ value: Span<UInt8>, _ failures: inout [CheckFailure]) -> UUIDText? {
        if let id = UUIDText(value) { return id }
        failures.append(
            CheckFailure(
                .apnsID, .badMessageID, expected: "8-4-4-4-12 hexadecimal digits", actual: value.shownText(),
                explanation: "The apns-id \"\(value.shownText())\" is not a UUID of 36 characters."
            ).looking(like: value, in: LookAlike.ids))
        return nil
    }

    /// `apns-expiration` is a whole number of seconds, not negative.
    package static func expiration(_ value: Span<UInt8>, _ failures: inout [CheckFailure]) -> Int64? {
        if let seconds = decimal(value) { return seconds }
        failures.append(
            CheckFailure(
                .expiration, .badExpirationDate, expected: "whole seconds since 1970, or 0",
                actual: value.shownText(),
                explanation: "The apns-expiration \"\(value.shownText())\" is not a whole number of seconds since 1970."
            ).looking(like: value, in: LookAlike.expirations))
        return nil
    }

    /// `apns-priority` is one of the three that exist.
    package static func priority(_ value: Span<UInt8>, _ failures: inout [CheckFailure]) -> UInt8 {
        if value.isEqual(to: "10") { return 10 }
        if value.isEqual(to: "5") { return 5 }
        if value.isEqual(to: "1") { return 1 }
        failures.append(
            CheckFailure(
                .priority, .badPriority, expected: "10, 5 or 1", actual: value.shownText(),
                explanation: "The apns-priority is \"\(value.shownText())\"; there are 10, 5 and 1."
            ).looking(like: value, in: LookAlike.priorities))
        return 10
    }

    /// `apns-collapse-id` has 1 to 64 bytes.
    package static func collapseID(_ value: Span<UInt8>, _ failures: inout [CheckFailure]) {
        guard value.isEmpty || value.count > collapseIDLimit else { return }
        let explanation =
            value.isEmpty
            ? "The apns-collapse-id is empty; leave the header out when nothing is to be collapsed."
            : "The apns-collapse-id has \(value.count) bytes, \(value.count - collapseIDLimit) more than the limit."
        failures.append(
            CheckFailure(
                .collapseID, .invalidCollapseID, expected: "1..\(collapseIDLimit) bytes",
                actual: "\(value.count) bytes", explanation: explanation))
    }

    /// `apns-push-type` is one of Apple's words, in lower case.
    package static func pushType(_ value: Span<UInt8>, _ failures: inout [CheckFailure]) -> PushType? {
        if let type = PushType(header: value) { return type }
        let shown = value.shownText()
        let expected = PushType.allCases.map(\.rawValue).joined(separator: ", ")
        let lower = shown.lowercased()
        let hint =
            PushType(rawValue: lower) != nil ? "it is written \"\(lower)\"" : "the push types are \(expected)"
        failures.append(
            CheckFailure(
                .pushType, .invalidPushType, expected: expected, actual: shown,
                explanation: "The apns-push-type \"\(shown)\" is unknown; \(hint)."
            ).looking(like: value, in: LookAlike.pushTypes))
        return nil
    }

    /// The path has a device token.
    package static func deviceTokenPresent(_ token: Span<UInt8>, _ failures: inout [CheckFailure]) {
        guard token.isEmpty else { return }
        failures.append(
            CheckFailure(
                .deviceTokenPresent, .missingDeviceToken, expected: "/3/device/<device token>", actual: "/3/device/",
                explanation: "The path ends after /3/device/, where the device token should be."))
    }

    /// The device token is an even number of hexadecimal digits, not too few, not too many, and not all zeros.
    ///
    /// Returns whether it has digits in upper case.
    package static func deviceToken(_ token: Span<UInt8>, _ failures: inout [CheckFailure]) -> Bool {
        let isLower = token.allBytes { byte in
            (byte &- UInt8(ascii: "0") < 10 ? 0 : 1) & (byte &- UInt8(ascii: "a") < 6 ? 0 : 1)
        }
        if isLower || token.allBytes({ $0.isHexDigit ? 0 : 1 }), token.count % 2 == 0,
            deviceTokenDigits.contains(token.count), !token.allBytes({ $0 ^ UInt8(ascii: "0") })
        {
            return !isLower
        }
        failures.append(badDeviceToken(token).looking(like: token, in: LookAlike.deviceTokens))
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func badDeviceToken(_ token: Span<UInt8>) -> CheckFailure {
        var digits = 0
        while digits < token.count, token[digits].isHexDigit { digits += 1 }
        let isZero = token.allBytes { $0 ^ UInt8(ascii: "0") }
        let range = "\(deviceTokenDigits.lowerBound)..\(deviceTokenDigits.upperBound)"
        let actual: String
        let explanation: String
        if digits < token.count {
            let character = token.extracting(droppingFirst: digits).extracting(first: 1).shownText()
            actual = "\"\(character)\" at position \(digits)"
            explanation =
                "The device token is not hexadecimal: there is \"\(character)\" at position \(digits) of "
                + "\(token.count)."
        } else if digits > 0, isZero {
            actual = "\(digits) zeros"
            explanation = "The device token is all zeros, which no device has."
        } else if digits % 2 != 0 {
            actual = "\(digits) digits"
            explanation = "The device token has \(digits) digits; two make a byte, so one is missing or too many."
        } else {
            actual = "\(digits) digits"
            explanation = "The device token has \(digits) digits; tokens have \(range)."
        }
        return CheckFailure(
            .deviceToken, .badDeviceToken, expected: "\(range) hexadecimal digits, an even number",
            actual: actual, explanation: explanation)
    }

    /// A number of decimal digits that fits 64 bits with a sign.
    private static func decimal(_ value: Span<UInt8>) -> Int64? {
        guard !value.isEmpty else { return nil }
        var number: Int64 = 0
        var position = 0
        while position < value.count {
            guard isDigit(value[position]) else { return nil }
            let digit = value[position] &- UInt8(ascii: "0")
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int64(digit))
            guard !overflows, !overflowsToo else { return nil }
            number = sum
            position += 1
        }
        return number
    }
}

import APNs

/// What APNs says to a push because of the device that it is for.
enum DeviceRules {
    /// The token is one that the server knows.
    static func unknown(_ token: Span<UInt8>) -> CheckFailure {
        CheckFailure(
            .deviceToken, .badDeviceToken, expected: "a registered device token", actual: "not registered",
            explanation: "The device token \(shown(token)) is not registered, and this server refuses unknown ones "
                + "(--unknown-devices reject).",
            fix: "Register the token with POST /v1/devices, or send to one that GET /v1/devices lists.")
    }

    /// The device is one of the environment that the push came to.
    static func environment(
        _ device: Device, _ token: Span<UInt8>, _ environment: Environment, _ failures: inout [CheckFailure]
    ) {
        guard device.environment != environment else { return }
        failures.append(
            CheckFailure(
                .deviceToken, .badDeviceToken, expected: "a token of \(environment.rawValue)",
                actual: "a token of \(device.environment.rawValue)",
                explanation: "The device token \(shown(token)) is one of \(device.environment.rawValue), but the push "
                    + "came to \(environment.rawValue).",
                fix: "Send it to the host of the environment in which the app got the token."))
    }

    /// The token is good for the topic.
    static func topic(
        _ device: Device, _ token: Span<UInt8>, topic: Span<UInt8>, _ failures: inout [CheckFailure]
    ) {
        guard !topic.isEmpty, !device.takes(topic) else { return }
        failures.append(
            CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: device.topicWords, actual: topic.shownText(),
                explanation: "The device token \(shown(token)) is registered for \(device.topicWords), the request's "
                    + "topic was \(topic.shownText())."))
    }

    /// The app is still there and the token still good.
    static func active(
        _ device: Device, _ token: Span<UInt8>, now: Int64, _ failures: inout [CheckFailure]
    ) {
        let since = TimeText.text(seconds: device.since / 1000)
        let age = now - device.since
        let ago = age > 0 ? " (\(Explanation.duration(seconds: age / 1000)) ago)" : ""
        let reason: Reason
        let cause: String
        switch device.state {
        case .active, .offline: return
        case .unregistered:
            reason = .unregistered
            cause = "has been unregistered since \(since)\(ago): the app was removed, or got another token"
        case .expired:
            reason = .expiredToken
            cause = "expired at \(since)\(ago)"
        }
        failures.append(
            CheckFailure(
                .deviceActive, reason, expected: "an active device token",
                actual: "\(device.state.rawValue) since \(since)",
                explanation: "The device token \(shown(token)) \(cause).", timestamp: device.since))
    }

    /// The device does not get too many pushes.
    static func rate(
        _ token: Span<UInt8>, _ rate: DeviceRate, _ use: DeviceRateWindows.Use?, now: Int64,
        _ failures: inout [CheckFailure]
    ) {
        guard let use else { return }
        let age = now - use.start
        let span = age < 1000 ? "\(age) ms" : Explanation.duration(seconds: age / 1000)
        let wait = Explanation.duration(seconds: (rate.milliseconds - age + 999) / 1000)
        failures.append(
            CheckFailure(
                .deviceRate, .tooManyRequests, expected: "at most \(rate.words)",
                actual: "\(use.count) accepted in the last \(span)",
                explanation: "The device token \(shown(token)) got \(use.count) pushes in the last \(span); "
                    + "--device-rate allows \(rate.words), and the next in \(wait)."))
    }

    /// A token short enough for a sentence.
    private static func shown(_ token: Span<UInt8>) -> String {
        guard token.count > 16 else { return token.shownText() }
        return token.extracting(first: 8).shownText() + "…"
            + token.extracting(droppingFirst: token.count - 4).shownText()
    }
}

/// Findings about a sender's conduct over time, which no single answer can tell.
extension FindingCode {
    /// All of them, in the order of their codes.
    package static let conductCodes: [FindingCode] = [
        .tokenRefreshedOften, .tokenPerRequest, .connectionPerRequest, .resentUnchanged, .sentAfterGone, .noBackOff,
        .sameUnderOtherID, .streamAfterGoAway, .streamsBeyondLimit, .activityAfterEnd, .tokenPerTopic,
    ]

    package static let tokenRefreshedOften = FindingCode(
        "L001", .error, expected: "a provider token that is used for 20 minutes or longer",
        fix: "Refresh the token between every 20 and 60 minutes and share it among requests and connections.",
        source: ApplePage.tokens)
    package static let tokenPerRequest = FindingCode(
        "L002", .error, expected: "one provider token for many requests",
        fix: "Sign a token once and keep it for 20 to 60 minutes; signing for each request is slow and gets refused.",
        source: ApplePage.tokens)
    package static let connectionPerRequest = FindingCode(
        "L003", .warning, expected: "many requests over one connection",
        fix:
            "Keep the connection open and send further requests over it; APNs may take connections in quick turn for an attack.",
        source: ApplePage.sending)
    package static let resentUnchanged = FindingCode(
        "L004", .error, expected: "no second try after an answer that will not change",
        fix:
            "Mend the request, or give it up: 400, 404, 405 and 413 answer the same request the same way again, and 403 the same token.",
        source: ApplePage.responses)
    package static let sentAfterGone = FindingCode(
        "L005", .error, expected: "no push to a device token that APNs has answered 410 for",
        fix: "Remove the device token when the answer is 410, until the app registers again.",
        source: ApplePage.responses)
    package static let noBackOff = FindingCode(
        "L011", .warning, expected: "a pause after 429 and 503, longer each time",
        fix: "Wait before the next try, at first for a second or more, and double the time with each refusal.",
        source: ApplePage.responses)
    package static let sameUnderOtherID = FindingCode(
        "L012", .warning, expected: "one push where one alert is meant",
        fix: """
            Look for what sends the push twice. Where a try may follow one that was accepted, give both the same \
            apns-collapse-id, which lets the device show one; apns-id only names a push, and is not documented to merge any.
            """,
        source: ApplePage.sending)
    package static let streamAfterGoAway = FindingCode(
        "L015", .error, expected: "no new stream on a connection whose GOAWAY has arrived",
        fix: "Open another connection when GOAWAY comes; on the old one wait only for the answers that are still due.",
        source: ApplePage.sending)
    package static let streamsBeyondLimit = FindingCode(
        "L016", .warning, expected: "no more open streams than SETTINGS_MAX_CONCURRENT_STREAMS allows",
        fix: "Wait for answers, or open another connection, when as many streams are open as the server allows.",
        source: ApplePage.sending)
    package static let activityAfterEnd = FindingCode(
        "L018", .warning, expected: "nothing for a Live Activity behind its end",
        fix: "Send no update after the event end; start another Live Activity instead.",
        source: ApplePage.liveActivities)
    package static let tokenPerTopic = FindingCode(
        "L030", .error, expected: "one provider token for all topics of a connection",
        fix:
            "Share one token among the topics of a team's key: it names no topic, and APNs takes a change for a refresh.",
        source: ApplePage.tokens)
}

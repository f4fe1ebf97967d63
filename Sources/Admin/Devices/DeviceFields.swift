import APNs
package import Simulation

/// What a JSON object says about a device; the same members wherever devices are written.
package enum DeviceFields {
    static let token = Parameter(
        "token", .texts, "A sender's own device tokens; random ones are made without it.", example: "6f1e…",
        standard: "random")
    static let count = Parameter(
        "count", .integer(1...countLimit), "How many devices to make with random tokens.", example: "3", standard: "1")
    static let environment = Parameter(
        "environment", .word(Environment.allCases.map(\.rawValue)),
        "Where the token is good; in the other environment it is `BadDeviceToken`.", example: "sandbox",
        standard: "sandbox")
    static let topics = Parameter(
        "topics", .texts,
        "The topics that the token is good for, `*` standing for any characters; to others it is "
            + "`DeviceTokenNotForTopic`. A token for VoIP has the topic with its suffix, `com.acme.app.voip`.",
        example: "com.acme.app", standard: "every topic")
    static let state = Parameter(
        "state", .word(stateWords),
        "`unregistered` and `expired` are answered 410, `offline` stores pushes; `online` is another word for `active`.",
        example: "unregistered", standard: "active")
    static let since = Parameter(
        "since", .form(sinceForm), "Since when it is in the state: the `timestamp` of a 410.", example: "-1h",
        standard: "now")
    static let os = Parameter("os", .text, "The device's system, for people.", example: "iOS 18")
    static let locale = Parameter("locale", .text, "The device's language, for people.", example: "en")

    /// The members of a device to register.
    static let registration = [token, count, topics, environment, state, since, os, locale]
    /// The members that can be changed.
    static let change = [state, since, topics, environment, os, locale]

    /// How many devices one call registers at most.
    static let countLimit = 10_000

    private static let online = "online"
    private static let stateWords = Device.State.allCases.map(\.rawValue) + [online]
    private static let sinceForm = "how long ago (`-1h`) or a time (RFC 3339), not later than the server's clock"

    /// What the members but `token` and `count` say, as a change of a device.
    static func change(
        _ body: BodyFields, now: Int64, cursor: UInt64
    ) throws(Problem) -> (inout Device) -> Void {
        let state = try body.word(state).map { $0 == online ? .active : Device.State(rawValue: $0) ?? .active }
        let since = try since(body, now: now)
        let environment = try body.word(environment).flatMap { Environment(rawValue: $0) }
        let topics = try topics(body)
        let os = try text(body, os)
        let locale = try text(body, locale)
        let (clearsOS, clearsLocale) = (body.isNull(Self.os), body.isNull(Self.locale))
        return { device in
            if let environment { device.environment = environment }
            if let topics { device.topics = topics }
            if os != nil || clearsOS { device.os = os }
            if locale != nil || clearsLocale { device.locale = locale }
            if state != nil || since != nil {
                device.become(state ?? device.state, since: since, now: now, cursor: cursor)
            }
        }
    }

    /// The devices that an object describes as the body of `POST /v1/devices` does, but with the tokens: an item of
    /// `devices` in an exported state.
    package static func devices(_ json: [UInt8], now: Int64, cursor: UInt64) throws(Problem) -> [Device] {
        let body = try BodyFields(json, registration.filter { $0.name != count.name })
        guard let tokens = try tokens(body) else {
            throw Problem(.badBody, "The device has no member \"token\"; expected \(token.expected).")
        }
        let change = try change(body, now: now, cursor: cursor)
        return tokens.map { token in
            var device = Device(token: token, now: now)
            change(&device)
            return device
        }
    }

    /// The tokens of `token`, in lower case; nil when there is no such member.
    static func tokens(_ body: BodyFields) throws(Problem) -> [String]? {
        guard let tokens = try body.texts(token) else { return nil }
        guard (1...countLimit).contains(tokens.count) else {
            throw Problem(
                .badBody, "The member \"token\" lists \(tokens.count) tokens; expected 1 to \(countLimit).")
        }
        for token in tokens {
            if let problem = problem(ofToken: token) {
                throw Problem(.badBody, "The member \"token\" holds \(quoted(token)): \(problem)")
            }
        }
        return tokens.map { $0.lowercased() }
    }

    /// What keeps a text from being a device token.
    static func problem(ofToken token: String) -> String? {
        var failures: [CheckFailure] = []
        let bytes = Array(token.utf8)
        _ = NotificationRules.deviceToken(bytes.span, &failures)
        return bytes.isEmpty ? "A device token is not empty." : failures.first?.explanation
    }

    private static func since(_ body: BodyFields, now: Int64) throws(Problem) -> Int64? {
        guard let text = try body.text(since) else { return nil }
        let time: Int64? =
            if text == "now" {
                now
            } else if text.hasPrefix("-") {
                ClockSetting.difference(text).map { now + $0 }
            } else {
                ClockSetting.time(text)
            }
        guard let time, time <= now, ClockSetting.range.contains(time) else { throw body.bad(since, text) }
        return time
    }

    private static func topics(_ body: BodyFields) throws(Problem) -> [TopicPattern]? {
        guard let topics = try body.texts(topics) else { return nil }
        guard topics.count <= Device.topicLimit else {
            throw Problem(
                .badBody,
                "The member \"topics\" lists \(topics.count) topics; a device has at most \(Device.topicLimit)."
            )
        }
        for topic in topics where !isTopic(topic) { throw body.bad(Self.topics, topic) }
        return topics.map { TopicPattern($0) }
    }

    /// Letters, digits, dots, hyphens and underscores as in bundle ids, and stars.
    private static func isTopic(_ text: String) -> Bool {
        text.utf8.count <= Device.textLimit
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "*"):
                    true
                default: false
                }
            }
    }

    private static func text(_ body: BodyFields, _ field: Parameter) throws(Problem) -> String? {
        guard let text = try body.text(field) else { return nil }
        guard text.utf8.count <= Device.textLimit else {
            throw Problem(
                .badBody,
                "The member \(quoted(field.name)) has \(text.utf8.count) bytes; expected at most \(Device.textLimit).")
        }
        return text
    }
}

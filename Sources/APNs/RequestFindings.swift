package import HTTP

/// Findings about the request around the payload: its headers, its device token, and a body that is no JSON object.
extension FindingCode {
    /// All of them, in the order of their codes.
    package static let requestCodes: [FindingCode] = [
        .payloadNotJSON, .payloadNotObject, .topicNotOfType, .alreadyExpired, .deviceTokenUpperCase,
        .topicNotBundleID, .topicTeamPrefix, .topicTwoSuffixes, .expirationMilliseconds, .deviceTokenLength,
        .broadcastTypeSpelling,
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
    package static let topicNotBundleID = FindingCode(
        "L020", .warning, expected: "a bundle id: names with dots between them",
        fix: "Send the bundle id of the app as apns-topic, such as com.example.app, with the suffix of the push type.",
        source: ApplePage.sending)
    package static let topicTeamPrefix = FindingCode(
        "L021", .warning, expected: "a bundle id without the team's id before it",
        fix: "Take the team's id and its dot away; App IDs have it, topics do not.", source: ApplePage.sending)
    package static let topicTwoSuffixes = FindingCode(
        "L022", .warning, expected: "one suffix of a push type behind the bundle id",
        fix: "Add the suffix once; the client library may add it too.", source: ApplePage.sending)
    package static let expirationMilliseconds = FindingCode(
        "L023", .warning, expected: "apns-expiration in seconds since 1970",
        fix: "Divide the value by 1000.", source: ApplePage.sending)
    package static let deviceTokenLength = FindingCode(
        "L024", .warning, expected: "64 digits, or 160 for Live Activities and the Simulator",
        fix: "Compare the token with the one that the app prints; lengths may change, but mistakes are more frequent.",
        source: ApplePage.sending)
    package static let broadcastTypeSpelling = FindingCode(
        "L025", .warning, expected: "apns-push-type: liveactivity",
        fix: "Write liveactivity, as all known senders do; Apple's pages print three spellings.",
        source: ApplePage.broadcasts)
}

extension NotificationHeaders {
    /// Adds the findings about the headers. Rarely is there one.
    package func examine(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, now: Int64, _ findings: inout [Finding]
    ) {
        if let expiration, expiration > 0, let finding = Finding(expiration: expiration, now: now) {
            findings.append(finding)
        }
        if hasUpperCaseToken { findings.append(.upperCaseDeviceToken) }
        if !advice.isEmpty { findings.append(contentsOf: advice) }
    }
}

extension Finding {
    /// A device token with digits in upper case.
    static let upperCaseDeviceToken = Finding(
        .deviceTokenUpperCase, path: ":path", found: "upper case",
        message: "The device token has digits in upper case.")

    /// A topic that does not go with the push type, where that refuses nothing.
    package init(topicNotOfType failure: CheckFailure) {
        self.init(
            .topicNotOfType, path: "apns-topic", found: failure.actual, message: failure.explanation, fix: failure.fix)
    }

    /// What is to be said of an `apns-expiration` that is not 0; nil for a time in the future that is in seconds.
    package init?(expiration: Int64, now: Int64) {
        if expiration < now {
            let ago = Explanation.duration(seconds: now - expiration)
            self.init(
                .alreadyExpired, path: "apns-expiration", found: "\(expiration)",
                message: "The notification expired \(ago) before it arrived.")
        } else if expiration >= Self.millisecondsBegin {
            self.init(
                .expirationMilliseconds, path: "apns-expiration", found: "\(expiration)",
                message: "The apns-expiration \(expiration) would be after the year 5000; is it milliseconds?")
        } else {
            return nil
        }
    }

    /// From here on a number of seconds is hardly meant as one.
    private static let millisecondsBegin: Int64 = 100_000_000_000

    /// A device token of a length that Apple's do not have; nil for one of the usual lengths.
    static func deviceTokenLength(_ token: Span<UInt8>) -> Finding? {
        if token.count == 64 || token.count == 160 { return nil }
        let guess: String
        if token.isTextInHex {
            guess = " It is the text of another token in hexadecimal: the token was encoded twice."
        } else if token.count == 96 {
            guess = " A token of 64 digits that was decoded as base64 has so many."
        } else {
            guess = ""
        }
        return Finding(
            .deviceTokenLength, path: ":path", found: "\(token.count) digits",
            message: "The device token has \(token.count) digits, which no token of Apple's is known to have." + guess)
    }

    /// A topic that is hardly the one of an app; nil for nearly all.
    static func topicForm(_ topic: Span<UInt8>, suffix: PushType?) -> Finding? {
        guard let oddity = TopicOddity(topic, suffix: suffix) else { return nil }
        let shown = topic.shownText()
        switch oddity {
        case .notBundleID:
            let look = LookAlike.first(in: LookAlike.topics, like: topic)
            return Finding(
                .topicNotBundleID, path: "apns-topic", found: shown,
                message: "The topic \"\(shown)\" does not have the form of a bundle id."
                    + (look.map { " It looks like \($0.name)." } ?? ""), fix: look?.fix)
        case .teamPrefix(let rest):
            return Finding(
                .topicTeamPrefix, path: "apns-topic", found: shown,
                message: "The topic \"\(shown)\" begins with what looks like a team's id; the bundle id is \"\(rest)\"."
            )
        case .twoSuffixes:
            return Finding(
                .topicTwoSuffixes, path: "apns-topic", found: shown,
                message: "The topic \"\(shown)\" has the suffixes of two push types, one behind the other.")
        }
    }
}

/// What keeps a topic from being the one of an app, though all of its characters may be.
private enum TopicOddity {
    case notBundleID, teamPrefix(String), twoSuffixes

    /// The first lines are all that a bundle id comes to: the place of its first dot, its ends, and no dot beside a dot.
    init?(_ topic: Span<UInt8>, suffix: PushType?) {
        let dot = UInt8(ascii: ".")
        var length = topic.count
        if let suffix {
            // The type may come from a certificate's topic while the request names none.
            length = max(0, length - (suffix.row.topicSuffix?.utf8CodeUnitCount ?? 0))
            if PushType(suffixOf: topic.extracting(first: length)) != nil {
                self = .twoSuffixes
                return
            }
        }
        guard length > 0 else { return nil }
        var first = 0
        while first < length, topic[first] != dot { first += 1 }
        let teamLength = 10
        if first == teamLength, topic.extracting(first: teamLength).allBytes({ Self.isOfTeam($0) ? 0 : 1 }) {
            self = .teamPrefix(topic.extracting(droppingFirst: teamLength + 1).shownText())
            return
        }
        let isPlain = first > 0 && first < length && topic[length - 1] != dot && !topic.hasNeighbours(dot)
        if isPlain, !Self.absentWords.contains(where: { topic.extracting(first: length).hasSuffix($0) }) { return nil }
        self = .notBundleID
    }

    private static let absentWords: [StaticString] = [".undefined", ".null", ".nil", ".None"]

    private static func isOfTeam(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "A") < 26 || byte &- UInt8(ascii: "0") < 10
    }
}

extension Span where Element == UInt8 {
    /// Whether two of these bytes stand side by side.
    fileprivate func hasNeighbours(_ byte: UInt8) -> Bool {
        unsafe withUnsafeBufferPointer { bytes in
            var found: UInt8 = 0
            var position = 1
            while position < bytes.count {
                found |= unsafe (bytes[position] == byte ? 1 : 0) & (bytes[position - 1] == byte ? 1 : 0)
                position += 1
            }
            return found != 0
        }
    }

    /// Whether these digits are the ASCII of hexadecimal digits.
    fileprivate var isTextInHex: Bool {
        guard count >= 64, count % 2 == 0 else { return false }
        for position in stride(from: 0, to: count, by: 2) {
            let digit = self[position + 1]
            switch self[position] {
            case UInt8(ascii: "3"): if digit > UInt8(ascii: "9") { return false }
            case UInt8(ascii: "4"), UInt8(ascii: "6"):
                if digit < UInt8(ascii: "1") || digit > UInt8(ascii: "6") { return false }
            default: return false
            }
        }
        return true
    }
}

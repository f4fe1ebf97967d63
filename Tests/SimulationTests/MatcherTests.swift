import APNs
import Foundation
import HTTP
import Simulation
import Testing

struct MatcherTests {
    private func matcher(_ conditions: [(String, [String])], now: Int64? = nil) throws -> Matcher {
        var matcher = Matcher()
        for (field, values) in conditions { try matcher.require(field, anyOf: values, now: now) }
        return matcher
    }

    private func matches(_ field: String, _ values: String..., entry: JournalEntry) throws -> Bool {
        try matcher([(field, values)]).matches(entry)
    }

    private static let pushPayload = #"""
        {"aps":{"alert":{"title":"Shipped","body":"caf\u00e9 \"quoted\""},"badge":3,"content-available":1,"mutable":null},
         "order":{"id":42,"rate":1.50,"express":true},"items":[{"sku":"A1"},{"sku":"B*2"}],"dotted.name":"x","e":1e2}
        """#

    private static var push: JournalEntry {
        var content = JournalFixture.content(
            headers: [
                (.apnsCollapseID, "apns-collapse-id", "order-42"), (.apnsChannelID, "apns-channel-id", "dHN0"),
                (.other, "X-Trace", "abc"), (.other, "x-trace", "def"),
            ], payload: pushPayload)
        content.priority = 5
        content.apnsID = UUIDText(Array("EC1BF194-B3B2-424A-8912-0123456789AB".utf8))
        content.authentication = .token(keyID: "MOCK000001", teamID: "MOCKTEAM01", issuedAt: 0, signature: "verified")
        return JournalEntry(content)
    }

    private static var refusal: JournalEntry {
        var content = JournalFixture.content(.rejected)
        content.pushType = nil
        content.reason = .deviceTokenNotForTopic
        content.environment = .production
        content.authentication = .certificate(subject: "CN=Push, UID=com.acme.app")
        return JournalEntry(content)
    }

    @Test func `without conditions everything matches`() {
        #expect(Matcher().matches(Self.push) && Matcher().matches(Self.refusal))
        #expect(Matcher().description.isEmpty)
    }

    @Test(arguments: [
        ("device", JournalFixture.token, true), ("device", JournalFixture.token.uppercased(), true),
        ("device", "6f1e*", true), ("device", "6F1E*E1F0", true), ("device", "6f1e", false), ("device", "*", true),
        ("device", "7*", false), ("topic", "com.acme.app", true), ("topic", "com.acme.*", true),
        ("topic", "COM.ACME.APP", false), ("topic", "*.app", true), ("topic", "com.*.app", true),
        ("topic", "com.acme.app*", true), ("topic", "com.acme.app.*", false), ("topic", "*acme*", true),
        ("collapseId", "order-42", true), ("collapseId", "order-*", true), ("collapseId", "order", false),
        ("channel", "dHN0", true), ("channel", "dhn0", false), ("type", "alert", true), ("type", "ALERT", true),
        ("pushType", "alert", true), ("type", "voip", false), ("priority", "5", true), ("priority", "05", true),
        ("priority", "10", false), ("apnsId", "ec1bf194-b3b2-424a-8912-0123456789ab", true),
        ("apnsId", "EC1BF194*", true),
        ("env", "sandbox", true), ("environment", "sandbox", true), ("env", "production", false),
        ("status", "200", true),
        ("status", "400", false), ("reason", "BadDeviceToken", false), ("outcome", "accepted", true),
        ("outcome", "rejected", false), ("keyId", "MOCK000001", true), ("keyId", "MOCK*", true),
        ("keyId", "mock000001", false), ("teamId", "MOCKTEAM01", true), ("cert", "*", false), ("conn", "c7", true),
        ("conn", "c8", false), ("rule", "*", false), ("header.x-trace", "abc", true), ("header.X-Trace", "abc", true),
        ("header.x-trace", "def", true), ("header.x-trace", "ghi", false), ("header.apns-collapse-id", "order-*", true),
        ("header.:path", "/3/device/*", true), ("header.te", "*", false),
    ])
    func `fields of an accepted push`(field: String, value: String, isMeant: Bool) throws {
        #expect(try matches(field, value, entry: Self.push) == isMeant)
    }

    @Test(arguments: [
        ("reason", "DeviceTokenNotForTopic", true), ("reason", "devicetokennotfortopic", true),
        ("reason", "Unregistered", false), ("outcome", "rejected", true), ("status", "400", true),
        ("env", "production", true), ("type", "alert", false), ("cert", "*UID=com.acme.app", true),
        ("keyId", "*", false), ("apnsId", "*", false),
    ])
    func `fields of a refused push`(field: String, value: String, isMeant: Bool) throws {
        #expect(try matches(field, value, entry: Self.refusal) == isMeant)
    }

    @Test func `reasons are known by both their spellings`() throws {
        var content = JournalFixture.content(.rejected)
        content.reason = .invalidCollapseID
        for spelling in ["InvalidCollapseId", "BadCollapseId"] {
            #expect(try matches("reason", spelling, entry: JournalEntry(content)))
        }
    }

    @Test(arguments: [
        ("aps.alert.title", "Shipped", true), ("aps.alert.title", "Ship*", true), ("aps.alert.title", "shipped", false),
        ("payload.aps.alert.title", "Shipped", true), ("aps.alert.body", "caf\u{E9} \"quoted\"", true),
        ("aps.alert.body", "caf\u{E9} *", true), ("aps.badge", "3", true), ("aps.badge", "3.0", true),
        ("aps.badge", "4", false), ("aps.badge", "three", false), ("aps.mutable", "null", true),
        ("aps.mutable", "*", true),
        ("aps.missing", "*", false), ("aps.missing", "null", false), ("payload.order.id", "42", true),
        ("payload.order.id", "4*", true), ("payload.order.rate", "1.5", true), ("payload.order.rate", "1.50", true),
        ("payload.order.express", "true", true), ("payload.order.express", "false", false), ("payload.e", "100", true),
        ("payload.items.0.sku", "A*", true), ("payload.items.1.sku", "B\\*2", true),
        ("payload.items.1.sku", "B*", true),
        ("payload.items.0.sku", "A\\*", false), ("payload.items.2.sku", "*", false), ("payload.dotted.name", "x", true),
        ("payload.order", "*", true), ("payload.items", "[*]", true), ("aps.alert", "Shipped", false),
    ])
    func `values of the payload are compared by their text`(field: String, value: String, isMeant: Bool) throws {
        #expect(try matches(field, value, entry: Self.push) == isMeant)
    }

    @Test(arguments: ["", "{", "7", "[]", "null"])
    func `a payload without objects has no values`(payload: String) throws {
        #expect(try !matches("aps.badge", "*", entry: JournalFixture.entry(payload: payload)))
    }

    @Test func `one of the values is enough, and every field must agree`() throws {
        #expect(try matches("type", "voip", "alert", entry: Self.push))
        #expect(try !matches("type", "voip", "mdm", entry: Self.push))
        #expect(try matcher([("type", ["alert"]), ("topic", ["com.acme.*"])]).matches(Self.push))
        #expect(try !matcher([("type", ["alert"]), ("topic", ["com.other"])]).matches(Self.push))
        #expect(try !matcher([("topic", ["com.*"]), ("topic", ["*.other"])]).matches(Self.push))
    }

    @Test(arguments: [
        ("since", "2026-01-15T09:30:00.123Z", true), ("since", "2026-01-15T09:30:00.124Z", false),
        ("until", "2026-01-15T09:30:00.123Z", true), ("until", "2026-01-15T09:30:00.122Z", false),
        ("since", "2026-01-15T10:30:00.123+01:00", true), ("since", "2026-01-15T10:30:00.124+01:00", false),
        ("since", "2026-01-15T10:30:00.123 01:00", true), ("since", "2026-01-15T08:30:00.124-01:00", false),
        ("since", "2026-01-15T09:30:01Z", false), ("since", "2026-01-15t09:29:59z", true),
        ("since", "2026-01-15 09:30:00Z", true), ("since", "2026-01-15T09:30:00.1239999Z", true),
        ("since", "2026-01-15T09:30:00.1Z", true), ("since", "10s", true), ("since", "9s", false),
        ("since", "10000", true), ("since", "9999ms", false), ("until", "10s", true), ("until", "11s", false),
        ("since", "1m", true), ("since", "1h", true), ("since", "1d", true), ("since", "2024-02-29T00:00:00Z", true),
    ])
    func `times, and how long ago`(field: String, value: String, isMeant: Bool) throws {
        let now: Int64 = 1_768_469_410_123
        #expect(try matcher([(field, [value])], now: now).matches(Self.push) == isMeant)
    }

    @Test(
        arguments: [
            ("devise", "x", "device"), ("topik", "x", "topic"), ("pushtype", "alert", "pushType"),
            ("colapseId", "x", "collapseId"),
            ("banana", "x", nil), ("aps", "x", nil), ("aps.", "x", nil), ("payload.", "x", nil), ("header.", "x", nil),
            ("outcome", "acepted", "accepted"), ("type", "alrt", "alert"), ("reason", "Unregisterd", "Unregistered"),
            ("env", "sandbx", "sandbox"), ("env", "mars", nil), ("status", "OK", nil), ("priority", "high", nil),
            ("priority", "-1", nil), ("since", "yesterday", nil), ("since", "10 s", nil), ("since", "2026-01-15", nil),
            ("since", "2026-13-15T09:30:00Z", nil), ("since", "2026-01-15T09:30:00", nil),
            ("since", "99999999999999d", nil),
            ("since", "2026-01-15T09:30:00.Z", nil), ("since", "-5s", nil), ("device", "", nil),
        ] as [(String, String, String?)])
    func `what cannot be understood is an error in words`(field: String, value: String, suggestion: String?) throws {
        var matcher = Matcher()
        let error = #expect(throws: MatcherError.self) { try matcher.require(field, anyOf: [value]) }
        #expect(error?.suggestion == suggestion)
        #expect(error?.field == field)
        #expect(error?.message.contains(field) == true)
        if let suggestion { #expect(error?.message.contains(suggestion) == true) }
    }

    @Test func `a field without a value is an error`() {
        var matcher = Matcher()
        #expect(throws: MatcherError.self) { try matcher.require("topic", anyOf: []) }
        #expect(matcher.description.isEmpty && matcher.matches(Self.push))
    }

    @Test func `the description repeats what was asked, without what is implied`() throws {
        var matcher = try matcher([("device", ["6f1e*"]), ("type", ["alert", "voip"])])
        try matcher.require("outcome", anyOf: ["accepted"], implied: true)
        #expect(matcher.description.map(\.field) == ["device", "type"])
        #expect(matcher.description.map(\.value) == ["6f1e*", "alert,voip"])
    }

    @Test func `the names of the documentation are all known`() throws {
        for name in Matcher.fieldNames {
            var matcher = Matcher()
            let words = [
                "kind": "device", "type": "alert", "env": "sandbox", "reason": "BadTopic", "outcome": "broken",
                "finding": "L004",
            ]
            try matcher.require(name, anyOf: [words[name] ?? "10"])
        }
    }

    // MARK: Comparison

    @Test func `a comparison says where an entry agrees and where it differs`() throws {
        let matcher = try matcher([
            ("device", [JournalFixture.token]), ("topic", ["com.other"]), ("aps.alert.title", ["Shipped*", "Sent*"]),
            ("aps.badge", ["4"]), ("aps.sound", ["default"]), ("outcome", ["rejected"]),
            ("since", ["2027-01-01T00:00:00Z"]), ("status", ["410"]),
        ])
        let comparison = matcher.compare(Self.push)
        #expect(comparison.agree == ["device", "aps.alert.title"])
        #expect(
            comparison.differ == [
                .init(field: "topic", expected: "com.other", actual: "com.acme.app"),
                .init(field: "aps.badge", expected: "4", actual: "3"),
                .init(field: "aps.sound", expected: "default", actual: "none"),
                .init(field: "outcome", expected: "rejected", actual: "accepted"),
                .init(field: "since", expected: "2027-01-01T00:00:00Z", actual: "2026-01-15T09:30:00Z"),
                .init(field: "status", expected: "410", actual: "200"),
            ])
    }

    @Test func `a refused entry is compared with its reason`() throws {
        let comparison = try matcher([("outcome", ["accepted"])]).compare(Self.refusal)
        #expect(
            comparison.differ == [
                .init(field: "outcome", expected: "accepted", actual: "rejected: 400 DeviceTokenNotForTopic")
            ])
        var broken = JournalFixture.content(.broken)
        broken.breakage = .init(cause: "tls", explanation: "")
        #expect(JournalEntry(broken).outcomeText == "broken: tls")
        var faulted = JournalFixture.content(.faulted)
        faulted.status = 0
        #expect(JournalEntry(faulted).outcomeText == "faulted")
    }

    @Test func `a long value is shown shortened`() throws {
        let payload = #"{"aps":{"alert":"\#(String(repeating: "x", count: 500))"}}"#
        let comparison = try matcher([("aps.alert", ["Hi"])]).compare(JournalFixture.entry(payload: payload))
        #expect(comparison.differ.first?.actual == String(repeating: "x", count: Matcher.shownValueLimit) + "…")
    }

    @Test func `what was read of one entry is not used for another`() throws {
        let scratch = MatchScratch()
        let matcher = try matcher([("aps.badge", ["1"])])
        let other = JournalFixture.entry(payload: #"{"aps":{"badge":2}}"#)
        let same = JournalFixture.entry(payload: #"{"aps":{"badge":1}}"#)
        for _ in 0..<3 {
            #expect(matcher.matches(same, scratch: scratch))
            #expect(!matcher.matches(other, scratch: scratch))
            #expect(!matcher.matches(JournalFixture.entry(payload: "no"), scratch: scratch))
        }
    }
}

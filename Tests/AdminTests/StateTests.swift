import APNs
import Foundation
import HTTP
import JSON
import Simulation
import TLS
import Testing

@testable import Admin

/// The state of a server as a document.
struct StateTests {
    private static let token = AdminHarness.device
    private static let tokenTwice = #"{"devices":[{"token":"\#(token)"},{"token":"\#(token.uppercased())"}]}"#
    private let harness: AdminHarness

    init() throws {
        let key = try ES256PrivateKey()
        harness = AdminHarness(keys: [
            .init(keyID: "MOCK000001", teamID: "MOCKTEAM01", key: key.publicKey, privateKey: key)
        ])
    }

    private func put(_ json: String, to path: String = "/v1/state") -> AdminResponse {
        harness.send(path, method: "PUT", json: json)
    }

    /// The reason of the answer to a push; nil when it was accepted.
    private func push(_ topic: String = "com.acme.app") -> Reason? {
        harness.request(
            "POST", "/3/device/\(Self.token)", [(.apnsTopic, topic), (.apnsPushType, "alert")],
            #"{"aps":{"alert":"hi"}}"#
        ).entry.content.reason
    }

    @Test func `what is put decides about pushes, and what is not named stays`() {
        #expect(push() == nil)
        let rule = #"{"id":"full","match":{"topic":"com.acme.busy"},"then":{"reason":"TooManyRequests"}}"#
        let device = #"{"token":"\#(Self.token)","topics":["com.acme.*"]}"#
        let apps = #"{"com.acme.app":{"name":"Acme"}}"#
        #expect(put(#"{"devices":[\#(device)],"rules":[\#(rule)],"apps":\#(apps)}"#).status == 200)
        #expect(push() == nil)
        #expect(push("com.acme.busy") == .tooManyRequests)
        #expect(push("org.other") == .deviceTokenNotForTopic)
        #expect(harness.simulator.apps.all.map(\.name) == ["Acme"])
        #expect(harness.simulator.keys.all.map(\.keyID) == ["MOCK000001"])

        #expect(put(#"{"rules":[]}"#).status == 200)
        #expect(push("com.acme.busy") == nil)
        #expect(push("org.other") == .deviceTokenNotForTopic)
        #expect(put(#"{"devices":[{"token":"\#(Self.token)","state":"unregistered","since":"-2d"}]}"#).status == 200)
        #expect(push() == .unregistered)
        _ = harness.send("/v1/reset", method: "POST")
        #expect(push() == nil)
        #expect(harness.simulator.apps.all.isEmpty)
    }

    @Test func `a state that was taken is put back and taken again the same`() throws {
        let gone = String(repeating: "a07c", count: 16)
        let devices =
            #"[{"token":"\#(Self.token)","topics":["com.acme.app"],"os":"iOS 18","environment":"production"},"#
            + #"{"token":"\#(gone)","state":"expired","since":"-2d"}]"#
        let rules = #"[{"id":"slow","match":{"pushType":"voip"},"then":{"accept":true,"delay":"300ms"}}]"#
        let apps = #"{"com.acme.app":{"name":"Acme","icon":"icon.png","strings":"en.strings"}}"#
        let namespace = #"{"name":"billing","topics":["com.bill*"],"profile":"live","seed":9,"rules":\#(rules)}"#
        let made = put(#"{"devices":\#(devices),"rules":\#(rules),"apps":\#(apps),"namespaces":[\#(namespace)]}"#)
        #expect(made.status == 200, "\(made.text)")
        let taken = harness.send("/v1/state").text
        #expect(made.text == taken)
        #expect(put(taken).text == taken)
        #expect(harness.send("/v1/state").text == taken)
        let own = harness.send("/v1/ns/billing/state").text
        #expect(put(own, to: "/v1/ns/billing/state").text == own)
        #expect(harness.send("/v1/state").text == taken)

        // Another server, whose own key is another one, becomes the same.
        let other = try StateTests().harness
        #expect(other.send("/v1/state", method: "PUT", json: taken).text == taken)
    }

    @Test func `the keys of the server are not named as a namespace's own`() throws {
        let made = harness.send("/v1/namespaces", method: "POST", json: #"{"name":"suite","key":true}"#)
        let known = try #require(made.object["keyIds"] as? [String])
        let namespaces = try #require(harness.send("/v1/state").object["namespaces"] as? [[String: Any]])
        let keys = try #require(namespaces.first?["keys"] as? [[String: Any]])
        #expect(keys.map { $0["keyId"] as? String } == known.filter { $0 != "MOCK000001" })
        let all = try #require(harness.send("/v1/ns/suite/state").object["keys"] as? [[String: Any]])
        #expect(all.count == 2)
    }

    @Test(
        arguments: [
            (#"{"profil":"live"}"#, 400, "profil"), (#"{"profile":"strickt"}"#, 400, "strickt"),
            (#"{"profile":"live"}"#, 409, "cannot become \"live\""), (#"{"seed":2}"#, 409, "cannot become \"2\""),
            (#"{"unknownDevices":"reject"}"#, 409, "unknownDevices"), (#"{"rules":7}"#, 400, "an array of rules"),
            (#"{"devices":[{"token":"abc"}]}"#, 400, "$.devices[0]: "), (#"{"devices":[{}]}"#, 400, "no \"token\""),
            (#"{"keys":[{"keyId":"ABC123DEFG","file":"a.p8"}]}"#, 400, "configuration file only"),
            (#"{"keys":[{"keyId":"ABC123DEFG"}]}"#, 400, "none of \"file\", \"p8\" and \"publicKey\""),
            (#"{"rules":[{"then":{"accept":true}},{"thn":{}}]}"#, 400, "$.rules[1].thn"),
            (#"{"rules":[{"id":"a","then":{"accept":true}},{"id":"a","then":{"accept":true}}]}"#, 409, "\"a\" twice"),
            (tokenTwice, 409, "\"\(token)\" twice"),
            (#"{"apps":{"com.acme.app":{"nme":"Acme"}}}"#, 400, "$.apps.com.acme.app: \"nme\""),
            (#"{"namespaces":[{"name":"a"},{"name":"a"}]}"#, 409, "\"a\" twice"),
            (#"{"namespaces":[{"name":"default"}]}"#, 400, "$.namespaces[0]: "),
            (#"{"namespaces":[{"name":"a","rules":[{"thn":{}}]}]}"#, 400, "$.namespaces[0].rules[0].thn"),
            (#"{"namespaces":[{"name":"a","topics":["x.y"]},{"name":"b","topics":["x.y"]}]}"#, 409, "\"x.y\""),
            (#"{"devices":[],"namespaces":[{"name":"a","topics":["com.taken"]}]}"#, 409, "com.taken"),
        ] as [(String, Int, String)])
    func `what cannot be is refused with its place, and nothing changes`(body: String, status: Int, words: String) {
        let device = #"{"token":"\#(Self.token)"}"#
        #expect(put(#"{"devices":[\#(device)],"namespaces":[{"name":"suite","topics":["com.taken"]}]}"#).status == 200)
        let before = harness.send("/v1/state").text
        let response = put(body)
        #expect(response.status == status)
        #expect(response.string("detail").contains(words), "\(response.text)")
        #expect(harness.send("/v1/state").text == before)
    }

    @Test func `namespaces are put into the default one only`() {
        #expect(put(#"{"namespaces":[{"name":"suite"}]}"#).status == 200)
        #expect(put(#"{"namespaces":[]}"#, to: "/v1/ns/suite/state").status == 400)
    }

    @Test(
        arguments: [
            (#"$.devices[1]: "topic" is not a member of this body."#, 5),
            (#"The member "profile" holds "liv"; expected one of strict, live, lenient."#, 2),
            ("$.rules[0]: then.reason holds nothing.", 8), ("$.rules[0]: the", 7), ("$.apps.com.acme.app: no", 10),
            ("$.namespaces[0].devices[0]: no", 12), ("$.rules[7]: no", 7), ("no place at all", 1), ("$", 1),
        ])
    func `a refusal leads to a line of the file`(detail: String, line: Int) throws {
        let text = """
            {
              profile: "liv",
              devices: [
                { token: "aa" },
                { token: "bb", topic: "x" },
              ],
              rules: [ { id: "a", then: { accept: true,
                  reason: null } } ],
              apps: { "com": 1,
                "com.acme.app": {} },
              namespaces: [ { name: "a",
                devices: [ { } ] } ],
            }
            """
        #expect(StatePlace(detail, in: try JSON5Text(Array(text.utf8))).line == line)
    }
}

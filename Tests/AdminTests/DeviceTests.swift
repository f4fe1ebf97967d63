import APNs
import Foundation
import HTTP
import JSON
import Simulation
import Testing

@testable import Admin

/// The devices through the API.
struct DeviceTests {
    private let harness = AdminHarness()
    private let token = AdminHarness.device
    private var devices: DeviceStore { harness.simulator.devices }

    private func register(_ json: String) -> AdminResponse {
        harness.send("/v1/devices", method: "POST", json: json)
    }

    private func patch(_ json: String, _ token: String = AdminHarness.device) -> AdminResponse {
        harness.send("/v1/devices/\(token)", method: "PATCH", json: json)
    }

    /// The answer to a push.
    private func push(topic: String = "com.acme.app") -> (status: UInt16, reason: Reason?) {
        let fields: [(HeaderName, String)] = [(.apnsTopic, topic)]
        let content = harness.request("POST", "/3/device/\(token)", fields, #"{"aps":{"alert":"hi"}}"#).entry.content
        return (content.status, content.reason)
    }

    @Test func `devices are made with random tokens`() {
        let response = register(#"{"count":3,"topics":["com.acme.app"],"environment":"production","os":"iOS 18"}"#)
        #expect(response.status == 201)
        #expect(response.items.count == 3)
        for item in response.items {
            #expect((item["token"] as? String)?.count == 64)
            #expect(item["state"] as? String == "active")
            #expect(item["environment"] as? String == "production")
            #expect(item["topics"] as? [String] == ["com.acme.app"])
            #expect(item["os"] as? String == "iOS 18")
            #expect(item["locale"] is NSNull)
        }
        #expect(Set(response.items.compactMap { $0["token"] as? String }).count == 3)
        #expect(register("{}").items.count == 1)
        let text = harness.send("/v1/devices", method: "POST", accept: "text/plain", json: #"{"count":2}"#).text
        #expect(text.split(separator: "\n").allSatisfy { $0.count == 64 })
        #expect(devices.all.count == 6)
    }

    @Test func `a sender's own tokens are registered, and are then checked`() {
        #expect(push().status == 200)
        #expect(register(#"{"token":"\#(token.uppercased())","topics":["com.acme.*"]}"#).status == 201)
        #expect(push().status == 200)
        #expect(push(topic: "org.acme").reason == .deviceTokenNotForTopic)
        #expect(harness.send("/v1/devices/\(token.uppercased())").string("token") == token)
        let again = register(#"{"token":["\#(String(repeating: "ab", count: 32))","\#(token)"]}"#)
        #expect(again.status == 409)
        #expect(again.string("hint").contains("PATCH /v1/devices/\(token)"))
        #expect(devices.all.count == 1)
    }

    @Test func `a token goes out of use and comes back`() throws {
        _ = register(#"{"token":"\#(token)"}"#)
        let before = harness.simulator.clock.now().server
        let gone = patch(#"{"state":"unregistered","since":"-1h"}"#)
        #expect(gone.string("state") == "unregistered")
        let since = try #require(devices.device(token)?.since)
        #expect((before - 3_600_000...before - 3_590_000).contains(since))
        #expect(push().reason == .unregistered)
        #expect(patch(#"{"state":"expired","since":"2026-01-01T00:00:00Z"}"#).status == 200)
        #expect(push().reason == .expiredToken)
        #expect(devices.device(token)?.since == 1_767_225_600_000)
        #expect(patch(#"{"state":"online"}"#).string("state") == "active")
        #expect(push().status == 200)
        #expect(patch(#"{"state":"offline"}"#).string("state") == "offline")
        #expect(push().status == 200)
        #expect(patch(#"{"environment":"production"}"#).status == 200)
        #expect(push().reason == .badDeviceToken)
    }

    @Test func `a change leaves alone what it does not name`() {
        _ = register(#"{"token":"\#(token)","topics":"com.acme.app","os":"iOS 18","locale":"en"}"#)
        _ = patch(#"{"os":null}"#)
        let device = devices.device(token)
        #expect(device?.os == nil && device?.locale == "en" && device?.topics.map(\.text) == ["com.acme.app"])
        _ = patch(#"{"topics":[],"locale":"de"}"#)
        #expect(devices.device(token)?.topics.isEmpty == true)
        #expect(devices.device(token)?.locale == "de")
    }

    @Test func `a list is filtered and comes in pages`() {
        _ = register(#"{"count":5,"topics":["com.acme.app"]}"#)
        _ = register(#"{"token":"\#(token)","environment":"production","state":"offline"}"#)
        func tokens(_ query: String) -> [String] {
            harness.send("/v1/devices\(query)").items.compactMap { $0["token"] as? String }
        }
        let all = devices.all.map(\.token)
        #expect(tokens("") == all)
        #expect(tokens("?state=offline") == [token])
        #expect(tokens("?state=active,offline").count == 6)
        #expect(tokens("?env=sandbox") == Array(all.prefix(5)))
        #expect(tokens("?topic=com.acme.app").count == 6, "a device without topics takes every one")
        #expect(tokens("?topic=com.acme.other") == [token])
        #expect(tokens("?token=6F1E*") == [token])
        let first = harness.send("/v1/devices?limit=4")
        #expect(first.number("matched") == 6 && first.number("returned") == 4 && first.number("next") == 4)
        let last = harness.send("/v1/devices?limit=4&after=4")
        #expect(last.items.count == 2 && last.object["next"] is NSNull)
        let text = harness.send("/v1/devices?limit=5", accept: "text/plain").text
        #expect(text.hasSuffix("… 1 more: after=5\n"))
        #expect(text.hasPrefix("\(all[0])  active  sandbox  com.acme.app\n"))
    }

    @Test func `a device is forgotten, and a reset forgets all`() {
        _ = register(#"{"token":"\#(token)","state":"unregistered"}"#)
        #expect(push().reason == .unregistered)
        #expect(harness.send("/v1/devices/\(token)", method: "DELETE").string("removed") == token)
        #expect(push().status == 200)
        for method in ["GET", "DELETE", "PATCH"] {
            let json = method == "PATCH" ? "{}" : nil
            #expect(harness.send("/v1/devices/\(token)", method: method, json: json).status == 404)
        }
        _ = register(#"{"token":"\#(token)","state":"unregistered"}"#)
        _ = harness.send("/v1/reset", method: "POST", json: #"{"keep":["devices"]}"#)
        #expect(push().reason == .unregistered)
        _ = harness.send("/v1/reset", method: "POST")
        #expect(push().status == 200)
        #expect(harness.send("/v1/devices").items.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"token":"abc"}"#, "3 digits"), (#"{"token":[]}"#, "lists 0 tokens"), (#"{"token":7}"#, "holds 7"),
            (#"{"count":0}"#, "a whole number from 1"), (#"{"count":10001}"#, "to 10000"),
            (#"{"count":1,"token":"abababababababababababababababababababababababababababababababab"}"#, "one of them"),
            (#"{"topics":["com acme"]}"#, "com acme"), (#"{"environment":"staging"}"#, "staging"),
            (#"{"state":"gone"}"#, "gone"), (#"{"since":"1h"}"#, "how long ago"), (#"{"since":"+1h"}"#, "+1h"),
            (#"{"since":"2999-01-01T00:00:00Z"}"#, "not later"), (#"{"tokens":[]}"#, "not a member"),
            (#"{"os":3}"#, "holds 3"),
        ])
    func `a device that cannot be is refused`(body: String, words: String) {
        let response = register(body)
        #expect(response.status == 400)
        #expect(response.string("detail").contains(words), "\(response.text)")
        #expect(devices.isEmpty)
    }

    @Test func `a device comes out of an exported state as it went in`() throws {
        let now = harness.simulator.clock.now().server
        _ = register(#"{"token":"\#(token)","topics":["com.acme.*"],"environment":"production","os":"iOS 18"}"#)
        _ = patch(#"{"state":"expired","since":"-2d"}"#)
        _ = register("{}")
        let copy = DeviceStore()
        copy.replace(
            with: try devices.all.flatMap { device in
                var writer = JSONWriter()
                DeviceWriter.writeState(device, to: &writer)
                return try DeviceFields.devices(writer.bytes, now: now + 60_000, cursor: 7)
            })
        #expect(copy.all.map(\.token) == devices.all.map(\.token))
        for device in devices.all {
            let other = try #require(copy.device(device.token))
            #expect(other.state == device.state && (device.state == .active || other.since == device.since))
            #expect(other.topics == device.topics && other.environment == device.environment && other.os == device.os)
        }
        for (json, words) in [(#"{"state":"active"}"#, "no member"), (#"{"token":"abc"}"#, "3 digits")] {
            let problem = #expect(throws: Problem.self) {
                try DeviceFields.devices(Array(json.utf8), now: now, cursor: 0)
            }
            #expect(problem?.detail.contains(words) == true)
        }
    }

    @Test func `long texts and many topics are refused`() {
        let long = String(repeating: "x", count: Device.textLimit + 1)
        for body in [#"{"os":"\#(long)"}"#, #"{"locale":"\#(long)"}"#, #"{"topics":["\#(long)"]}"#] {
            #expect(register(body).status == 400)
        }
        let topics = (0...Device.topicLimit).map { "\"a\($0)\"" }.joined(separator: ",")
        #expect(register("{\"topics\":[\(topics)]}").string("detail").contains("at most \(Device.topicLimit)"))
    }
}

import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// Channels through the admin API.
struct ChannelResourceTests {
    private let harness = AdminHarness()
    private let id = "dHN0LXNy/2gtY2hu+A=="
    private let path = "/v1/channels/dHN0LXNy%2F2gtY2hu%2BA%3D%3D"

    private func create(_ json: String) -> AdminResponse {
        harness.send("/v1/channels", method: "POST", json: json)
    }

    @Test func `a channel is put there, shown, published to and deleted`() throws {
        let made = create(#"{"bundleId":"com.acme.app","env":"production","messageStoragePolicy":1,"id":"\#(id)"}"#)
        #expect(made.status == 201)
        #expect(made.string("id") == id)
        #expect(made.string("environment") == "production")
        #expect(made.number("published") == 0)
        #expect(made.object["lastMessage"] is NSNull)

        var random = FastRandom(seed: 1)
        let requestID = UUIDText.random(using: &random)
        let now = harness.simulator.clock.now().server
        let message = Channel.Message(
            requestID: requestID, publishedAt: now, priority: 5, expiration: now / 1000 + 60,
            payload: Array(#"{"aps":{"event":"end"}}"#.utf8))
        #expect(harness.simulator.channels.publish(message, to: id, of: Channel.App(.production, "com.acme.app")))
        let shown = harness.send(path)
        #expect(shown.number("published") == 1)
        let last = try #require(shown.object["lastMessage"] as? [String: Any])
        #expect(last["apnsId"] as? String == requestID.description)
        #expect(last["payload"] as? NSDictionary == ["aps": ["event": "end"]])
        #expect(last["storedUntil"] is String)

        #expect(harness.send(path, method: "DELETE").status == 200)
        let gone = harness.send(path)
        #expect(gone.status == 404)
        #expect(gone.string("hint").contains("ChannelNotRegistered"))
        #expect(create(#"{"bundleId":"com.acme.app","id":"\#(id)"}"#).status == 409)
    }

    @Test func `the list can be of one app or one environment`() {
        for (bundleID, environment) in [("a.b", "sandbox"), ("a.b", "production"), ("c.d", "sandbox")] {
            #expect(create(#"{"bundleId":"\#(bundleID)","env":"\#(environment)"}"#).status == 201)
        }
        #expect(harness.send("/v1/channels").items.count == 3)
        #expect(harness.send("/v1/channels?bundleId=a.b").items.count == 2)
        #expect(harness.send("/v1/channels?env=sandbox").items.count == 2)
        #expect(harness.send("/v1/channels?bundleId=c.d&env=production").items.isEmpty)
        #expect(harness.send("/v1/channels?env=both").status == 400)
    }

    @Test(arguments: [
        (#"{}"#, "bundleId"), (#"{"bundleId":""}"#, "bundleId"), (#"{"bundleId":1}"#, "bundleId"),
        (#"{"bundleId":"a.b","messageStoragePolicy":2}"#, "from 0 to 1"),
        (#"{"bundleId":"a.b","env":"prod"}"#, "production"), (#"{"bundleId":"a.b","id":"%"}"#, "percent-encoded"),
        (#"{"bundle":"a.b"}"#, "bundleId"),
    ])
    func `a body that says something else is refused in words`(json: String, word: String) {
        let response = create(json)
        #expect(response.status == 400)
        #expect(response.text.contains(word), "\(response.text)")
        #expect(harness.simulator.channels.channels(now: 0).isEmpty)
    }

    @Test func `a reset forgets channels unless they are kept`() {
        #expect(create(#"{"bundleId":"a.b"}"#).status == 201)
        _ = harness.send("/v1/reset?keep=channels", method: "POST")
        #expect(harness.send("/v1/channels").items.count == 1)
        _ = harness.send("/v1/reset?keep=journal", method: "POST")
        #expect(harness.send("/v1/channels").items.isEmpty)
        #expect(create(#"{"bundleId":"a.b"}"#).status == 201)
        _ = harness.send("/v1/reset", method: "POST")
        #expect(harness.send("/v1/channels").items.isEmpty)
    }

    @Test func `accepted broadcasts are notifications, management is not`() throws {
        let created = harness.request(
            "POST", "/1/apps/com.acme.app/channels", [],
            #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
        #expect(created.response.status == 201)
        let channel = try #require(harness.send("/v1/channels").items.first?["id"] as? String)
        let published = harness.request(
            "POST", "/4/broadcasts/apps/com.acme.app",
            [
                (.apnsChannelID, channel), (.apnsPushType, "liveactivity"), (.apnsExpiration, "0"),
                (.apnsPriority, "10"),
            ], #"{"aps":{"event":"end","timestamp":1768469400}}"#)
        #expect(published.response.status == 200)
        let notifications = harness.send("/v1/notifications").items
        #expect(notifications.map { $0["kind"] as? String } == ["broadcast"])
        #expect(notifications.first?["channel"] as? String == channel)
        #expect(notifications.first?["pushType"] as? String == "liveactivity")
        #expect(harness.send("/v1/requests").items.map { $0["kind"] as? String } == ["channels", "broadcast"])
        #expect(harness.send("/v1/notifications?kind=channels").status == 400)
    }
}

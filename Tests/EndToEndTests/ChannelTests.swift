import APNs
import EventLoop
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// Broadcasts and channels over the wire.
struct ChannelTests {
    private let payload = #"{"aps":{"event":"update","timestamp":1768469400,"content-state":{"score":"1:0"}}}"#
    private let app = "/1/apps/com.example.app"

    private func fields(
        _ server: TestServer, _ method: String, _ path: String, _ more: [String: String] = [:]
    ) -> [(String, String)] {
        var changes: [String: String?] = [":method": method, ":path": path, "apns-topic": nil, "apns-push-type": nil]
        for (name, value) in more { changes[name] = value }
        return server.fields(changes)
    }

    private func text(_ response: HTTP2ClientSession.Response) -> String {
        String(decoding: response.body, as: UTF8.self)
    }

    @Test func `a channel is created, read, listed, published to and deleted`() throws {
        try TestServer.run { server in
            let client = try server.client()
            let created = try client.request(
                fields(server, "POST", app + "/channels"), #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
            #expect(created.status == 201)
            #expect(created.endedOnHeaders)
            #expect(created.fields.map(\.name) == ["apns-request-id", "apns-channel-id"])
            let channel = try #require(created["apns-channel-id"])
            #expect(channel.utf8.count == 24)

            let named = ["apns-channel-id": channel]
            let read = try client.request(fields(server, "GET", app + "/channels", named))
            #expect(read.status == 200)
            #expect(text(read) == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
            let listed = try client.request(fields(server, "GET", app + "/all-channels"))
            #expect(text(listed) == #"{"channels":["\#(channel)"]}"#)

            let published = try client.request(
                fields(
                    server, "POST", "/4/broadcasts/apps/com.example.app",
                    [
                        "apns-channel-id": channel, "apns-push-type": "liveactivity", "apns-expiration": "0",
                        "apns-priority": "10", "apns-request-id": "eabeae54-14a8-11e5-b60b-1697f925ec7b",
                    ]), payload)
            #expect(published.status == 200, "\(text(published))")
            #expect(published.endedOnHeaders)
            #expect(published.fields.map(\.name) == ["apns-request-id", "apns-unique-id"])
            #expect(published["apns-request-id"] == "eabeae54-14a8-11e5-b60b-1697f925ec7b")
            #expect(server.entries.last?.content.kind == .broadcast)
            #expect(server.entries.last?.content.channelRequest?.channel == channel)
            #expect(try server.folder.lines(of: "log.ndjson").last?.contains(#""kind":"broadcast""#) == true)

            let deleted = try client.request(fields(server, "DELETE", app + "/channels", named))
            #expect(deleted.status == 204)
            #expect(deleted.endedOnHeaders)
            let again = try client.request(fields(server, "DELETE", app + "/channels", named))
            #expect(again.status == 404)
            #expect(text(again) == #"{"reason":"BadPath"}"#)
            #expect(again.fields.map(\.name) == ["apns-request-id"])
        }
    }

    @Test func `without the capability the wire says so, in the spelling that was chosen`() throws {
        for (isDocumented, word) in [(false, "BroadcastFeatureNotEnabled"), (true, "FeatureNotEnabled")] {
            let configure = { (configuration: inout Configuration) in
                configuration.simulation.broadcastApps = []
                configuration.simulation.documentedSpelling = isDocumented
            }
            try TestServer.run(configure) { server in
                let response = try server.client().request(fields(server, "GET", app + "/all-channels"))
                #expect(response.status == 400)
                #expect(text(response) == #"{"reason":"\#(word)"}"#)
                // The inspection log and the admin API spell as the wire does.
                #expect(server.simulator.journal.renderer.usesDocumentedSpelling == isDocumented)
            }
        }
    }

    @Test func `the environment follows the host, and channels do not cross it`() throws {
        try TestServer.run { server in
            let client = try server.client()
            var production = fields(server, "POST", app + "/channels")
            production.removeAll { $0.0 == ":authority" }
            production.insert((":authority", "api-manage-broadcast.push.apple.com:2196"), at: 0)
            let created = try client.request(production, #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
            let channel = try #require(created["apns-channel-id"])
            let read = try client.request(fields(server, "GET", app + "/channels", ["apns-channel-id": channel]))
            #expect(read.status == 404)
            let failure = try #require(server.entries.last?.content.failures.first)
            #expect(failure.explanation.contains("belongs to production, and this is sandbox"))
        }
    }
}

import EventLoop
import Foundation
import HTTP2
import MockAPNS
import TestSupport
import Testing

/// The library as a Swift test uses it.
struct MockAPNSTests {
    /// Sends a push as the sender under test would; the status and Apple's reason.
    @discardableResult
    private func send(
        _ apns: MockAPNS, to device: String, _ payload: String = #"{"aps":{"alert":{"title":"Shipped"},"badge":3}}"#,
        _ changes: [String: String] = [:]
    ) throws -> HTTP2ClientSession.Response {
        let client = try TestClient(
            .ip(host: apns.host, port: UInt16(apns.port)), .with { $0.trust = .authority(apns.authorityFile) })
        let bearer = try TestServer.bearer(
            keyFile: apns.signingKey.file, keyID: apns.signingKey.keyID, teamID: apns.signingKey.teamID)
        let fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", apns.host), (":path", "/3/device/\(device)"),
            ("authorization", bearer), ("apns-topic", "com.acme.app"), ("apns-push-type", "alert"),
        ]
        return try client.request(fields + changes.map { ($0.key, $0.value) }, payload)
    }

    @Test func `a push that was sent is found, with what it says`() async throws {
        try await MockAPNS.withServer { apns in
            let device = apns.randomDevice()
            let answer = try send(
                apns, to: device,
                #"{"aps":{"alert":{"title":"Shipped","body":"Order 42"},"badge":3},"order":{"id":42}}"#)
            #expect(answer.status == 200)
            let push = try await apns.notification(
                to: device, where: ["aps.alert.title": "Ship*", "payload.order.id": "42"])
            #expect(push.device == device)
            #expect(push.topic == "com.acme.app")
            #expect(push.pushType == "alert")
            #expect(push.priority == 10)
            #expect(push.apnsID == answer["apns-id"])
            #expect(push.title == "Shipped")
            #expect(push.body == "Order 42")
            #expect(push.badge == 3)
            #expect(push.number("payload.order.id") == 42)
            #expect(push.payload.contains("Order 42"))
            #expect(push.collapseID == nil)
            #expect(push.cursor == 1)
        }
    }

    @Test func `a wait ends with the push that comes`() async throws {
        try await MockAPNS.withServer { apns in
            let device = apns.randomDevice()
            async let push = apns.notification(to: device, within: .seconds(30))
            Thread.detachNewThread { _ = try? send(apns, to: device) }
            let title = try await push.title
            #expect(title == "Shipped")
        }
    }

    @Test func `what does not come is explained`() async throws {
        try await MockAPNS.withServer { apns in
            let device = apns.randomDevice()
            #expect(try send(apns, to: device, #"{"aps":{"alert":"x"}}"#, ["apns-priority": "7"]).status == 400)
            let error = await #expect(throws: MockAPNS.ExpectationUnmet.self) {
                try await apns.notification(to: device, within: .milliseconds(1))
            }
            #expect(error?.description.contains("BadPriority") == true, "\(error?.description ?? "")")
            try await apns.notifications(exactly: 0, to: device, within: .milliseconds(1))
        }
    }

    @Test func `a condition that nobody understands is a failure of another kind`() async throws {
        try await MockAPNS.withServer { apns in
            let error = await #expect(throws: MockAPNS.Failure.self) {
                try await apns.notification(where: ["topik": "x"])
            }
            #expect(error?.description.contains("topic") == true)
        }
    }

    @Test func `a cursor separates what was from what comes`() async throws {
        try await MockAPNS.withServer { apns in
            let device = apns.randomDevice()
            try send(apns, to: device)
            let cursor = apns.cursor
            #expect(cursor == 1)
            try send(apns, to: device)
            try send(apns, to: device)
            #expect(try await apns.notifications(exactly: 2, to: device, after: cursor).map(\.cursor) == [2, 3])
            #expect(try await apns.notifications(to: device).count == 3)
            apns.reset()
            #expect(try await apns.notifications(to: device).isEmpty)
        }
    }

    @Test func `servers of one process know nothing of each other`() async throws {
        let first = try await MockAPNS.start()
        let second = try await MockAPNS.start()
        #expect(first.port != second.port)
        #expect(first.authorityPEM != second.authorityPEM)
        let device = first.randomDevice()
        try send(first, to: device)
        #expect(try await second.notifications(to: device).isEmpty)
        #expect(try await first.notifications(to: device).count == 1)
        await first.stop()
        await second.stop()
        await second.stop()
    }

    @Test func `profile and environment are those of the configuration`() async throws {
        var configuration = MockAPNS.Configuration()
        configuration.profile = .lenient
        configuration.environment = .production
        try await MockAPNS.withServer(configuration) { apns in
            let device = apns.randomDevice()
            try send(apns, to: device)
            let push = try await apns.notification(to: device)
            #expect(push.string("profile") == "lenient")
            #expect(push.string("environment") == "production")
        }
    }

    @Test func `the temporary folder goes with the server`() async throws {
        var apns: MockAPNS? = try await MockAPNS.start()
        let file = try #require(apns?.authorityFile)
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(apns?.signingKey.pem.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
        await apns?.stop()
        apns = nil
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}

import EventLoop
import Foundation
import HTTP
import Server
import Simulation
import TestFixtures
import TestSupport
import Testing

/// Pushes that the server sends to itself, over its own listener.
struct OwnSenderTests {
    private let push =
        #""headers":{"apns-topic":"com.example.app","apns-push-type":"alert"},"payload":{"aps":{"alert":"Hi"}}"#

    private func send(_ server: TestServer, _ body: String) throws -> [String: Any] {
        let address = try #require(server.server.adminAddress)
        let response = try HTTP1Client.send(
            method: "POST", host: address.host ?? "", port: address.port ?? 0, target: "/v1/send",
            headers: [("content-type", "application/json")], body: Array(body.utf8), timeoutMilliseconds: 30_000)
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    private func run(_ body: (TestServer) throws -> Void) throws {
        try TestServer.run({ $0.admin = .ip(host: "127.0.0.1", port: 0) }, body)
    }

    @Test func `it goes the whole way, and one connection and one token do for all`() throws {
        try run { server throws in
            for number in 1...3 {
                let answer = try send(server, "{\"device\":\"\(server.device)\",\(push)}")
                #expect(answer["status"] as? Int == 200)
                #expect(answer["id"] as? String == server.simulator.journal.renderer.id(seq: UInt64(number)))
            }
            let entries = server.entries
            #expect(Set(entries.map { $0.content.connection.value.id }).count == 1)
            #expect(Set(entries.map { $0.content.request.text(.authorization) }).count == 1)
            #expect(entries.allSatisfy { $0.content.connection.value.tlsVersion == "TLSv1.3" })
        }
    }

    @Test func `a refusal is an answer`() throws {
        try run { server throws in
            let answer = try send(server, "{\"device\":\"xyz\",\(push)}")
            #expect(answer["status"] as? Int == 400)
            #expect(answer["reason"] as? String == "BadDeviceToken")
            let again = try send(server, #"{"replay":"1"}"#)
            #expect(again["reason"] as? String == "BadDeviceToken")
            #expect(server.entries.count == 2)
        }
    }

    @Test func `after a broken connection comes a new one`() throws {
        try run { server throws in
            try server.addRule(#"{"when": {"times": 1}, "then": {"fault": "close"}}"#)
            let lost = try send(server, "{\"device\":\"\(server.device)\",\(push)}")
            #expect(lost["status"] is NSNull)
            #expect((lost["failure"] as? String)?.isEmpty == false)
            #expect(try send(server, "{\"device\":\"\(server.device)\",\(push)}")["status"] as? Int == 200)
        }
    }

    @Test func `behind GOAWAY comes a new connection, while the old one waits for its answers`() throws {
        try run { server throws in
            try server.addRule(#"{"match": {"topic": "com.example.held"}, "then": {"fault": "hang"}}"#)
            try server.addRule(#"{"when": {"times": 1}, "then": {"fault": "goaway", "lastStream": "all"}}"#)
            let (device, push) = (server.device, push)
            let held = Collected<String>()
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let body = "{\"device\":\"\(device)\",\(push.replacing("com.example.app", with: "com.example.held"))}"
                if let answer = try? send(server, body) { held.append("\(answer["failure"] ?? "none")") }
                done.signal()
            }
            _ = try server.waitForEntries(1)
            #expect(try send(server, "{\"device\":\"\(device)\",\(push)}")["status"] as? Int == 200)
            #expect(try send(server, "{\"device\":\"\(device)\",\(push)}")["status"] as? Int == 200)
            #expect(held.all.isEmpty)
            let connections = server.entries.map(\.content.connection.value.id)
            #expect(connections[0] == connections[1] && connections[1] != connections[2])
            server.simulator.script.cancelWaiting()
            done.wait()
            #expect(held.all.count == 1)
        }
    }

    @Test func `a push that is sent again is accepted again, after an hour too`() throws {
        try run { server throws in
            #expect(try send(server, "{\"device\":\"\(server.device)\",\(push)}")["status"] as? Int == 200)
            server.simulator.clock.advance(by: 3_660_000)
            #expect(try send(server, #"{"replay":"1"}"#)["status"] as? Int == 200)
            #expect(server.entries.map { $0.content.status } == [200, 200])
        }
    }
}

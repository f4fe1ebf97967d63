import EventLoop
import Foundation
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// The event stream of a live server, read through a socket.
struct EventStreamTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    /// A guest of the stream that reads lines of JSON.
    private final class Guest {
        private let connection: RawConnection
        private var line: [UInt8] = []

        init(_ server: TestServer, _ query: String) throws {
            connection = try RawConnection(try #require(server.server.adminAddress))
            try connection.send(
                "GET /v1/events?\(query) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/x-ndjson\r\n\r\n")
            // From the greeting on, nothing that happens is missed.
            _ = try next("hello")
        }

        /// Waits for the next event of this type.
        func next(_ type: String) throws -> [String: Any] {
            while true {
                let object = try nextObject()
                if object["event"] as? String == type { return object }
                // Nothing has happened for a long time.
                if object["event"] as? String == "heartbeat" { throw TestConnection.Failure("no event \(type) comes") }
            }
        }

        /// Waits for a line that is an object; the head and the lengths of chunks are none.
        private func nextObject() throws -> [String: Any] {
            while true {
                let byte = try connection.receive(upTo: 1)
                guard let byte = byte.utf8.first else { throw TestConnection.Failure("the stream has ended") }
                line.append(byte)
                guard byte == UInt8(ascii: "\n") else { continue }
                defer { line = [] }
                guard line.first == UInt8(ascii: "{") else { continue }
                if let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] { return object }
            }
        }
    }

    private func run(_ body: (TestServer) throws -> Void) throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: {
            try body($0)
        }
    }

    @Test func `a push that waits is told at once, and again when it has its answer`() throws {
        try run { server in
            try server.addRule(#"{"then": {"accept": true, "delay": "100ms"}}"#)
            let guest = try Guest(server, "types=notification,completed")
            let client = try server.client()
            #expect(try client.request(server.fields(), payload).status == 200)
            let told = try guest.next("notification")
            let completed = try guest.next("completed")
            #expect(told["id"] as? String == completed["id"] as? String)
            #expect(completed["state"] as? String == "complete")
            let response = try #require(completed["response"] as? [String: Any])
            #expect(response["status"] as? Int == 200)
            #expect(response["afterMs"] as? Int ?? 0 >= 99)
        }
    }

    @Test func `a push over HTTP/1.1 whose rule goes is completed without an answer`() throws {
        try run { server in
            try server.addRule(#"{"id": "never", "then": {"fault": "hang"}}"#)
            let guest = try Guest(server, "types=faulted,completed")
            let client = try server.http1Client()
            try client.send(server.fields(), payload)
            #expect(try guest.next("faulted")["state"] as? String == "pending")
            // The answer is registered in the turn that journaled its push, or in this one.
            _ = try? server.http1Client().request(server.fields([":path": "/other"]), payload)
            #expect(server.simulator.script.remove("never"))
            #expect(try guest.next("completed")["outcome"] as? String == "faulted")
            #expect(try client.waitForEnd() == "")
        }
    }

    @Test func `connections come, fail and go`() throws {
        try run { server in
            let guest = try Guest(server, "types=connection")
            var client: TestClient? = try server.client()
            #expect(try client?.request(server.fields(), payload).status == 200)
            let open = try guest.next("connection")
            #expect(open["state"] as? String == "open")
            #expect((open["tls"] as? [String: Any])?["version"] as? String == "TLSv1.3")
            client = nil
            let ended = try guest.next("connection")
            #expect(ended["state"] as? String == "ended")
            #expect(ended["id"] as? String == open["id"] as? String)
            #expect(ended["requests"] as? Int == 1)
            #expect(throws: TestConnection.Failure.self) { try server.client(.with { $0.alpn = ["http/1.1"] }) }
            let failed = try guest.next("connection")
            #expect(failed["state"] as? String == "failed")
            #expect((failed["failure"] as? [String: Any])?["cause"] as? String == "alpn")
            let http1 = try server.http1Client()
            #expect(try http1.request(server.fields(), payload).status == 200)
            #expect(try guest.next("connection")["protocol"] as? String == "http/1.1")
        }
    }
}

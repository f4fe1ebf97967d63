import APNs
import EventLoop
import Foundation
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// L015 on the wire: a sender that opens streams though it knows GOAWAY, and senders that do not.
struct LateStreamTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    /// Runs with a push that hangs, so that the connection outlives its GOAWAY.
    private func run(_ rules: String..., body: (TestServer) throws -> Void) throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            try server.addRule(#"{"priority": 1, "when": {"times": 1}, "then": {"fault": "hang"}}"#)
            for rule in rules { try server.addRule(rule) }
            try body(server)
        }
    }

    private func push(_ peer: FramePeer, _ server: TestServer, stream: Int32) throws {
        try peer.send(.headers(server.fields(), stream: stream))
        try peer.send(.data(Array(payload.utf8), stream: stream, endStream: true))
    }

    private func late(_ server: TestServer) -> [JournalEntry] {
        server.entries.filter { $0.content.breakage?.cause == "goaway" }
    }

    @Test(arguments: ["all", "this-1"])
    func `a stream opened in the knowledge of a scripted GOAWAY is a finding`(last: String) throws {
        let rule =
            #"{"when": {"times": 1}, "then": {"fault": "goaway", "reason": "Shutdown", "lastStream": "\#(last)"}}"#
        try run(rule) { server in
            let peer = try server.framePeer()
            try push(peer, server, stream: 1)
            try push(peer, server, stream: 3)
            _ = try peer.next(.goAway)
            let ping = try peer.next(.ping, acknowledgement: false)
            // Under way when GOAWAY left, for all that the server can know.
            try push(peer, server, stream: 5)
            try peer.send(.ping(ping.payload, acknowledgement: true))
            try push(peer, server, stream: 7)
            try push(peer, server, stream: 9)
            let entry = try #require(try server.waitForEntries(3).last)
            #expect(late(server).count == 1)
            let words = try #require(entry.content.breakage?.explanation)
            #expect(
                words.contains("Stream 7 was opened on connection c\(entry.content.connection.value.id)"), "\(words)")
            #expect(words.contains("NO_ERROR") && words.contains(#"{"reason":"Shutdown"}"#), "\(words)")

            let admin = try TestHTTP1Client(try #require(server.server.adminAddress))
            let report = try admin.request(
                [(":method", "GET"), (":path", "/v1/report"), (":authority", "127.0.0.1")])
            #expect(report.body.contains(#""code":"L015""#))
            #expect(report.body.contains("Stream 7 was opened"))
        }
    }

    @Test func `a stop of the server is such a GOAWAY, too`() throws {
        let server = try TestServer { $0.limits.drainMilliseconds = 30_000 }
        let peer = try server.framePeer()
        // The body follows when the server has said GOAWAY. A PING that is answered shows that it has the headers.
        try peer.send(.headers(server.fields(), stream: 1), .ping())
        _ = try peer.next(.ping, acknowledgement: true)
        let isStopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            server.server.stop()
            isStopped.signal()
        }
        _ = try peer.next(.goAway)
        let ping = try peer.next(.ping, acknowledgement: false)
        try peer.send(.ping(ping.payload, acknowledgement: true))
        try push(peer, server, stream: 3)
        try peer.send(.data(Array(payload.utf8), stream: 1, endStream: true))
        #expect(try peer.next(.headers).stream == 1)
        isStopped.wait()
        #expect(server.entries.map(\.content.outcome) == [.broken, .accepted])
        #expect(late(server).count == 1)
    }

    @Test func `a sender that minds GOAWAY is none, and gets the answers that are due`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"priority": 1, "when": {"times": 1}, "then": {"accept": true, "delay": "200ms"}}"#)
            try server.addRule(#"{"when": {"times": 1}, "then": {"fault": "goaway"}}"#)
            let client = try server.client()
            let streams = try (0..<2).map { _ in
                try client.http2.submit(server.fields(), body: Array(payload.utf8))
            }
            try client.flush()
            _ = try client.goAway()
            for stream in streams { #expect(try client.response(to: stream).status == 200) }
            try client.waitForEnd()
            #expect(late(server).isEmpty)
            let another = try server.client().request(server.fields(), payload)
            #expect(another.status == 200)
        }
    }
}

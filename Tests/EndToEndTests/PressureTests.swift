import APNs
import EventLoop
import Foundation
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// What a server does when something does not take its output.
struct PressureTests {
    private let payload = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

    @Test func `a log that cannot be written turns accepted pushes into 503`() throws {
        // Linux has a disk that is always full.
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        try TestServer.run {
            $0.log = "/dev/full"
        } _: { server in
            let client = try server.client()
            let response = try client.request(server.fields(), body: payload)
            #expect(response.status == 503)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason":"ServiceUnavailable"}"#)
            let refused = try client.request(server.fields(["apns-priority": "7"]), body: payload)
            #expect(String(decoding: refused.body, as: UTF8.self) == #"{"reason":"BadPriority"}"#)
            #expect(server.entries.map(\.content.outcome) == [.rejected, .rejected])
            #expect(server.entries.first?.content.failures.first?.explanation.contains("/dev/full") == true)
        }
    }

    @Test func `a client that does not read is not read from, and loses nothing`() throws {
        // A Unix socket, since its buffers have a fixed size.
        let folder = try TemporaryFolder()
        try TestServer.run {
            $0.listeners = [.init(.unix(path: folder.file("apns.sock")))]
        } _: { server in
            let peer = try server.framePeer()
            let fields = server.fields()
            var unsent: [UInt8] = []
            var requests = 0
            func sendMore(waiting milliseconds: Int32) throws {
                if unsent.isEmpty {
                    for _ in 0..<100 {
                        let stream = Int32(2 * requests + 1)
                        unsent += Frame.headers(fields, stream: stream).bytes
                        unsent += Frame.data(payload, stream: stream, endStream: true).bytes
                        requests += 1
                    }
                }
                try peer.connection.write(&unsent, givingUpAfterMilliseconds: milliseconds)
            }
            let record = try #require(server.server.connections.snapshot.records.first)
            while !record.counters.isPaused, requests < 50_000 { try sendMore(waiting: 10) }
            #expect(record.counters.isPaused, "the server takes whatever comes")
            // From now on it reads nothing, and the buffers between the two fill up.
            repeat { try sendMore(waiting: 0) } while unsent.isEmpty
            #expect(server.entries.count < requests)

            // This client may open more streams than it may while it does not read; those are refused, and no others. How
            // many it opens before the buffers are full depends on how fast the server reads.
            let answered = try peer.endOfStreams(requests, sending: &unsent)
            #expect(server.simulator.journal.statistics.accepted == answered)
            #expect(answered >= min(requests, 1000))
        }
    }
}

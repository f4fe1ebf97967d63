import APNs
import EventLoop
import Foundation
import HTTP2
import Locking
import Server
import Simulation
import TestFixtures
import TestSupport
import Testing

/// What a fault keeps from leaving is faulted and names its rule, on every transport and whenever it was decided.
struct CaughtTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    /// Sends so many requests in one write.
    private func send(_ count: Int, _ client: TestClient, _ server: TestServer) throws -> [Int32] {
        let streams = try (0..<count).map { _ in try client.http2.submit(server.fields(), body: Array(payload.utf8)) }
        try client.flush()
        return streams
    }

    private static let ends = [
        ("close", ""), ("rst", ""), ("accept-then-drop", ""), ("stall-writes", ""),
        ("goaway", #", "lastStream": "none""#), ("goaway", #", "lastStream": "this-1""#),
        ("goaway", #", "lastStream": "this-1", "linger": "forever""#),
    ]

    @Test(arguments: ends, [true, false])
    func `of five requests in one write the second meets the fault`(fault: (String, String), isClearText: Bool) throws {
        let rule =
            #"{"id": "f", "stage": "afterValidation", "when": {"skip": 1, "times": 1}, "then": {"fault": "\#(fault.0)"\#(fault.1)}}"#
        try TestServer.run { server in
            try server.addRule(rule)
            let client = try isClearText ? server.clearTextClient() : server.client()
            _ = try send(5, client, server)
            let entries = try server.waitForEntries(5)
            #expect(entries[0].content.outcome == .accepted && entries[0].content.rule == nil)
            #expect(entries[1].content.outcome == (fault.0 == "accept-then-drop" ? .accepted : .faulted))
            for entry in entries[2...] {
                #expect(entry.content.outcome == .faulted && entry.content.status == 0)
                #expect(entry.content.rule?.id == "f" && entry.content.rule?.outcome == "behind \(fault.0)")
                #expect(entry.content.device != nil && entry.content.apnsID != nil)
            }
            #expect(server.simulator.script.statuses(now: 0).first?.hits == 1)
        }
    }

    @Test(arguments: ends.filter { $0.1 != #", "lastStream": "this-1""# && $0.0 != "goaway" || $0.1.contains("none") })
    func `an answer that waits when the fault strikes is revised`(fault: (String, String)) throws {
        try TestServer.run { server in
            try server.addRule(#"{"id": "slow", "when": {"times": 1}, "then": {"delay": "10s"}}"#)
            try server.addRule(
                #"{"id": "f", "stage": "afterValidation", "then": {"fault": "\#(fault.0)"\#(fault.1)}}"#)
            let client = try server.client()
            let completed = try Completed(server)
            _ = try send(1, client, server)
            #expect(try server.waitForEntries(1)[0].content.outcome == .accepted)
            _ = try send(1, client, server)
            let entry = try completed.next()
            #expect(entry.seq == 1 && entry.content.outcome == .faulted && entry.content.rule?.id == "f")
            #expect(server.entries[0].content.rare.isRevised && server.simulator.journal.statistics.faulted >= 1)
            let log = try String(contentsOfFile: server.folder.file("log.ndjson"), encoding: .utf8).split(
                separator: "\n")
            let lines = log.filter { $0.contains(#""seq":1,"#) }
            #expect(lines.count == 2 && lines.last?.contains(#""outcome":"faulted","revised":true"#) == true)
        }
    }

    @Test(arguments: [true, false])
    func `a GOAWAY of the stage connection lets nothing through`(isClearText: Bool) throws {
        try TestServer.run { server in
            try server.addRule(
                #"{"id": "g", "stage": "connection", "when": {"times": 1}, "then": {"fault": "goaway"}}"#)
            let client = try isClearText ? server.clearTextClient() : server.client()
            _ = try? client.request(server.fields(), payload)
            #expect(server.entries.allSatisfy { $0.content.outcome == .faulted && $0.content.rule?.id == "g" })
            let again = try isClearText ? server.clearTextClient() : server.client()
            #expect(try again.request(server.fields(), payload).status == 200)
        }
    }

    @Test func `a connection that is stalled from its start takes requests and accepts none`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"id": "s", "when": {"times": 1}, "then": {"fault": "stall-writes"}}"#)
            let client = try server.client()
            _ = try send(2, client, server)
            #expect(try server.waitForEntries(2).allSatisfy { $0.content.rule?.outcome == "behind stall-writes" })
            // The end of the rule is the end of the connection.
            #expect(server.simulator.script.remove("s"))
            try client.waitForEnd()
        }
    }

    @Test func `requests behind the last that drop-after allows are faulted`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"id": "d", "then": {"drop-after": {"requests": 2}}}"#)
            let client = try server.client()
            let streams = try send(4, client, server)
            for stream in streams[..<2] { #expect(try client.response(to: stream).status == 200) }
            try client.waitForEnd()
            #expect(server.entries.map(\.content.outcome) == [.accepted, .accepted, .faulted, .faulted])
            #expect(server.entries[3].content.rule?.outcome == "behind drop-after")
        }
    }

    @Test func `a channel is not created behind a fault`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"when": {"times": 1}, "then": {"fault": "stall-writes"}}"#)
            let client = try server.client()
            _ = try client.http2.submit(
                server.fields([":path": "/1/apps/com.example.app/channels", "apns-topic": nil, "apns-push-type": nil]),
                body: Array(#"{"message-storage-policy": 1, "push-type": "LiveActivity"}"#.utf8))
            try client.flush()
            #expect(try server.waitForEntries(1)[0].content.channelRequest != nil)
            #expect(server.simulator.channels.count(of: .init(.sandbox, "com.example.app")) == 0)
        }
    }

    // MARK: GOAWAY that lingers

    @Test(arguments: ["all", "this-1", "none"])
    func `a connection lingers behind GOAWAY until its rule goes`(last: String) throws {
        try TestServer.run { server in
            try server.addRule(
                #"{"id": "g", "when": {"times": 1}, "then": {"fault": "goaway", "lastStream": "\#(last)", "linger": "forever"}}"#
            )
            let client = try server.client()
            let stream = try send(1, client, server)[0]
            if last == "all" { #expect(try client.response(to: stream).status == 200) }
            _ = try client.goAway()
            // What the client's HTTP/2 library takes for the end is written past it: PING, which must not end the connection.
            try client.write(Frame.ping().bytes)
            #expect(server.entries.count == 1)
            // The end of the rule is the end of the wait.
            #expect(server.simulator.script.remove("g"))
            try client.waitForEnd()
        }
    }

    @Test func `a connection lingers for its time`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"stage": "connection", "then": {"fault": "goaway", "linger": "150ms"}}"#)
            let start = ContinuousClock.now
            let client = try server.client()
            _ = try client.goAway()
            try client.waitForEnd()
            #expect(ContinuousClock.now - start >= .milliseconds(149))
        }
    }

    @Test func `a server that stops does not wait for what lingers`() throws {
        try TestServer.run { server in
            try server.addRule(#"{"stage": "connection", "then": {"fault": "goaway", "linger": "forever"}}"#)
            let client = try server.client()
            _ = try client.goAway()
            let start = ContinuousClock.now
            server.server.stop()
            #expect(ContinuousClock.now - start < .milliseconds(1900))
        }
    }

    /// The completions of a server's entries, one after the other.
    private final class Completed: Sendable {
        private let entries = Lock<[JournalEntry]>([])
        private let arrived = DispatchSemaphore(value: 0)

        init(_ server: TestServer) throws {
            _ = try server.simulator.journal.follow(after: 0, matching: Matcher(), hearsCompletions: true) {
                [self] event in
                guard case .completed(let entry) = event else { return }
                entries.withLock { $0.append(entry) }
                arrived.signal()
            }
        }

        func next() throws -> JournalEntry {
            guard arrived.wait(timeout: .now() + 30) == .success else {
                throw TestConnection.Failure("nothing completed")
            }
            return entries.withLock { $0.removeFirst() }
        }
    }
}

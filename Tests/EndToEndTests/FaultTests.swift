import APNs
import EventLoop
import HTTP
import HTTP2
import JSON
import Server
import Simulation
import TestSupport
import Testing

/// Scripted outcomes as a sender sees them on the wire.
struct FaultTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func run(_ rules: String..., body: (TestServer) throws -> Void) throws {
        try TestServer.run { server in
            for rule in rules { try server.addRule(rule) }
            try body(server)
        }
    }

    private func send(_ client: TestClient, _ server: TestServer) throws -> Int32 {
        let stream = try client.http2.submit(server.fields(), body: Array(payload.utf8))
        try client.flush()
        return stream
    }

    // MARK: Delays

    @Test func `a delayed answer is journaled at once, and is no answer until its time`() throws {
        try run(#"{"then": {"accept": true, "delay": "200ms"}}"#) { server in
            let client = try server.client()
            let start = ContinuousClock.now
            let stream = try send(client, server)
            let entry = try #require(try server.waitForEntries(1).last)
            if ContinuousClock.now - start < .milliseconds(150) { #expect(entry.afterMilliseconds == nil) }
            #expect(try client.response(to: stream).status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(199))
            #expect(try #require(entry.afterMilliseconds) >= 199)
            #expect(entry.content.rule?.delayMilliseconds == 200)
        }
    }

    @Test func `a delay holds up nobody else`() throws {
        try run(#"{"when": {"times": 1}, "then": {"delay": "10s"}}"#) { server in
            let client = try server.client()
            _ = try send(client, server)
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.simulator.script.waiting == 1)
        }
    }

    @Test func `a reset during a delay resets the stream, and nothing appears later`() throws {
        try run(#"{"when": {"times": 1}, "then": {"delay": "10s"}}"#) { server in
            let client = try server.client()
            let stream = try send(client, server)
            _ = try server.waitForEntries(1)
            server.simulator.reset()
            #expect(try client.resetCode(of: stream) == 8)
            #expect(server.entries.isEmpty)
            #expect(server.simulator.script.waiting == 0)
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.entries.count == 1)
        }
    }

    @Test func `the end of a rule cancels what waits because of it`() throws {
        try run(#"{"id": "slow", "when": {"times": 1}, "then": {"delay": "10s"}}"#) { server in
            let client = try server.client()
            let stream = try send(client, server)
            _ = try server.waitForEntries(1)
            #expect(server.simulator.script.remove("slow"))
            #expect(try client.resetCode(of: stream) == 8)
            #expect(try #require(server.entries.last?.afterMilliseconds) < 10_000)
        }
    }

    @Test func `a client that leaves takes its delayed answer with it`() throws {
        try run(#"{"when": {"times": 1}, "then": {"delay": "10s"}}"#) { server in
            let client = try server.client()
            let stream = try send(client, server)
            _ = try server.waitForEntries(1)
            client.http2.reset(stream: stream, code: 8)
            try client.flush()
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.simulator.script.waiting == 0)
        }
    }

    // MARK: Lost answers

    @Test func `accept-then-drop journals an accepted push whose answer never comes`() throws {
        try run(#"{"when": {"skip": 1, "times": 1}, "then": {"fault": "accept-then-drop"}}"#) { server in
            let client = try server.client()
            let first = try send(client, server)
            _ = try send(client, server)
            #expect(try client.response(to: first).status == 200)
            #expect(throws: TestConnection.Failure.self) { try client.goAway() }
            #expect(server.entries.map(\.content.outcome) == [.accepted, .accepted])
        }
    }

    @Test func `a hanging request has no answer, its neighbours have`() throws {
        try run(#"{"when": {"times": 1}, "then": {"fault": "hang"}}"#) { server in
            let client = try server.client()
            let stream = try send(client, server)
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.entries.map(\.content.outcome) == [.faulted, .accepted])
            #expect(server.entries[0].afterMilliseconds == nil)
            client.http2.reset(stream: stream, code: 8)
            try client.flush()
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.entries[0].afterMilliseconds != nil)
        }
    }

    @Test func `a server that stops does not wait for what hangs`() throws {
        try run(#"{"then": {"fault": "hang"}}"#) { server in
            let client = try server.client()
            _ = try send(client, server)
            _ = try server.waitForEntries(1)
            let start = ContinuousClock.now
            server.server.stop()
            #expect(ContinuousClock.now - start < .milliseconds(1900))
        }
    }

    @Test func `a swallowed push is answered 200 and marked`() throws {
        try run(#"{"then": {"fault": "silently-discard"}}"#) { server in
            let response = try server.client().request(server.fields(), payload)
            #expect(response.status == 200)
            #expect(server.entries.first?.content.rare.isDiscarded == true)
        }
    }

    // MARK: Streams

    @Test(arguments: HTTP2ErrorCode.allCases.filter { $0 != .noError })
    func `reset-stream resets with the code`(code: HTTP2ErrorCode) throws {
        try run(#"{"when": {"times": 1}, "then": {"fault": "reset-stream", "code": "\#(code.name)"}}"#) { server in
            let client = try server.client()
            let stream = try send(client, server)
            #expect(try client.resetCode(of: stream) == code.rawValue)
            #expect(try client.request(server.fields(), payload).status == 200)
        }
    }

    @Test func `headers-only sends the head and keeps the stream open`() throws {
        try run(#"{"when": {"times": 1}, "then": {"fault": "headers-only", "reason": "Unregistered"}}"#) { server in
            let client = try server.client()
            let stream = try send(client, server)
            #expect(try client.request(server.fields(), payload).status == 200)
            let head = try #require(client.http2.unfinishedResponse(stream: stream))
            #expect(head.status == 410)
            #expect(head["apns-id"] != nil)
            #expect(head.body.isEmpty && !head.endedOnHeaders)
        }
    }

    @Test func `truncate-body breaks JSON off`() throws {
        try run(#"{"then": {"fault": "truncate-body", "reason": "BadDeviceToken"}}"#) { server in
            let response = try server.client().request(server.fields(), payload)
            #expect(response.status == 400)
            let whole = #"{"reason":"BadDeviceToken"}"#
            #expect(String(decoding: response.body, as: UTF8.self) == whole.prefix(whole.utf8.count / 2))
        }
    }

    @Test func `dribble sends the body byte by byte`() throws {
        try run(#"{"then": {"fault": "dribble", "reason": "Shutdown", "interval": "1ms"}}"#) { server in
            let response = try server.client().request(server.fields(), payload)
            #expect(response.status == 503)
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason":"Shutdown"}"#)
            #expect(response.dataFrames >= response.body.count)
        }
    }

    @Test func `an answer made by hand arrives as it was made`() throws {
        try run(
            #"{"then": {"response": {"status": 400, "body": "<html>", "headers": {"retry-after": "3", "x-y": "z"}}}}"#
        ) { server in
            let response = try server.client().request(server.fields(), payload)
            #expect(response.status == 400)
            #expect(response["retry-after"] == "3" && response["x-y"] == "z")
            #expect(String(decoding: response.body, as: UTF8.self) == "<html>")
        }
    }

    // MARK: Connections

    @Test func `goaway tells code, reason and last stream`() throws {
        let rule = { (last: String) in
            #"{"when": {"skip": 1}, "then": {"fault": "goaway", "code": "ENHANCE_YOUR_CALM", "reason": "TooManyRequests", "#
                + #""lastStream": "\#(last)"}}"#
        }
        for (last, stream) in [("all", 3), ("this-1", 1), ("none", 0)] as [(String, Int32)] {
            try run(rule(last)) { server in
                let client = try server.client()
                #expect(try client.request(server.fields(), payload).status == 200)
                let second = try send(client, server)
                if last == "all" {
                    #expect(try client.response(to: second).status == 200)
                } else {
                    #expect(try client.resetCode(of: second) == 7)
                }
                let goAway = try client.goAway()
                #expect(goAway.lastStream == stream)
                #expect(goAway.code == 11)
                #expect(goAway.debugData == #"{"reason":"TooManyRequests"}"#)
                try client.waitForEnd()
                #expect(server.entries.map(\.content.outcome) == [.accepted, last == "all" ? .accepted : .faulted])
            }
        }
    }

    @Test func `close ends without a word, rst with a reset`() throws {
        try run(#"{"then": {"fault": "close"}}"#) { server in
            let client = try server.client()
            _ = try send(client, server)
            #expect(throws: TestConnection.Failure.self) { try client.goAway() }
            #expect(server.entries.first?.content.outcome == .faulted)
        }
        try run(#"{"then": {"fault": "rst"}}"#) { server in
            let client = try server.client()
            _ = try send(client, server)
            #expect(try client.seesReset())
        }
    }

    @Test func `stalled writes: requests are taken, nothing comes back`() throws {
        let rule = #"{"stage": "afterValidation", "when": {"skip": 1, "times": 1}, "then": {"fault": "stall-writes"}}"#
        try run(rule) { server in
            let client = try server.client()
            #expect(try client.request(server.fields(), payload).status == 200)
            _ = try send(client, server)
            _ = try server.waitForEntries(2)
            _ = try send(client, server)
            _ = try server.waitForEntries(3)
            // The reset ends the connection; were anything to come, it would have come before.
            server.simulator.reset()
            #expect(throws: TestConnection.Failure.self) {
                try client.event { event in if case .response = event { true } else { nil } }
            }
        }
    }

    @Test func `a stalled connection is silent from the start`() throws {
        try run(#"{"then": {"fault": "stall-writes"}}"#) { server in
            let peer = try server.framePeer()
            try peer.send(Frame(.ping, payload: Array(repeating: 1, count: 8)))
            server.server.stop()
            #expect(try peer.next() == nil)
        }
    }

    @Test(arguments: ["connection", "afterValidation"])
    func `pings are ignored`(stage: String) throws {
        try run(#"{"stage": "\#(stage)", "then": {"fault": "ignore-ping"}}"#) { server in
            let client = try server.client()
            #expect(try client.request(server.fields(), payload).status == 200)
            client.http2.ping()
            let stream = try send(client, server)
            let answered: Bool = try client.event { event in
                switch event {
                case .pingAcknowledged: false
                case .response(stream, _): true
                default: nil
                }
            }
            #expect(answered)
        }
    }

    @Test func `SETTINGS change at the start and in between`() throws {
        try run(#"{"then": {"settings": {"maxConcurrentStreams": 1}}}"#) { server in
            let limit = try server.client().streamLimit()
            #expect(limit == 1)
        }
        let rule =
            #"{"stage": "afterValidation", "when": {"skip": 1}, "then": {"settings": {"maxConcurrentStreams": 3}}}"#
        try run(rule) { server in
            let client = try server.client()
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(try client.streamLimit() == 1000)
            let stream = try send(client, server)
            #expect(try client.streamLimit() == 3)
            #expect(try client.response(to: stream).status == 200)
        }
    }

    @Test func `a refused connection is reset before TLS`() throws {
        try run(#"{"id": "shut", "when": {"times": 1}, "then": {"fault": "refuse-connect"}}"#) { server in
            let raw = try RawConnection(server.address)
            let failure = #expect(throws: TestConnection.Failure.self) { try raw.receiveAll() }
            #expect(failure?.description.contains("reset") == true, "\(failure?.description ?? "")")
            let entry = try #require(try server.waitForEntries(1).last)
            #expect(entry.content.outcome == .faulted)
            #expect(entry.content.rule?.id == "shut")
            #expect(entry.content.breakage?.explanation.contains("shut") == true)
            #expect(try server.client().request(server.fields(), payload).status == 200)
        }
    }

    @Test func `a handshake can meet an alert`() throws {
        try run(#"{"when": {"times": 1}, "then": {"fault": "tls-alert:certificate_expired"}}"#) { server in
            let failure = #expect(throws: TestConnection.Failure.self) { try server.client() }
            #expect(failure?.description.contains("certificate_expired") == true, "\(failure?.description ?? "")")
            #expect(server.entries.map(\.content.outcome) == [.faulted])
            let response = try server.client().request(server.fields(), payload)
            #expect(response.status == 200)
        }
    }

    @Test func `a connection ends after so many requests`() throws {
        try run(#"{"then": {"fault": "drop-after", "requests": 3}}"#) { server in
            let client = try server.client()
            for _ in 1...3 { #expect(try client.request(server.fields(), payload).status == 200) }
            #expect(throws: TestConnection.Failure.self) { try client.goAway() }
            #expect(server.entries.count == 3)
        }
    }

    // MARK: Chance

    @Test func `the same pushes fail over one connection and over fifty`() throws {
        let devices = (0..<300).map { _ in TestServer.randomDevice() }
        func failing(seed: UInt64, connections: Int) throws -> Set<String> {
            var failing: Set<String> = []
            try TestServer.run {
                $0.seed = seed
                $0.threads = connections > 1 ? 2 : 1
            } _: { server in
                try server.addRule(
                    #"{"id": "flaky", "when": {"probability": 0.2}, "then": {"reason": "InternalServerError"}}"#)
                let clients = try (0..<connections).map { _ in try server.client() }
                var streams: [(client: TestClient, stream: Int32, device: String)] = []
                for (index, device) in devices.enumerated() {
                    let client = clients[index % connections]
                    let fields = server.fields([":path": "/3/device/\(device)"])
                    streams.append((client, try client.http2.submit(fields, body: Array(payload.utf8)), device))
                }
                for client in clients.reversed() { try client.flush() }
                for (client, stream, device) in streams where try client.response(to: stream).status == 500 {
                    failing.insert(device)
                }
            }
            return failing
        }
        let one = try failing(seed: 11, connections: 1)
        #expect((30...95).contains(one.count))
        #expect(try failing(seed: 11, connections: 50) == one)
        #expect(try failing(seed: 12, connections: 1) != one)
    }
}

extension TestClient {
    /// Waits for the reset of a stream.
    fileprivate func resetCode(of stream: Int32) throws -> UInt32 {
        try event { event in
            switch event {
            case .reset(stream, let code): code
            case .response(stream, let response):
                throw TestConnection.Failure("stream \(stream) was answered \(response.status)")
            default: nil
            }
        }
    }

    /// Waits for SETTINGS with a limit of streams.
    fileprivate func streamLimit() throws -> UInt32 {
        try event { event in if case .settings(let limit?) = event { limit } else { nil } }
    }
}

import APNs
import EventLoop
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// Rules of the stage `connection` on every kind of listener, of the server and of namespaces.
struct ConnectionRuleTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func run(_ rule: String, _ body: (TestServer) throws -> Void) throws {
        try TestServer.run { server in
            try server.addRule(rule)
            try body(server)
        }
    }

    // MARK: HTTP/1.1

    @Test(arguments: ["refuse-connect", "rst"])
    func `an HTTP/1.1 connection is reset when its first request has come`(fault: String) throws {
        try run(#"{"id": "shut", "stage": "connection", "when": {"times": 1}, "then": {"fault": "\#(fault)"}}"#) {
            server in
            let client = try server.http1Client()
            try client.send(server.fields(), payload)
            #expect(client.seesReset())
            // The request itself was not judged; the entry is the connection's.
            #expect(server.entries.map(\.content.outcome) == [.faulted])
            #expect(server.entries.first?.content.rule?.id == "shut")
            #expect(server.entries.first?.content.breakage?.explanation.contains("shut") == true)
            let response = try server.http1Client().request(server.fields(), payload)
            #expect(response.status == 200)
            server.server.stop()
            let record = try #require(server.server.connections.snapshot.records.first)
            #expect(record.details.state == .ended)
            #expect(record.details.end?.contains("shut") == true)
        }
    }

    @Test(arguments: ["close", "goaway"])
    func `an HTTP/1.1 connection ends in order without an answer`(fault: String) throws {
        try run(#"{"stage": "connection", "when": {"times": 1}, "then": {"fault": "\#(fault)"}}"#) { server in
            let client = try server.http1Client()
            try client.send(server.fields(), payload)
            #expect(try client.waitForEnd() == "")
            #expect(server.entries.map(\.content.outcome) == [.faulted])
            let response = try server.http1Client().request(server.fields(), payload)
            #expect(response.status == 200)
        }
    }

    @Test func `a stalled HTTP/1.1 connection takes requests and answers none`() throws {
        try run(#"{"when": {"times": 1}, "then": {"fault": "stall-writes"}}"#) { server in
            let client = try server.http1Client()
            try client.send(server.fields(), payload)
            #expect(try server.waitForEntries(1).map(\.content.outcome) == [.faulted])
            #expect(server.entries.first?.content.rule?.outcome == "behind stall-writes")
            // Another sender is answered, in a later turn.
            let other = try server.http1Client()
            #expect(try other.request(server.fields(), payload).status == 200)
            #expect(server.server.connections.snapshot.records.map(\.details.state) == [.open, .open])
            // Nothing else keeps the server.
            let start = ContinuousClock.now
            server.server.stop()
            #expect(ContinuousClock.now - start < .milliseconds(1900))
            #expect(try client.waitForEnd() == "")
        }
    }

    @Test func `an HTTP/1.1 connection ends behind so many answers`() throws {
        try run(#"{"then": {"fault": "drop-after", "requests": 2}}"#) { server in
            let client = try server.http1Client()
            for _ in 1...2 {
                let response = try client.request(server.fields(), payload)
                #expect(response.status == 200 && response["connection"] != "close")
            }
            #expect(try client.waitForEnd() == "")
            #expect(server.entries.map(\.content.outcome) == [.accepted, .accepted])
        }
    }

    @Test(arguments: ["ignore-ping", "settings", "tls-alert"])
    func `what has no meaning over HTTP/1.1 is not asked there`(fault: String) throws {
        let more = fault == "settings" ? #", "maxConcurrentStreams": 1"# : ""
        try run(#"{"id": "odd", "stage": "connection", "then": {"fault": "\#(fault)"\#(more)}}"#) { server in
            let client = try server.http1Client()
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.entries.map(\.content.outcome) == [.accepted])
            #expect(server.simulator.script.statuses(now: 0).map(\.hits) == [0])
        }
    }

    @Test func `a TLS alert is no matter of clear text`() throws {
        try run(#"{"then": {"fault": "tls-alert"}}"#) { server in
            let client = try server.clearTextClient()
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.entries.map(\.content.outcome) == [.accepted])
            #expect(server.simulator.script.statuses(now: 0).map(\.hits) == [0])
        }
    }

    @Test func `a request over HTTP/1.1 can meet a reset`() throws {
        try run(#"{"stage": "afterValidation", "then": {"fault": "rst"}}"#) { server in
            let client = try server.http1Client()
            try client.send(server.fields(), payload)
            #expect(client.seesReset())
            #expect(server.entries.map(\.content.outcome) == [.faulted])
            #expect(server.entries.last?.afterMilliseconds != nil)
        }
    }

    // MARK: Namespaces

    /// A namespace with ports of its own.
    private func namespace(_ server: TestServer) throws -> (Namespace, Namespace.Endpoint) {
        let admin = try #require(server.server.adminAddress)
        let made = try HTTP1Client.send(
            method: "POST", host: admin.host ?? "", port: admin.port ?? 0, target: "/v1/namespaces",
            headers: [("content-type", "application/json")], body: Array(#"{"name": "suite", "port": 0}"#.utf8),
            timeoutMilliseconds: 30_000)
        #expect(made.status == 201)
        let suite = try #require(server.server.worlds.namespace(named: "suite"))
        return (suite, try #require(suite.endpoint))
    }

    private func local(_ port: UInt16?) throws -> SocketAddress {
        .ip(host: "127.0.0.1", port: try #require(port))
    }

    @Test func `the rules of a namespace hold at its ports, and nowhere else`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            let (suite, endpoint) = try namespace(server)
            let trust = TestConnection.Options.with { $0.trust = .authority(server.authority) }
            let clear = TestConnection.Options.with { $0.isClearText = true }
            func entries() -> [JournalEntry] { Array(suite.simulator.journal.snapshot().entries) }

            // Before the handshake.
            try server.addRule(#"{"id": "shut", "then": {"fault": "refuse-connect"}}"#, to: suite)
            for port in [endpoint.port, endpoint.h2cPort] {
                let raw = try RawConnection(try local(port))
                let failure = #expect(throws: TestConnection.Failure.self) { try raw.receiveAll() }
                #expect(failure?.description.contains("reset") == true, "\(failure?.description ?? "")")
            }
            let http1 = try TestHTTP1Client(local(endpoint.http1Port))
            try http1.send(server.fields(), payload)
            #expect(http1.seesReset())
            #expect(entries().map { $0.content.rule?.id } == ["shut", "shut", "shut"])

            // Behind it.
            suite.simulator.reset()
            try server.addRule(#"{"then": {"settings": {"maxConcurrentStreams": 3}}}"#, to: suite)
            for (port, options) in [(endpoint.port, trust), (endpoint.h2cPort, clear)] {
                let client = try TestClient(local(port), options)
                let stream = try client.http2.submit(server.fields(), body: Array(payload.utf8))
                try client.flush()
                let limit = try client.event { event in if case .settings(let limit?) = event { limit } else { nil } }
                #expect(limit == 3)
                #expect(try client.response(to: stream).status == 200)
            }
            #expect(entries().count == 2)

            // The doors of the others are open all the while.
            #expect(try server.client().request(server.fields(), payload).status == 200)
            #expect(try server.clearTextClient().request(server.fields(), payload).status == 200)
            #expect(try server.http1Client().request(server.fields(), payload).status == 200)
            #expect(server.entries.map(\.content.outcome) == [.accepted, .accepted, .accepted])
            #expect(server.entries.allSatisfy { $0.content.rule == nil })
        }
    }

    @Test func `a rule of the default namespace does not reach the ports of others`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            let (_, endpoint) = try namespace(server)
            try server.addRule(#"{"then": {"fault": "refuse-connect"}}"#)
            let http1 = try TestHTTP1Client(local(endpoint.http1Port))
            #expect(try http1.request(server.fields(), payload).status == 200)
            let http2 = try TestClient(local(endpoint.h2cPort), .with { $0.isClearText = true })
            #expect(try http2.request(server.fields(), payload).status == 200)
        }
    }
}

import APNs
import Admin
import EventLoop
import Foundation
import HTTP
import HTTP2
import Server
import Simulation
import TLS
import TestSupport
import Testing

/// Namespaces on the wire: one connection or one port for each, and none sees another.
struct NamespaceTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func add(
        _ name: String, to server: TestServer, _ change: (inout NamespaceOrder) -> Void = { _ in }
    ) throws -> Namespace {
        var order = NamespaceOrder(name)
        change(&order)
        return try server.server.worlds.add(order, now: server.simulator.clock.now().machine)
    }

    private func devices(_ namespace: Namespace) -> [String] {
        namespace.simulator.journal.snapshot().entries.map { entry in
            entry.content.device.map { entry.content.request.text(in: $0) } ?? ""
        }
    }

    @Test func `two namespaces on one connection do not disturb each other`() throws {
        try TestServer.run { server in
            let key = try ES256PrivateKey()
            let (first, second) = ("TEAM000001", "TEAM000002")
            let namespaces = try [("KEYNUMBER1", first), ("KEYNUMBER2", second)].map { id, team in
                try add("of-\(team)", to: server) {
                    $0.keys = [KeyStore.Key(keyID: id, teamID: team, key: key.publicKey, privateKey: key)]
                }
            }
            let now = Int64(Date().timeIntervalSince1970)
            func bearer(_ id: String, _ team: String, issuedAt: Int64 = now) throws -> String {
                try "bearer " + ProviderTokenMaker(key: key, keyID: id, teamID: team).token(issuedAt: issuedAt)
            }
            let tokens = [try bearer("KEYNUMBER1", first), try bearer("KEYNUMBER2", second)]
            let client = try server.client()
            // Three teams on one connection: Apple would refuse the second.
            for _ in 0..<3 {
                for token in tokens + [server.bearer] {
                    #expect(try client.request(server.fields(["authorization": token]), payload).status == 200)
                }
            }
            // Each keeps its own refresh limit.
            let another = try bearer("KEYNUMBER1", first, issuedAt: now - 1)
            #expect(try client.request(server.fields(["authorization": another]), payload).status == 429)
            for token in tokens + [server.bearer] {
                #expect(try client.request(server.fields(["authorization": token]), payload).status == 200)
            }
            #expect(namespaces.map { $0.simulator.journal.statistics.accepted } == [4, 4])
            #expect(server.simulator.journal.statistics.accepted == 4)
            let numbers = namespaces[1].simulator.journal.snapshot().entries.map(\.content.requestsOnConnection)
            #expect(numbers == [1, 2, 3, 4])
            // Testers see one connection, whoever its requests belong to.
            #expect(server.server.connections.snapshot.records.map(\.counters.requests) == [13])
        }
    }

    @Test func `a namespace's clock ages its tokens alone`() throws {
        try TestServer.run { server in
            let suite = try add("suite", to: server)
            suite.simulator.clock.advance(by: 2 * 3_600_000)
            let client = try server.client()
            let inSuite = server.fields(["mock-apns-namespace": "suite"])
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(try client.request(inSuite, payload).status == 403)
            #expect(try client.request(server.fields(), payload).status == 200)
        }
    }

    @Test func `one turn's entries go to each namespace, and all into one log`() throws {
        try TestServer.run { server in
            let suites = try ["a", "b"].map { try add($0, to: server) }
            let client = try server.client()
            var streams: [Int32] = []
            for round in 0..<30 {
                let name = ["a", "b", "default"][round % 3]
                let fields = server.fields([
                    "mock-apns-namespace": name, ":path": "/3/device/\(TestServer.randomDevice())",
                ])
                streams.append(try client.http2.submit(fields, body: Array(payload.utf8)))
            }
            try client.flush()
            for stream in streams { #expect(try client.response(to: stream).status == 200) }
            #expect(suites.map { devices($0).count } == [10, 10])
            #expect(server.entries.count == 10)
            let log = try String(contentsOfFile: server.folder.file("log.ndjson"), encoding: .utf8)
            #expect(log.split(separator: "\n").count == 30)
            #expect(log.split(separator: "\n").count { $0.contains(#""namespace":"b""#) } == 10)
        }
    }

    @Test func `a port of its own, opened and closed through the admin API`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            let made = try ask(server, "POST", "/v1/namespaces", #"{"name": "suite", "port": 0}"#)
            #expect(made.status == 201)
            let suite = try #require(server.server.worlds.namespace(named: "suite"))
            let port = try #require(suite.endpoint?.port)
            let address = SocketAddress.ip(host: "127.0.0.1", port: port)
            let client = try TestClient(address, .with { $0.trust = .authority(server.authority) })
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(devices(suite) == [server.device])
            #expect(server.entries.isEmpty)
            // What breaks at its door is in its log too.
            #expect(throws: TestConnection.Failure.self) { try TestClient(address, .with { $0.trust = .nobody }) }
            let waited = try ask(server, "GET", "/v1/ns/suite/requests?outcome=broken&wait=10s")
            #expect(waited.status == 200)

            #expect(try ask(server, "DELETE", "/v1/namespaces/suite").status == 200)
            #expect(try client.goAway().debugData.contains("Shutdown"))
            #expect(server.entries.isEmpty)
            // The acceptor closes its socket in the turn that the connections' end is asked for.
            #expect(throws: (any Error).self) {
                try TestClient(address, .with { $0.trust = .authority(server.authority) })
            }
        }
    }

    /// A namespace made through the admin API, with ports as in `body`.
    private func make(_ body: String, on server: TestServer) throws -> Namespace.Endpoint {
        let made = try ask(server, "POST", "/v1/namespaces", #"{"name": "suite", \#(body)}"#)
        guard made.status == 201 else { throw TestConnection.Failure(String(decoding: made.body, as: UTF8.self)) }
        return try #require(server.server.worlds.namespace(named: "suite")?.endpoint)
    }

    private func local(_ port: UInt16?) throws -> SocketAddress {
        .ip(host: "127.0.0.1", port: try #require(port))
    }

    @Test func `ports in clear text belong to it, and close with it`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            let endpoint = try make(#""port": 0"#, on: server)
            let suite = try #require(server.server.worlds.namespace(named: "suite"))
            let http2 = try TestClient(local(endpoint.h2cPort), .with { $0.isClearText = true })
            #expect(try http2.request(server.fields(), payload).status == 200)
            let http1 = try TestHTTP1Client(local(endpoint.http1Port))
            #expect(try http1.request(server.fields(), payload).status == 200)
            // The port decides, whatever the request says.
            #expect(try http1.request(server.fields(["mock-apns-namespace": "other"]), payload).status == 200)
            #expect(devices(suite).count == 3)
            #expect(server.entries.isEmpty)
            #expect(suite.simulator.journal.snapshot().entries.map(\.content.requestsOnConnection) == [1, 1, 2])
            #expect(server.server.connections.snapshot.records.map(\.counters.requests) == [1, 2])
            // What hangs does not keep it.
            try server.addRule(#"{"then": {"fault": "hang"}}"#, to: suite)
            let hanging = try TestHTTP1Client(local(endpoint.http1Port))
            try hanging.send(server.fields(), payload)
            _ = try ask(server, "GET", "/v1/ns/suite/requests?outcome=faulted&wait=10s")

            #expect(try ask(server, "DELETE", "/v1/namespaces/suite").status == 200)
            #expect(try http1.waitForEnd() == "")
            #expect(try hanging.waitForEnd() == "")
            #expect(try http2.goAway().debugData.contains("Shutdown"))
            for port in [endpoint.port, endpoint.h2cPort, endpoint.http1Port] {
                #expect(throws: (any Error).self) { try RawConnection(try local(port)) }
            }
            #expect(server.entries.isEmpty)
        }
    }

    @Test func `clear-text ports are opened where the server has some, or when asked for`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
            $0.clearTextListeners = []
        } _: { server in
            let usual = try make(#""port": 0"#, on: server)
            #expect(usual.port != nil && usual.h2cPort == nil && usual.http1Port == nil)
            #expect(try ask(server, "DELETE", "/v1/namespaces/suite").status == 200)
            let asked = try make(#""http1Port": 0"#, on: server)
            #expect(asked.port == nil && asked.h2cPort == nil)
            let client = try TestHTTP1Client(local(asked.http1Port))
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(server.entries.isEmpty)
        }
    }

    @Test func `ports are opened together or not at all`() throws {
        let first = UInt16.random(in: 20_000...30_000)
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
            $0.namespacePorts = first...first + 30
        } _: { server in
            let before = try make(#""port": 0"#, on: server)
            let all = [before.port, before.h2cPort, before.http1Port].compactMap(\.self)
            #expect(Set(all).count == 3 && all.allSatisfy { $0 >= first && $0 <= first + 30 })
            #expect(try ask(server, "DELETE", "/v1/namespaces/suite").status == 200)
            let taken = try #require(server.address.port)
            let refused = try ask(
                server, "POST", "/v1/namespaces", #"{"name": "suite", "port": 0, "http1Port": \#(taken)}"#)
            #expect(refused.status == 503)
            #expect(String(decoding: refused.body, as: UTF8.self).contains("port \(taken)"))
            #expect(server.server.worlds.namespace(named: "suite") == nil)
            // What was bound for it is free again.
            #expect(try make(#""port": 0"#, on: server).port == before.port)
        }
    }

    @Test func `the ports of namespaces stay in their range`() throws {
        try TestServer.run { other in
            // This port is taken, the next ones may be free.
            let taken = try #require(other.address.port)
            for (last, status) in [(min(taken, .max - 30) + 30, 201), (taken, 503)] {
                try TestServer.run {
                    $0.admin = .ip(host: "127.0.0.1", port: 0)
                    $0.namespacePorts = taken...last
                } _: { server in
                    let made = try ask(server, "POST", "/v1/namespaces", #"{"name": "suite", "port": 0}"#)
                    #expect(made.status == status)
                    let port = server.server.worlds.namespace(named: "suite")?.endpoint?.port
                    if status == 201 {
                        #expect(port.map { $0 > taken && $0 <= last } == true)
                    } else {
                        #expect(port == nil && String(decoding: made.body, as: UTF8.self).contains("port \(taken)"))
                    }
                }
            }
        }
    }

    @Test func `the server name of the handshake chooses`() throws {
        try TestServer.run { server in
            let suite = try add("Suite", to: server)
            let client = try server.client(.with { $0.serverName = "suite.apns.localhost" })
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(devices(suite) == [server.device])
            #expect(server.entries.isEmpty)
        }
    }

    @Test func `a push over HTTP/1.1 finds its namespace`() throws {
        try TestServer.run { server in
            let suite = try add("suite", to: server)
            let client = try server.http1Client()
            #expect(try client.request(server.fields(["mock-apns-namespace": "suite"]), payload).status == 200)
            #expect(try client.request(server.fields(), payload).status == 200)
            #expect(devices(suite) == [server.device])
            #expect(server.entries.count == 1)
        }
    }

    @Test func `a client certificate that is registered in one namespace chooses it`() throws {
        try TestServer.run { server in
            let suite = try add("suite", to: server)
            let now = Int64(Date().timeIntervalSince1970)
            let request = ClientCertificateRequest(
                userID: "com.example.app", notBefore: now - 60, notAfter: now + 3600)
            let identity = try #require(server.server.certificates.clientAuthority).issue(request)
            suite.simulator.certificates.add(identity.certificate, isRevoked: false)
            let file = server.folder.file("client.pem")
            try (identity.certificatePEM + identity.keyPEM).write(toFile: file, atomically: true, encoding: .utf8)
            let client = try server.client(.with { $0.certificate = file })
            #expect(try client.request(server.fields(["authorization": nil]), payload).status == 200)
            #expect(devices(suite) == [server.device])
            #expect(server.entries.isEmpty)
        }
    }

    private func ask(
        _ server: TestServer, _ method: String, _ target: String, _ body: String = ""
    ) throws -> HTTP1Client.Response {
        let address = try #require(server.server.adminAddress)
        return try HTTP1Client.send(
            method: method, host: address.host ?? "", port: address.port ?? 0, target: target,
            headers: body.isEmpty ? [] : [("content-type", "application/json")], body: Array(body.utf8),
            timeoutMilliseconds: 30_000)
    }
}

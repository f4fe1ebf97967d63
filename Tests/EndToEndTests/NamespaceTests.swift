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
            let request = CertificateAuthority.ClientCertificateRequest(
                userID: "com.example.app", notBefore: now - 60, notAfter: now + 3600)
            let identity = try #require(server.server.certificates.authority).issueClientCertificate(request)
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

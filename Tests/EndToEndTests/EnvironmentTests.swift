import APNs
import EventLoop
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// Which of Apple's two environments a request belongs to.
struct EnvironmentTests {
    private func expect(
        _ environment: Environment, _ server: TestServer, _ options: TestConnection.Options = .init(),
        authority: String = "localhost"
    ) throws {
        let fields = server.fields([":authority": authority])
        #expect(try server.client(options).request(fields, #"{"aps":{"alert":"hi"}}"#).status == 200)
        #expect(server.entries.last?.content.environment == environment)
    }

    @Test func `a listener is of the sandbox unless it says otherwise`() throws {
        try TestServer.run { server in try expect(.sandbox, server) }
        try TestServer.run {
            $0.listeners = [.init(.ip(host: "127.0.0.1", port: 0), environment: .production)]
        } _: { server in
            try expect(.production, server)
        }
    }

    @Test func `an Apple host name decides, as server name or as authority`() throws {
        try TestServer.run { server in
            try expect(.production, server, .with { $0.serverName = "api.push.apple.com" })
            try expect(.sandbox, server, .with { $0.serverName = "api.sandbox.push.apple.com" })
            try expect(.production, server, authority: "api.push.apple.com")
        }
    }

    @Test func `the host of a tunnel decides when there is no server name`() throws {
        try TestServer.run { server in
            let options = TestConnection.Options.with {
                $0.tunnel = "api.push.apple.com"
                $0.serverName = nil
            }
            try expect(.production, server, options)
        }
    }

    @Test func `a second listener has its own environment and port`() throws {
        try TestServer.run {
            $0.listeners.append(.init(.ip(host: "127.0.0.1", port: 0), environment: .production))
        } _: { server in
            let second = server.server.listeners[1].address
            #expect(second != server.address)
            let client = try TestClient(second, .with { $0.trust = .authority(server.authority) })
            #expect(try client.request(server.fields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
            #expect(server.entries.last?.content.environment == .production)
            #expect(server.entries.last?.content.connection.value.listener == second.description)
        }
    }

    @Test func `a Unix socket serves as well`() throws {
        let folder = try TemporaryFolder()
        try TestServer.run {
            $0.listeners = [.init(.unix(path: folder.file("apns.sock")))]
        } _: { server in
            try expect(.sandbox, server)
        }
    }
}

import APNs
import EventLoop
import Foundation
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// APNs without TLS: HTTP/2 with prior knowledge, and HTTP/1.1.
struct ClearTextTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    // MARK: HTTP/2

    @Test func `a push over clear-text HTTP/2 is judged and logged as one over TLS`() throws {
        try TestServer.run { server in
            let client = try server.clearTextClient()
            let fields = server.fields([":scheme": "http"])
            let response = try client.request(fields, payload)
            #expect(response.status == 200)
            let refused = try client.request(fields.filter { $0.0 != "apns-topic" }, payload)
            #expect(refused.status == 400)
            #expect(String(decoding: refused.body, as: UTF8.self) == #"{"reason":"MissingTopic"}"#)
            #expect(server.entries.map(\.content.outcome) == [.accepted, .rejected])
            let connection = try #require(server.entries.first).content.connection.value
            #expect(connection.tlsVersion == nil)
            #expect(connection.listener == server.server.address(.h2c)?.description)
            #expect(try server.folder.lines(of: "log.ndjson").count == 2)
        }
    }

    @Test func `TLS and HTTP/1 on the port of clear-text HTTP/2 are told so`() throws {
        try TestServer.run { server in
            let address = try #require(server.server.address(.h2c))
            #expect(throws: TestConnection.Failure.self) {
                try TestConnection(address, .with { $0.trust = .authority(server.authority) })
            }
            let raw = try RawConnection(address)
            try raw.send("POST /3/device/abc HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try raw.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains("--http1-listen"))
            let noise = try RawConnection(address)
            try noise.send("\u{0}\u{1}")
            #expect(try noise.receiveAll().isEmpty)
            let entries = try server.waitForEntries(3)
            #expect(entries.compactMap(\.content.breakage?.cause) == ["tls", "http1", "http2"])
        }
    }

    @Test func `a stop says Shutdown over clear-text HTTP/2, too`() throws {
        let server = try TestServer()
        let client = try server.clearTextClient()
        #expect(try client.request(server.fields(), payload).status == 200)
        server.server.stop()
        #expect(try client.goAway().debugData == #"{"reason":"Shutdown"}"#)
        try client.waitForEnd()
    }

    @Test func `a preface in pieces begins a connection`() throws {
        try TestServer.run { server in
            let connection = try TestConnection(
                try #require(server.server.address(.h2c)), .with { $0.isClearText = true })
            for byte in Frame.preface + Frame.settings().bytes { try connection.write([byte]) }
            let answer = try connection.read()
            #expect(!answer.isEmpty)
        }
    }

    // MARK: HTTP/1.1

    @Test func `pushes over HTTP/1.1 are judged and logged, one after the other on a connection`() throws {
        try TestServer.run { server in
            let client = try server.http1Client()
            let accepted = try client.request(
                server.fields(["apns-id": "EABEAE54-14A8-11E5-B60B-1697F925EC7B"]), payload)
            #expect(accepted.status == 200)
            #expect(accepted["apns-id"] == "EABEAE54-14A8-11E5-B60B-1697F925EC7B")
            #expect(accepted["apns-unique-id"] != nil)
            #expect(accepted["content-length"] == "0")
            let refused = try client.request(server.fields(["apns-priority": "7"]), payload)
            #expect(refused.status == 400)
            #expect(refused.body == #"{"reason":"BadPriority"}"#)
            let unknown = try client.request(server.fields([":path": "/4/device?x=1"]), payload)
            #expect(unknown.body == #"{"reason":"BadPath"}"#)
            let entries = server.entries
            #expect(entries.map(\.content.requestsOnConnection) == [1, 2, 3])
            #expect(Set(entries.map(\.content.connection.value.id)).count == 1)
            #expect(entries.first?.content.request.text(.authority) == "localhost")
            #expect(entries.first?.content.request.text(.method) == "POST")
            #expect(entries.last?.content.request.text(.path) == "/4/device?x=1")
            #expect(entries.first?.afterMilliseconds != nil)
            #expect(try server.folder.lines(of: "log.ndjson").count == 3)
        }
    }

    @Test func `a body may come in chunks, after an interim answer, or be too long`() throws {
        try TestServer.run { server in
            let client = try server.http1Client()
            #expect(try client.request(server.fields(), chunks: [#"{"aps":"#, #"{"alert":"hi"}}"#]).status == 200)
            let body = server.entries.first.map { $0.content.request.text(in: $0.content.request.bodyRange) }
            #expect(body == payload)

            // Who expects the interim answer keeps the body back until then.
            try client.send(server.fields(["expect": "100-continue"]), payload, isBodyHeldBack: true)
            #expect(try client.response().status == 100)
            try client.send(payload)
            #expect(try client.response().status == 200)

            let long = try client.request(server.fields(), String(repeating: "x", count: 200_000))
            #expect(long.status == 413)
            #expect(long.body == #"{"reason":"PayloadTooLarge"}"#)
            let empty = try client.request(server.fields())
            #expect(empty.body == #"{"reason":"PayloadEmpty"}"#)

            // What is beyond the limit of the HTTP/1.1 server is no request.
            let far = try client.request(server.fields(), String(repeating: "x", count: 2 << 20))
            #expect(far.status == 413)
            #expect(server.entries.count == 4)
        }
    }

    @Test func `a connection keeps its first provider token over HTTP/1.1 as over HTTP/2`() throws {
        try TestServer.run { server in
            let client = try server.http1Client()
            #expect(try client.request(server.fields(["authorization": nil]), payload).status == 403)
            #expect(try client.request(server.fields(), payload).status == 200)
            let close = try client.request(server.fields(["connection": "close"]), payload)
            #expect(close.status == 200)
            #expect(try client.waitForEnd() == "")
            #expect(server.entries.last?.content.request.fields.contains { $0.name == .other } == false)
        }
    }

    @Test func `a stop ends the connections of HTTP/1.1`() throws {
        let server = try TestServer()
        let client = try server.http1Client()
        #expect(try client.request(server.fields(), payload).status == 200)
        server.server.stop()
        #expect(try client.waitForEnd() == "")
        #expect(server.entries.count == 1)
    }

    @Test func `a connection above the limit is closed`() throws {
        try TestServer.run {
            $0.limits.connections = 1
        } _: { server in
            let first = try server.http1Client()
            #expect(try first.request(server.fields(), payload).status == 200)
            let second = try server.http1Client()
            try second.send(server.fields(), payload)
            #expect(try second.waitForEnd() == "")
            #expect(server.entries.map(\.content.breakage?.cause) == [nil, "limit"])
            #expect(try first.request(server.fields(), payload).status == 200)
        }
    }

    @Test func `a Unix socket serves each kind`() throws {
        let folder = try TemporaryFolder()
        try TestServer.run { configuration in
            configuration.clearTextListeners = [
                .init(.unix(path: folder.file("h2c.sock")), kind: .h2c),
                .init(.unix(path: folder.file("http1.sock")), environment: .production, kind: .http1),
            ]
        } _: { server in
            let http2 = try server.clearTextClient()
            #expect(try http2.request(server.fields(), payload).status == 200)
            let http1 = try server.http1Client()
            #expect(try http1.request(server.fields(), payload).status == 200)
            #expect(server.entries.map(\.content.environment) == [.sandbox, .production])
            #expect(ReadyReport(server.server).line.contains(" h2c=unix:\(folder.file("h2c.sock")) "))
        }
    }

    @Test func `an address that is taken names its flag, and the listeners before it are closed`() throws {
        try TestServer.run { server in
            let taken = try #require(server.server.address(.http1))
            let folder = try TemporaryFolder()
            let path = folder.file("first.sock")
            let error = #expect(throws: StartError.self) {
                try TestServer {
                    $0.clearTextListeners = [.init(.unix(path: path), kind: .http1), .init(taken, kind: .http1)]
                }
            }
            #expect(error?.description.contains("--http1-listen \(taken)") == true)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    // MARK: The tunnel

    @Test func `without the proxy a CONNECT request is refused`() throws {
        try TestServer.run {
            $0.acceptsConnect = false
        } _: { server in
            let raw = try RawConnection(server.address)
            try raw.send("CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com:443\r\n\r\n")
            let answer = try raw.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains("--no-connect-proxy"))
            #expect(try server.waitForEntries(1).first?.content.breakage?.cause == "http1")
        }
    }
}

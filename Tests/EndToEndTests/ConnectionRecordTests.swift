import APNs
import EventLoop
import Foundation
import HTTP2
import Server
import Simulation
import TLS
import TestSupport
import Testing

/// What `GET /v1/connections` knows of live connections.
struct ConnectionRecordTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func records(_ server: TestServer) -> [ConnectionRecord] { server.server.connections.snapshot.records }

    @Test func `a connection with TLS is known by its handshake, its streams and its end`() throws {
        let server = try TestServer()
        let client = try server.client()
        for _ in 0..<3 { #expect(try client.request(server.fields(), payload).status == 200) }
        let record = try #require(records(server).first)
        let facts = record.details.facts.value
        #expect(record.listenerKind == "apns")
        #expect(record.details.state == .open)
        #expect(record.details.httpVersion == "h2")
        #expect(facts.tlsVersion == "TLSv1.3")
        #expect(facts.serverName == "localhost")
        #expect(facts.alpn == "h2")
        // The counters are stored before the answers are read.
        #expect(record.counters.requests == 3)
        #expect(record.counters.streamsOpened == 3)
        #expect(record.openedAt > 0)
        server.server.stop()
        let details = record.details
        #expect(details.state == .ended)
        #expect(details.end == "The server sent GOAWAY with Shutdown.")
        let goAway = try #require(details.goAways.first)
        #expect(details.goAways.count == 1)
        #expect(goAway.code == "NO_ERROR")
        #expect(goAway.lastStream == 5)
        #expect(goAway.debugData == #"{"reason":"Shutdown"}"#)
    }

    @Test func `a failed handshake is held with its cause`() throws {
        let server = try TestServer()
        defer { server.server.stop() }
        #expect(throws: TestConnection.Failure.self) { try server.client(.with { $0.alpn = ["http/1.1"] }) }
        _ = try server.waitForEntries(1)
        server.server.stop()
        let failed = records(server).filter { $0.details.state == .failed }
        let details = try #require(failed.last).details
        #expect(details.breakage?.cause == "alpn")
        #expect(details.end == details.breakage?.explanation)
        #expect(details.goAways.isEmpty)
    }

    @Test func `a peer that breaks HTTP/2 is told and held`() throws {
        let server = try TestServer()
        let peer = try server.framePeer()
        // DATA on stream 0 is a connection error.
        try peer.send(.data([1], stream: 0, endStream: true))
        _ = try peer.next(.goAway)
        server.server.stop()
        let details = try #require(records(server).first).details
        #expect(details.goAways.map(\.code) == ["PROTOCOL_ERROR"])
        #expect(details.breakage?.cause == "http2")
        #expect(details.state == .ended)
    }

    @Test func `clear-text connections are held, too`() throws {
        let server = try TestServer()
        let http2 = try server.clearTextClient()
        #expect(try http2.request(server.fields(), payload).status == 200)
        let http1 = try server.http1Client()
        #expect(try http1.request(server.fields(), payload).status == 200)
        #expect(records(server).map(\.listenerKind) == ["h2c", "http1"])
        #expect(records(server).map(\.details.httpVersion) == ["h2", "http/1.1"])
        #expect(records(server).map(\.counters.requests) == [1, 1])
        #expect(try http1.request(server.fields(["connection": "close"]), payload).status == 200)
        #expect(try http1.waitForEnd() == "")
        server.server.stop()
        #expect(records(server).map(\.details.state) == [.ended, .ended])
    }

    @Test func `the admin API shows the fingerprint of the CA that senders must trust`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            let admin = try TestHTTP1Client(try #require(server.server.adminAddress))
            let info = try admin.request([(":method", "GET"), (":path", "/v1/info"), (":authority", "127.0.0.1")])
            let pem = try String(contentsOfFile: server.authority, encoding: .utf8)
            let lines = pem.split(separator: "\n").drop { $0 != "-----BEGIN CERTIFICATE-----" }.dropFirst()
                .prefix { !$0.hasPrefix("-----END") }
            let der = try #require(Data(base64Encoded: lines.joined()))
            let digest = SHA256.digest(Array(der)).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
            #expect(info.body.contains(#""fingerprint":"\#(digest.joined())""#), "\(info.body)")
            let connections = try admin.request(
                [(":method", "GET"), (":path", "/v1/connections"), (":authority", "127.0.0.1")])
            #expect(connections.body.hasPrefix(#"{"items":[],"matched":0"#))
        }
    }
}

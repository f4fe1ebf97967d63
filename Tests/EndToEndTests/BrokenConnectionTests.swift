import APNs
import EventLoop
import HTTP
import HTTP2
import Server
import Simulation
import TestSupport
import Testing

/// Peers that never become senders: closed cleanly, and written down with the likely cause.
struct BrokenConnectionTests {
    /// Waits until an entry for a broken connection is in the journal.
    private func breakage(_ server: TestServer) throws -> JournalEntry.Breakage {
        let entries = try server.waitForEntries(1)
        #expect(entries.count == 1)
        #expect(entries.first?.content.outcome == .broken)
        return try #require(entries.first?.content.breakage)
    }

    @Test func `HTTP 1 in clear text is told what to do`() throws {
        try TestServer.run { server in
            let raw = try RawConnection(server.address)
            try raw.send("GET /v1/notifications HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try raw.receiveAll()
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains("use https://"))
            let breakage = try breakage(server)
            #expect(breakage.cause == "http1")
            #expect(breakage.firstBytes.starts(with: "GET /v1/notifications".utf8))
        }
    }

    @Test func `a peer that goes on sending after it broke the protocol is cut off, and others are answered`() throws {
        let limit = 256 << 10
        try TestServer.run({
            $0.limits.lingerBytes = limit
            $0.limits.lingerMilliseconds = 600_000
        }) { server in
            let raw = try RawConnection(server.address)
            let good = try server.client()
            var sent = 0
            var isOpen = true
            // What the sockets of both sides hold comes on top of what is read away.
            while isOpen, sent < 64 << 20 {
                do {
                    try raw.send([UInt8](repeating: 7, count: 64 << 10))
                    sent += 64 << 10
                } catch {
                    isOpen = false
                }
                if sent == 128 << 10 {
                    #expect(try good.request(server.fields(), "{\"aps\":{\"alert\":\"Hello\"}}").status == 200)
                }
            }
            #expect(!isOpen, "\(sent) bytes were taken")
            #expect(sent >= limit)
        }
    }

    @Test func `HTTP 2 in clear text and garbage are closed`() throws {
        try TestServer.run { server in
            let raw = try RawConnection(server.address)
            try raw.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            #expect(try raw.receiveAll().isEmpty)
            #expect(try breakage(server).cause == "http2")
        }
        try TestServer.run { server in
            let raw = try RawConnection(server.address)
            try raw.send([0, 1, 2, 3])
            #expect(try raw.receiveAll().isEmpty)
            let breakage = try breakage(server)
            #expect(breakage.cause == "tls")
            #expect(breakage.firstBytes == [0, 1, 2, 3])
        }
    }

    @Test func `a client that offers HTTP 1 only gets an alert`() throws {
        try TestServer.run { server in
            let failure = #expect(throws: TestConnection.Failure.self) {
                try server.client(.with { $0.alpn = ["http/1.1"] })
            }
            #expect(failure?.tls != nil, "\(failure?.description ?? "")")
            let breakage = try breakage(server)
            #expect(breakage.cause == "alpn")
            #expect(breakage.explanation.contains("http/1.1"))
            #expect(server.entries.first?.content.connection.value.serverName == "localhost")
        }
    }

    @Test func `a client that does not trust us is told of`() throws {
        try TestServer.run { server in
            #expect(throws: TestConnection.Failure.self) { try server.client(.with { $0.trust = .nobody }) }
            let breakage = try breakage(server)
            #expect(breakage.cause == "tls")
            #expect(breakage.explanation.contains("does not trust"))
        }
    }

    @Test func `a client without ALPN may speak HTTP 2 and nothing else`() throws {
        try TestServer.run { server in
            let client = try server.client(.with { $0.alpn = [] })
            #expect(try client.request(server.fields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
            #expect(server.entries.last?.content.connection.value.alpn == nil)
        }
        try TestServer.run { server in
            let client = try server.client(.with { $0.alpn = [] })
            try client.write(Array("POST /3/device/abc HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            let breakage = try breakage(server)
            #expect(breakage.cause == "http1")
            #expect(breakage.firstBytes.starts(with: "POST ".utf8))
        }
    }

    @Test func `broken HTTP 2 ends with GOAWAY`() throws {
        try TestServer.run { server in
            let client = try server.client()
            #expect(try client.request(server.fields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
            // DATA on stream 0.
            client.http2.inject([0, 0, 1, 0, 0, 0, 0, 0, 0, 65])
            try client.flush()
            #expect(try client.goAway().code == 1)
            try client.waitForEnd()
            let entry = try #require(try server.waitForEntries(2).last)
            #expect(entry.content.breakage?.cause == "http2")
        }
    }

    @Test func `header fields beyond the limit cost the stream and not the connection`() throws {
        try TestServer.run { server in
            let client = try server.client()
            let long = String(repeating: "x", count: 20_000)
            #expect(throws: TestConnection.Failure.self) {
                try client.request(server.fields(["x-long": long]), "{}")
            }
            #expect(try server.waitForEntries(1).last?.content.breakage?.cause == "headers")
            #expect(try client.request(server.fields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
        }
    }

    @Test func `a connection that comes and goes without a byte is nobody's business`() throws {
        try TestServer.run { server in
            _ = try RawConnection(server.address)
            #expect(try server.client().request(server.fields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
            #expect(server.entries.map(\.content.outcome) == [.accepted])
        }
    }

    @Test func `a silent client is closed when its time is up`() throws {
        try TestServer.run {
            $0.limits.handshakeMilliseconds = 50
        } _: { server in
            let raw = try RawConnection(server.address)
            #expect(try raw.receiveAll().isEmpty)
            #expect(try breakage(server).explanation.contains("within 50 ms"))
        }
        try TestServer.run {
            $0.limits.handshakeMilliseconds = 50
        } _: { server in
            // TLS, but never a byte of HTTP/2.
            let connection = try server.connection()
            while try !connection.read().isEmpty {}
            #expect(try breakage(server).cause == "tls")
        }
    }

    @Test func `a connection above the limit is closed`() throws {
        try TestServer.run {
            $0.limits.connections = 2
        } _: { server in
            let first = try server.client()
            let second = try server.client()
            #expect(throws: (any Error).self) { try server.client() }
            #expect(try breakage(server).cause == "limit")
            for client in [first, second] {
                #expect(try client.request(server.fields(), #"{"aps":{"alert":"hi"}}"#).status == 200)
            }
        }
    }

    @Test func `only so many broken connections a second are written down`() throws {
        try TestServer.run {
            $0.limits.brokenPerSecond = 3
        } _: { server in
            for _ in 0..<20 {
                let raw = try RawConnection(server.address)
                try raw.send([0])
                #expect(try raw.receiveAll().isEmpty)
            }
            // Twenty connections take well under the two seconds in which more than six would pass.
            #expect(server.entries.count >= 3)
            #expect(server.entries.count < 20)
        }
    }
}

import Foundation
import Testing

@testable import TLS

@Suite struct TLSSessionTests {
    let certificates: TestCertificates
    let server: TLSContext

    init() throws {
        certificates = try TestCertificates.shared.get()
        server = try certificates.serverContext()
    }

    @Test(arguments: [(TLSVersion.tls12, "TLSv1.2"), (TLSVersion.tls13, "TLSv1.3")])
    func `a handshake and bytes both ways`(version: TLSVersion, name: String) throws {
        let client = try certificates.clientContext(minimum: version, maximum: version)
        let pair = try Handshake(server: server, client: client, name: "api.push.apple.com")
        let end = pair.run()
        #expect(end.server == .done)
        #expect(end.client == .done)
        #expect(pair.server.version == name)
        #expect(!pair.server.cipher.isEmpty)
        #expect(pair.server.alpn == "h2")
        #expect(pair.server.offeredALPN == ["h2"])
        #expect(pair.server.serverName == "api.push.apple.com")
        #expect(pair.server.peerCertificate == nil)
        #expect(pair.client.writeBytes(Array("ping".utf8)) == 4)
        #expect(pair.server.readBytes() == Array("ping".utf8))
        #expect(pair.server.writeBytes(Array("pong".utf8)) == 4)
        #expect(pair.client.readBytes() == Array("pong".utf8))
        #expect(pair.server.readBytes() == nil)
    }

    @Test(
        arguments: [
            (["h2"], "h2"), (["http/1.1", "h2"], "h2"), (["h2", "http/1.1"], "h2"), (["h2-16", "h2-14", "h2"], "h2"),
            (["http/1.0", "spdy/3", "h2", "x"], "h2"), ([], nil),
        ] as [([String], String?)])
    func `h2 is chosen wherever it stands`(offered: [String], chosen: String?) throws {
        let pair = try Handshake(server: server, client: certificates.clientContext(alpn: offered))
        let end = pair.run()
        #expect(end.server == .done)
        #expect(end.client == .done)
        #expect(pair.server.alpn == chosen)
        #expect(pair.client.alpn == chosen)
        #expect(pair.server.offeredALPN == offered)
    }

    @Test(arguments: [["http/1.1"], ["h2c"], ["http/1.1", "h3", "h"], ["h2-14", "H2"]], [TLSVersion.tls12, .tls13])
    func `a list without h2 is refused`(offered: [String], version: TLSVersion) throws {
        let client = try certificates.clientContext(alpn: offered, minimum: version, maximum: version)
        let pair = try Handshake(server: server, client: client)
        let end = pair.run()
        let failure = try #require(end.server.failure)
        #expect(failure.cause == "alpn")
        #expect(failure.explanation.contains("the client offered \(offered.joined(separator: ", ")) only"))
        #expect(failure.explanation.contains("APNs needs ALPN h2"))
        #expect(pair.server.offeredALPN == offered)
        // The client was told by the alert of that name.
        #expect(end.client.failure?.explanation == "The server refused the handshake (alert no_application_protocol)")
    }

    @Test(arguments: [TLSVersion.tls10, .tls11])
    func `older versions are refused by name`(version: TLSVersion) throws {
        let client = try certificates.clientContext(minimum: version, maximum: version)
        let end = try Handshake(server: server, client: client).run()
        let failure = try #require(end.server.failure)
        #expect(failure.cause == "protocol_version")
        #expect(failure.explanation.hasPrefix("TLS \(version.number) offered; APNs needs 1.2 or later"))
    }

    @Test func `a client that does not trust us is explained`() throws {
        let client = try TLSContext(clientTrusting: nil)
        for _ in 0..<2 {
            let end = try Handshake(server: server, client: client).run()
            let failure = try #require(end.server.failure)
            #expect(failure.cause == "unknown_ca")
            #expect(failure.explanation.contains("The client does not trust our certificate (alert unknown_ca)"))
            #expect(failure.explanation.hasSuffix(". \(certificates.store.trustHint)"))
            #expect(failure.explanation.contains("ca.pem") && failure.explanation.contains("SHA-256"))
            #expect(end.client.failure?.cause == "unknown_ca")
        }
    }

    @Test func `a name outside the certificate is explained`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext(), name: "push.example.test")
        let end = pair.run()
        let failure = try #require(end.server.failure)
        #expect(failure.cause == "certificate_name")
        #expect(failure.explanation.contains("add --san push.example.test, which needs a new CA"))
        #expect(failure.explanation.contains("delete \(certificates.folder.path(of: "ca.pem")) and "))
        #expect(end.client.failure?.cause == "certificate_name")
    }

    @Test func `clients may leave out SNI and may use an address`() throws {
        let client = try certificates.clientContext()
        let silent = try Handshake(server: server, client: client, name: "mock-apns", sendsName: false)
        #expect(silent.run().server == .done)
        #expect(silent.server.serverName == nil)
        let address = try Handshake(server: server, client: client, name: "127.0.0.1")
        #expect(address.run().client == .done)
        #expect(address.server.serverName == nil)
        let other = try Handshake(server: server, client: client, name: "127.0.0.2")
        #expect(other.run().client.failure?.cause == "certificate_name")
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nhost: x\r\n\r\n", "http", "\"GET / HTTP/1.1\""),
        ("POST /3/device/00 HTTP/1.1\r\nhost: x\r\n\r\n", "http", "\"POST /3/device/00 HTTP/1.1\""),
        ("CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n", "http", "\"CONNECT api.push.apple.com:443 HTTP/1.1\""),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "http", "clear-text HTTP/2"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "not_tls", "5353482d322e302d4f70656e5353485f"),
        ("\0\0\0\0\0\0\0\0\0\0\0", "not_tls", "no TLS"),
    ])
    func `bytes that are no TLS are explained`(text: String, cause: String, words: String) throws {
        let sockets = try SocketPair()
        let session = try TLSSession(server: server, descriptor: sockets.first)
        #expect(Handshake.step(session) == .waiting)
        sockets.send(Array(text.utf8))
        let failure = try #require(Handshake.step(session).failure)
        #expect(failure.cause == cause)
        #expect(failure.explanation.contains(words))
        #expect(session.firstBytes == Array(text.utf8.prefix(TLSSession.firstByteLimit)))
    }

    @Test func `a broken handshake record is an error of its own`() throws {
        let sockets = try SocketPair()
        let session = try TLSSession(server: server, descriptor: sockets.first)
        sockets.send([0x16, 0x03, 0x01, 0x00, 0x08, 0x01, 0x00, 0x00, 0x04, 0xFF, 0xFF, 0xFF, 0xFF])
        let failure = try #require(Handshake.step(session).failure)
        #expect(["other", "protocol_version"].contains(failure.cause))
        #expect(!failure.detail.isEmpty)
    }

    @Test func `who comes and goes without a byte has closed`() throws {
        let sockets = try SocketPair()
        let session = try TLSSession(server: server, descriptor: sockets.first)
        sockets.closeSecond()
        #expect(Handshake.step(session) == .closed)
    }

    @Test func `who leaves during the handshake probably rejected us`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        #expect(Handshake.step(pair.client) == .waiting)
        #expect(Handshake.step(pair.server) == .waiting)
        pair.sockets.closeSecond()
        let failure = try #require(Handshake.step(pair.server).failure)
        #expect(failure.cause == "closed")
        #expect(failure.explanation.contains("it probably rejected our certificate"))
    }

    @Test func `half a first message and an end is told apart`() throws {
        let sockets = try SocketPair()
        let session = try TLSSession(server: server, descriptor: sockets.first)
        sockets.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
        #expect(Handshake.step(session) == .waiting)
        sockets.closeSecond()
        let failure = try #require(Handshake.step(session).failure)
        #expect(failure.cause == "closed")
        #expect(failure.explanation.contains("before its first TLS message was complete"))
    }

    @Test(arguments: [true, false]) func `an end with or without close_notify is closed`(isPolite: Bool) throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        #expect(pair.run().server == .done)
        if isPolite { pair.client.shutdown() }
        pair.sockets.closeSecond()
        var buffer = [UInt8](repeating: 0, count: 100)
        let outcome = buffer.withUnsafeMutableBytes { pair.server.read(into: $0) }
        guard case .closed = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `shutdown tells the peer and may come at any time`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        pair.server.shutdown()
        #expect(pair.run().server == .done)
        pair.server.shutdown()
        pair.server.shutdown()
        var buffer = [UInt8](repeating: 0, count: 100)
        let outcome = buffer.withUnsafeMutableBytes { pair.client.read(into: $0) }
        guard case .closed = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `garbage after the handshake is a failure`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        #expect(pair.run().server == .done)
        pair.sockets.send([0x17, 0x03, 0x03, 0x00, 0x20] + [UInt8](repeating: 7, count: 32))
        var buffer = [UInt8](repeating: 0, count: 100)
        let outcome = buffer.withUnsafeMutableBytes { pair.server.read(into: $0) }
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.cause == "other")
        #expect(failure.explanation.contains("after the handshake"))
    }

    @Test func `a small read leaves the rest pending`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        #expect(pair.run().server == .done)
        #expect(!pair.server.hasPending)
        #expect(pair.client.writeBytes([UInt8](repeating: 1, count: 100)) == 100)
        #expect(pair.client.writeBytes([UInt8](repeating: 2, count: 50)) == 50)
        #expect(pair.server.readBytes(30)?.count == 30)
        #expect(pair.server.hasPending)
        #expect(pair.server.readBytes()?.count == 70)
        // The second record came with the first by one read of the socket.
        #expect(pair.server.hasPending)
        #expect(pair.server.readBytes() == [UInt8](repeating: 2, count: 50))
        #expect(!pair.server.hasPending)
    }

    @Test func `a full socket wants to be written to and goes on later`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        #expect(pair.run().server == .done)
        let source = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var sent = 0
        var received: [UInt8] = []
        var waits = 0
        while received.count < source.count {
            var isFull = sent == source.count
            while !isFull {
                // Each attempt from memory of its own, as a moving buffer would.
                let next = Array(source[sent..<min(sent + 50_000, source.count)])
                switch next.withUnsafeBytes({ pair.server.write($0) }) {
                case .done(let count): sent += count
                case .wantsWrite:
                    waits += 1
                    isFull = true
                default: Issue.record("unexpected outcome")
                }
                if sent == source.count { isFull = true }
            }
            while let bytes = pair.client.readBytes(65_536) { received += bytes }
        }
        #expect(waits > 1)
        #expect(received == source)
    }

    @Test func `writing to a peer that has gone ends the connection, not the process`() throws {
        let pair = try Handshake(server: server, client: certificates.clientContext())
        #expect(pair.run().server == .done)
        pair.sockets.closeSecond()
        let outcome = [UInt8](repeating: 1, count: 100).withUnsafeBytes { pair.server.write($0) }
        guard case .closed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        pair.server.shutdown()
    }
}

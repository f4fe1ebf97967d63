import APNs
import EventLoop
import HTTP
import HTTP2
import Server
import Simulation
import TestFixtures
import TestSupport
import Testing

/// Clients that go: by GOAWAY, or by closing their side once they have asked. What they asked is answered.
struct LeavingTests {
    private let payload = #"{"aps":{"alert":"hi"}}"#

    private func peer(_ server: TestServer, _ transport: String) throws -> FramePeer {
        guard transport == "h2c" else { return try server.framePeer() }
        return try FramePeer(try #require(server.server.address(.h2c)), .with { $0.isClearText = true })
    }

    private func push(_ peer: FramePeer, _ server: TestServer, _ streams: Int32...) throws {
        for stream in streams {
            try peer.send(
                .headers(server.fields(), stream: stream), .data(Array(payload.utf8), stream: stream, endStream: true))
        }
    }

    /// Everything until the server closes.
    private func rest(_ peer: FramePeer) throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try peer.next() { frames.append(frame) }
        return frames
    }

    @Test(arguments: ["h2c", "tls"])
    func `behind the client's GOAWAY all is answered, then the connection ends`(transport: String) throws {
        try TestServer.run { server in
            let peer = try peer(server, transport)
            try peer.send(.headers(server.fields(), stream: 1), .goAway())
            try peer.send(.ping())
            #expect(try peer.next(.ping, acknowledgement: true).payload == Frame.ping().payload)
            try peer.send(.data(Array(payload.utf8), stream: 1, endStream: true))
            #expect(try peer.next(.headers).stream == 1)
            // Nothing is left; a PING is still answered, and then nobody waits for anybody.
            try peer.send(.ping([8, 7, 6, 5, 4, 3, 2, 1]))
            let frames = try rest(peer)
            #expect(frames.contains(.ping([8, 7, 6, 5, 4, 3, 2, 1], acknowledgement: true)))
            #expect(frames.last?.kind == .goAway && frames.last?.errorCode == .noError && frames.last?.lastStream == 1)
        }
    }

    @Test(arguments: ["h2c", "tls", "tls without close_notify"])
    func `a client that closes its side gets its answers`(transport: String) throws {
        try TestServer.run { server in
            let peer = try peer(server, transport)
            try push(peer, server, 1, 3)
            peer.connection.endWriting(withNotice: transport == "tls")
            let frames = try rest(peer)
            #expect(frames.filter { $0.kind == .headers }.map(\.stream) == [1, 3])
            #expect(frames.allSatisfy { $0.kind != .resetStream && $0.kind != .goAway })
            #expect(server.entries.map(\.content.outcome) == [.accepted, .accepted])
        }
    }

    @Test(arguments: ["h2c", "tls"])
    func `it gets answers that a rule delays, and none for a request that is not whole`(transport: String) throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            try server.addRule(#"{"then": {"delay": "300ms"}}"#)
            let peer = try peer(server, transport)
            try push(peer, server, 1)
            try peer.send(.headers(server.fields(), stream: 3))
            peer.connection.endWriting(withNotice: true)
            let frames = try rest(peer)
            #expect(frames.filter { $0.kind == .headers }.map(\.stream) == [1])
            #expect(frames.filter { $0.kind == .resetStream }.map(\.stream) == [3])
        }
    }

    @Test func `it waits for no answer that never comes`() throws {
        try TestServer.run {
            $0.admin = .ip(host: "127.0.0.1", port: 0)
        } _: { server in
            try server.addRule(#"{"then": {"fault": "hang"}}"#)
            let peer = try peer(server, "h2c")
            try push(peer, server, 1)
            peer.connection.endWriting(withNotice: true)
            #expect(try rest(peer).allSatisfy { $0.kind != .headers })
        }
    }

    @Test func `a client of HTTP/1.1 that closes its side gets its answer`() throws {
        try TestServer.run { server in
            let raw = try RawConnection(try #require(server.server.address(.http1)))
            let fields = server.fields().filter { !$0.0.hasPrefix(":") }.map { "\($0.0): \($0.1)\r\n" }.joined()
            try raw.send(
                "POST /3/device/\(TestServer.randomDevice()) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
                    + "Content-Length: \(payload.utf8.count)\r\n\r\n\(payload)")
            raw.endWriting()
            #expect(try raw.receiveAll().hasPrefix("HTTP/1.1 200"))
        }
    }

    struct Odd: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var token: [UInt8]
        /// Whether the stream is reset behind the answer.
        var isReset = false
    }

    private static let digits = Array(String(repeating: "a1", count: 32).utf8)
    static let oddTokens = [
        Odd(testDescription: "blanks", token: Array("a1b2c3d4 e5f6a7b8".utf8)),
        Odd(testDescription: "a blank behind it", token: digits + [32]),
        Odd(testDescription: "brackets", token: Array("<a1b2c3d4 e5f6a7b8>".utf8)),
        Odd(testDescription: "iOS 13", token: Array("{length = 32, bytes = 0xa1b2c3d4 ... e5f6a7b8 }".utf8)),
        Odd(testDescription: "quotes", token: [34] + digits + [34]),
        Odd(testDescription: "a control character", token: digits + [1]),
        Odd(testDescription: "a tab", token: digits + [9]), Odd(testDescription: "DEL", token: digits + [127]),
        Odd(testDescription: "bytes of UTF-8", token: Array("é".utf8) + digits),
        Odd(testDescription: "bytes of no encoding", token: [0xFF, 0xFE]),
        Odd(testDescription: "a line feed behind it", token: digits + [10], isReset: true),
        Odd(testDescription: "CR LF behind it", token: digits + [13, 10], isReset: true),
        Odd(testDescription: "NUL", token: [0] + digits, isReset: true),
    ]

    @Test(arguments: oddTokens, ["h2c", "tls"])
    func `whatever a device token holds is a bad device token, and the log says so`(
        odd: Odd, transport: String
    ) throws {
        try TestServer.run { server in
            let peer = try peer(server, transport)
            let path = Array("/3/device/".utf8) + odd.token
            let fields = server.fields().filter { $0.0 != ":path" && !$0.0.hasPrefix(":") }
            var block = Frame.headerBlock([(":method", "POST"), (":scheme", "https"), (":authority", "localhost")])
            block += [4, UInt8(path.count)] + path + Frame.headerBlock(fields)
            try peer.send(
                Frame(.headers, flags: .endHeaders, stream: 1, payload: block),
                .data(Array(payload.utf8), stream: 1, endStream: true))
            #expect(try peer.next(.headers).flags.contains(.endStream) == false)
            let body = try peer.next(.data)
            #expect(body.payload == Array(#"{"reason":"BadDeviceToken"}"#.utf8))
            #expect(body.flags.contains(.endStream) == !odd.isReset)
            if odd.isReset { #expect(try peer.next(.resetStream).errorCode == .protocolError) }
            // The connection goes on.
            try push(peer, server, 3)
            #expect(try peer.next(.headers).stream == 3)
            let content = try #require(server.entries.first).content
            #expect(content.outcome == .rejected && content.reason == .badDeviceToken && content.status == 400)
            #expect(content.device.map { Array(content.request.storage[$0]) } == odd.token)
            let failure = try #require(content.failures.first)
            #expect(!failure.explanation.isEmpty)
        }
    }
}

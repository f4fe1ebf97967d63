import HTTP
import HTTP2
import TestFixtures
import Testing

/// GOAWAY from this side.
@Suite struct ShutdownTests {
    static let reason = Array(#"{"reason":"Shutdown"}"#.utf8)

    @Test func `GOAWAY carries the reason and names the last stream`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 5)
        peer.server.goAway(code: 0, lastStream: nil, debugData: Self.reason)
        #expect(try peer.output() == [.goAway(lastStream: 5, debugData: Self.reason)])
        #expect(peer.server.failure == nil)
        // What was under way is still answered; what comes now is not.
        try peer.push(stream: 7)
        peer.server.respond(HTTPResponse(status: 200), stream: 5)
        let answer = try peer.output()
        #expect(answer.count == 1 && answer[0].isAccepted && answer[0].stream == 5)
        #expect(peer.owner.requests.map(\.stream) == [5])
        #expect(!peer.server.wantsRead && !peer.server.wantsWrite)
    }

    @Test func `GOAWAY with last stream 0 drops what was under way`() throws {
        let json = Array(#"{"reason":"BadCertificateEnvironment"}"#.utf8)
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        peer.server.goAway(code: 0, lastStream: 0, debugData: json)
        #expect(try peer.output() == [.goAway(lastStream: 0, debugData: json)])
        #expect(peer.server.openStreams == 0)
        #expect(peer.owner.closed.map(\.code) == [HTTP2ErrorCode.refusedStream.rawValue])
        #expect(!peer.server.wantsRead)
    }

    @Test func `a graceful end waits until nothing can be under way`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        peer.server.beginShutdown(debugData: Self.reason)
        peer.server.beginShutdown(debugData: Self.reason)
        let first = try peer.output()
        let notice = try #require(first.first { $0.kind == .goAway })
        #expect(first.count { $0.kind == .goAway } == 1)
        #expect(notice.lastStream == .max && notice.errorCode == .noError)
        let ping = try #require(first.first { $0.kind == .ping })

        // A request that had left before the notice arrived is still taken.
        try peer.push(stream: 3)
        #expect(peer.owner.requests.map(\.stream) == [1, 3])

        let final = try peer.send(.ping(ping.payload, acknowledgement: true))
        #expect(final == [.goAway(lastStream: 3, debugData: Self.reason)])
        try peer.push(stream: 5)
        #expect(peer.owner.requests.count == 2)
        for stream: Int32 in [1, 3] { peer.server.respond(HTTPResponse(status: 200), stream: stream) }
        #expect(try peer.output().count { $0.isAccepted } == 2)
        #expect(!peer.server.wantsRead && !peer.server.wantsWrite)
        #expect(peer.server.failure == nil)
    }

    @Test func `an owner that cannot wait sends the final GOAWAY itself`() throws {
        let peer = try RawPeer { _ in nil }
        peer.server.beginShutdown(debugData: Self.reason)
        peer.server.goAway(code: 0, lastStream: nil, debugData: Self.reason)
        let frames = try peer.output()
        #expect(frames.filter { $0.kind == .goAway }.map(\.lastStream) == [.max, 0])
        // The acknowledgement that comes late adds nothing.
        let ping = try #require(frames.first { $0.kind == .ping })
        #expect(try peer.send(.ping(ping.payload, acknowledgement: true)).isEmpty)
    }

    @Test func `terminate ends at once`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        peer.server.terminate(code: HTTP2ErrorCode.enhanceYourCalm.rawValue)
        #expect(try peer.output().map(\.errorCode) == [.enhanceYourCalm])
        #expect(!peer.server.wantsRead && !peer.server.wantsWrite)
        #expect(peer.server.failure == nil)
    }

    @Test func `a peer may say GOAWAY and still get its answers`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        try peer.send(.goAway())
        #expect(peer.server.wantsRead)
        peer.server.respond(HTTPResponse(status: 200), stream: 1)
        #expect(try peer.output().contains { $0.isAccepted })
        // Its owner may end the connection now; what comes until then is answered.
        #expect(peer.server.isPeerLeaving && peer.server.openStreams == 0 && !peer.server.wantsWrite)
        #expect(try peer.send(.ping()) == [.ping(acknowledgement: true)])
        #expect(peer.server.failure == nil)
    }

    @Test func `after a GOAWAY of ours a breach by the peer is still told`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        peer.server.goAway(code: 0, lastStream: nil, debugData: [])
        try peer.output()
        let frames = try peer.send(.windowUpdate(by: 0))
        #expect(frames.contains { $0.errorCode == .protocolError })
        #expect(peer.server.failure != nil)
    }

    @Test func `a breach is told even when the owner says GOAWAY before it was sent`() throws {
        let peer = try RawPeer { _ in nil }
        let breach = Frame.windowUpdate(by: 0).bytes
        try breach.withUnsafeBytes { try peer.server.receive($0) }
        peer.server.goAway(code: 0, lastStream: nil, debugData: Self.reason)
        #expect(try peer.output().contains { $0.errorCode == .protocolError })
        #expect(peer.server.failure?.code == 1)
    }

    @Test(arguments: [nil, Int32(0)])
    func `a PING behind GOAWAY is answered while the connection stays`(lastStream: Int32?) throws {
        let peer = try RawPeer()
        try peer.push(stream: 1)
        peer.server.goAway(code: 0, lastStream: lastStream, debugData: [])
        #expect(try peer.output().contains { $0.kind == .goAway })
        let data: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
        let answer = try peer.send(Frame.ping(data))
        #expect(answer.map(\.kind) == [.ping] && answer.first?.payload == data)
        #expect(try peer.send(Frame.ping(data, acknowledgement: true)).isEmpty)
        peer.server.ignoresPings = true
        #expect(try peer.send(Frame.ping(data)).isEmpty)
    }
}

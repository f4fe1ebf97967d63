import HTTP
import HTTP2
import TestFixtures
import Testing

/// Streams that a peer opens though it knows that the connection ends.
struct LateStreamTests {
    /// A peer with a request under way, which has been sent GOAWAY; and the PING that asks whether it knows.
    private func leaving() throws -> (RawPeer, Frame) {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        #expect(!peer.server.asksWhetherGoAwayIsKnown())
        peer.server.goAway(code: 0, lastStream: nil, debugData: ShutdownTests.reason)
        #expect(!peer.server.asksWhetherGoAwayIsKnown())
        #expect(try peer.output().map(\.kind) == [.goAway])
        #expect(peer.server.asksWhetherGoAwayIsKnown())
        #expect(!peer.server.asksWhetherGoAwayIsKnown())
        let ping = try #require(try peer.output().first)
        #expect(ping.kind == .ping && !ping.flags.contains(.acknowledgement))
        return (peer, ping)
    }

    private func acknowledge(_ ping: Frame, _ peer: RawPeer) throws {
        try peer.send(.ping(ping.payload, acknowledgement: true))
    }

    @Test func `a stream behind the acknowledgement is told, once`() throws {
        let (peer, ping) = try leaving()
        try acknowledge(ping, peer)
        #expect(peer.owner.late.isEmpty)
        for stream: Int32 in [3, 5] { try peer.push(stream: stream) }
        #expect(peer.owner.late.map(\.stream) == [3])
        #expect(peer.owner.late.first?.goAway.lastStream == 1)
        #expect(peer.owner.requests.map(\.stream) == [1])
        #expect(peer.server.failure == nil)
        // The answer that is due still comes.
        peer.server.respond(HTTPResponse(status: 200), stream: 1)
        #expect(try peer.output().contains { $0.isAccepted })
    }

    @Test func `a stream that was under way is none of these, whatever comes of it later`() throws {
        let (peer, ping) = try leaving()
        try peer.send(.headers(SessionPair.fields, stream: 3))
        try acknowledge(ping, peer)
        try peer.send(.data(Array("{}".utf8), stream: 3))
        try peer.send(.headers([("x", "y")], stream: 3, endStream: true))
        #expect(peer.owner.late.isEmpty)
        // Trailers of a stream that is answered are no new stream either.
        let pending = try RawPeer { _ in nil }
        try pending.send(.headers(SessionPair.fields, stream: 1))
        pending.server.goAway(code: 0, lastStream: nil, debugData: [])
        try pending.output()
        #expect(pending.server.asksWhetherGoAwayIsKnown())
        let question = try #require(try pending.output().first)
        try acknowledge(question, pending)
        try pending.send(.headers([("x", "y")], stream: 1, endStream: true))
        #expect(pending.owner.late.isEmpty)
        #expect(pending.owner.requests.map(\.stream) == [1])
    }

    @Test func `without the acknowledgement of our PING nothing is told`() throws {
        let (peer, _) = try leaving()
        for stream: Int32 in [3, 5, 7] { try peer.push(stream: stream) }
        #expect(peer.owner.late.isEmpty)
        // One that we have not asked for proves nothing.
        let early = try RawPeer { _ in nil }
        try early.push(stream: 1)
        try early.send(.ping(acknowledgement: true))
        early.server.goAway(code: 0, lastStream: nil, debugData: [])
        try early.output()
        try early.push(stream: 3)
        #expect(early.owner.late.isEmpty)
    }

    @Test func `GOAWAY that gives up streams is no reason to take their trailers for new ones`() throws {
        let peer = try RawPeer { _ in nil }
        for stream: Int32 in [1, 3] { try peer.send(.headers(SessionPair.fields, stream: stream)) }
        peer.server.goAway(code: 0, lastStream: 1, debugData: [])
        try peer.output()
        #expect(peer.server.asksWhetherGoAwayIsKnown())
        let ping = try #require(try peer.output().first)
        try acknowledge(ping, peer)
        try peer.send(.headers([("x", "y")], stream: 3, endStream: true))
        #expect(peer.owner.late.isEmpty)
        try peer.push(stream: 5)
        #expect(peer.owner.late.map(\.stream) == [5])
    }

    @Test func `nobody is asked when nothing keeps the connection`() throws {
        let peer = try RawPeer()
        try peer.push(stream: 1)
        peer.server.goAway(code: 0, lastStream: nil, debugData: [])
        try peer.output()
        #expect(!peer.server.asksWhetherGoAwayIsKnown())
    }
}

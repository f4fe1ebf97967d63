import HTTP
import HTTP2
import TestFixtures
import Testing

/// RST_STREAM from either side.
@Suite struct ResetTests {
    @Test func `20,000 resets after complete answers cost nothing`() throws {
        let peer = try RawPeer()
        peer.received = []
        for number in 0..<20_000 {
            let stream = Int32(2 * number + 1)
            try peer.push(stream: stream)
            try peer.send(.resetStream(stream, code: .streamClosed))
        }
        #expect(peer.received.count == 20_000)
        #expect(peer.received.allSatisfy { $0.isAccepted })
        #expect(peer.owner.requests.count == 20_000)
        #expect(peer.owner.closed.allSatisfy { $0.code == 0 })
        #expect(peer.server.failure == nil)
        #expect(peer.server.openStreams == 0)
    }

    @Test func `20,000 resets before the answer cost nothing but their streams`() throws {
        let peer = try RawPeer { _ in nil }
        for number in 0..<20_000 {
            let stream = Int32(2 * number + 1)
            try peer.push(stream: stream)
            try peer.send(.resetStream(stream, code: .cancel))
        }
        #expect(peer.owner.closed.count == 20_000)
        #expect(peer.owner.closed.allSatisfy { $0.code == HTTP2ErrorCode.cancel.rawValue })
        #expect(peer.server.failure == nil)
        #expect(peer.server.openStreams == 0)
    }

    @Test func `a peer that goes over the limit of resets is sent away`() throws {
        let peer = try RawPeer(callbacks: .init(resetBurst: 3, resetsPerSecond: 0)) { _ in nil }
        for stream: Int32 in [1, 3, 5] {
            try peer.push(stream: stream)
            #expect(try peer.send(.resetStream(stream, code: .cancel)).isEmpty)
        }
        try peer.push(stream: 7)
        let frames = try peer.send(.resetStream(7, code: .cancel))
        #expect(frames.contains { $0.kind == .goAway })
        #expect(peer.server.failure?.description.isEmpty == false)
    }

    @Test func `an answer to a stream that was reset is ignored`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        try peer.send(.resetStream(1, code: .cancel))
        peer.server.respond(HTTPResponse(status: 400, body: .constant("{}")), stream: 1)
        peer.server.reset(stream: 1, code: 0)
        peer.server.respond(HTTPResponse(status: 200), stream: 99)
        peer.server.respond(HTTPResponse(status: 200), stream: 0)
        peer.server.respond(HTTPResponse(status: 200), stream: -1)
        #expect(try peer.output().isEmpty)
        #expect(peer.server.failure == nil)
    }

    @Test func `the second answer to a stream is ignored`() throws {
        let peer = try RawPeer { _ in nil }
        try peer.push(stream: 1)
        peer.server.respond(HTTPResponse(status: 200), stream: 1)
        peer.server.respond(HTTPResponse(status: 400, body: .constant("{}")), stream: 1)
        let frames = try peer.output()
        #expect(frames.count == 1 && frames[0].isAccepted)
    }

    @Test func `a request that was half sent and then cancelled leaves nothing behind`() throws {
        let peer = try RawPeer()
        try peer.send(.headers(SessionPair.fields, stream: 1), .data(Array("{".utf8), stream: 1))
        #expect(peer.server.openStreams == 1)
        try peer.send(.resetStream(1, code: .cancel))
        #expect(peer.server.openStreams == 0)
        #expect(peer.owner.requests.isEmpty && peer.owner.rejections.isEmpty)
        #expect(peer.owner.closed.map(\.code) == [HTTP2ErrorCode.cancel.rawValue])
    }

    @Test func `DATA and trailers after a reset are ignored`() throws {
        let peer = try RawPeer()
        try peer.send(.headers(SessionPair.fields, stream: 1))
        peer.server.reset(stream: 1, code: HTTP2ErrorCode.internalError.rawValue)
        #expect(try peer.output() == [.resetStream(1, code: .internalError)])
        try peer.send(
            .data([1, 2], stream: 1), .data([], stream: 1, endStream: true),
            .headers([("x", "y")], stream: 1, endStream: true))
        #expect(try peer.push(stream: 3).contains { $0.isAccepted })
        #expect(peer.owner.requests.map(\.stream) == [3])
        #expect(peer.server.failure == nil)
    }

    @Test func `an answer before the end of the request is sent, and the rest of the body does no harm`() throws {
        let peer = try RawPeer()
        try peer.send(.headers(SessionPair.fields, stream: 1), .data([1], stream: 1))
        peer.server.respond(HTTPResponse(status: 413, body: .constant(#"{"reason":"PayloadTooLarge"}"#)), stream: 1)
        #expect(try peer.output().map(\.kind) == [.headers, .data])
        try peer.send(.data([2], stream: 1), .resetStream(1, code: .cancel))
        #expect(peer.server.openStreams == 0)
        #expect(try peer.push(stream: 3).contains { $0.isAccepted })
    }
}

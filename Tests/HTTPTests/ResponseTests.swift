import HTTP
import HTTP2
import TestFixtures
import Testing

/// Answers, bit by bit.
@Suite struct ResponseTests {
    static func answer(_ response: HTTPResponse) throws -> [Frame] {
        try RawPeer { _ in response }.push(stream: 1)
    }

    @Test func `200 is one HEADERS frame`() throws {
        let id = try #require(UUIDText("00000000-0000-0000-0000-000000000000".utf8))
        let frames = try Self.answer(HTTPResponse(status: 200, fields: [.init(.apnsID, .id(id))]))
        let frame = try #require(frames.first)
        #expect(frames.count == 1)
        #expect(frame.kind == .headers && frame.flags == [.endStream, .endHeaders] && frame.stream == 1)
        // `:status: 200` from the static table, then a literal with a new name, which later answers refer to.
        #expect(Array(frame.payload.prefix(2)) == [0x88, 0x40])
    }

    @Test func `an error is HEADERS and one DATA frame that ends the stream`() throws {
        let json = #"{"reason":"BadDeviceToken"}"#
        for body in [HTTPResponse.Body.constant(#"{"reason":"BadDeviceToken"}"#), .bytes(Array(json.utf8))] {
            let frames = try Self.answer(HTTPResponse(status: 400, body: body))
            #expect(frames.count == 2)
            #expect(frames[0].kind == .headers && frames[0].flags == .endHeaders)
            #expect(frames[0].payload == [0x8C])  // `:status: 400` from the static table.
            #expect(frames[1] == .data(Array(json.utf8), stream: 1, endStream: true))
        }
    }

    @Test(arguments: [HTTPResponse.Body.constant(""), .bytes([]), .none])
    func `an empty body is no body`(body: HTTPResponse.Body) throws {
        let frames = try Self.answer(HTTPResponse(status: 204, body: body))
        #expect(frames.map(\.kind) == [.headers])
        #expect(frames[0].flags == [.endStream, .endHeaders])
    }

    @Test(arguments: [100, 200, 201, 204, 400, 403, 404, 405, 410, 413, 429, 431, 500, 503, 599, 999] as [UInt16])
    func `a status arrives as it was given`(status: UInt16) throws {
        guard status >= 200 else { return }
        let pair = try SessionPair { _ in HTTPResponse(status: status) }
        #expect(try pair.push().status == Int(status))
    }

    @Test func `fields arrive as given, in order, and nothing is added`() throws {
        var random = FastRandom(seed: 1)
        let ids = (0..<3).map { _ in UUIDText.random(using: &random) }
        let pair = try SessionPair { _ in
            HTTPResponse(
                status: 410,
                fields: [
                    .init(.apnsID, .id(ids[0])), .init(.apnsUniqueID, .id(ids[1])), .init(.apnsRequestID, .id(ids[2])),
                    .init(.contentType, .bytes(Array("application/json".utf8))), .init(.apnsChannelID, .bytes([])),
                ], body: .constant("{}"))
        }
        for _ in 0..<3 {
            let response = try pair.push()
            #expect(
                response.fields.map { "\($0.name): \($0.value)" } == [
                    "apns-id: \(ids[0])", "apns-unique-id: \(ids[1])", "apns-request-id: \(ids[2])",
                    "content-type: application/json", "apns-channel-id: ",
                ])
        }
    }

    @Test func `answers that differ only in their ids do not grow`() throws {
        var random = FastRandom(seed: 1)
        let peer = try RawPeer { _ in
            HTTPResponse(status: 200, fields: [.init(.apnsID, .id(UUIDText.random(using: &random)))])
        }
        for number in 0..<100 { try peer.push(stream: Int32(2 * number + 1)) }
        let answers = peer.received.filter { $0.kind == .headers }
        #expect(answers.count == 100)
        // The first id went into the dynamic table (0x40), for its name; the others refer to that one and stay out.
        #expect(answers.first?.payload.prefix(2) == [0x88, 0x40])
        #expect(answers.dropFirst().allSatisfy { $0.payload.prefix(3) == [0x88, 0x1F, 0x2F] })
    }

    @Test func `answers may come later and in any order`() throws {
        let peer = try RawPeer { _ in nil }
        for stream: Int32 in [1, 3, 5] { #expect(try peer.push(stream: stream).isEmpty) }
        for stream: Int32 in [5, 1, 3] { peer.server.respond(HTTPResponse(status: 200), stream: stream) }
        #expect(try peer.output().map(\.stream) == [5, 1, 3])
    }

    @Test func `a window of one byte gets the body byte by byte, whole`() throws {
        let json = #"{"reason":"BadDeviceToken"}"#
        let pair = try SessionPair(settings: [.initialWindowSize(1)]) { _ in
            HTTPResponse(status: 400, body: .constant(#"{"reason":"BadDeviceToken"}"#))
        }
        let response = try pair.push()
        #expect(String(decoding: response.body, as: UTF8.self) == json)
        #expect(response.dataFrames >= json.utf8.count)
    }

    @Test func `a window of nothing holds the body back until it is opened`() throws {
        let peer = try RawPeer(opening: Frame.preface + Frame.settings([.initialWindowSize(0)]).bytes) { _ in
            HTTPResponse(status: 400, body: .constant("{}"))
        }
        #expect(try peer.push(stream: 1).map(\.kind) == [.headers])
        #expect(try peer.send(.windowUpdate(stream: 1, by: 1)) == [.data([UInt8(ascii: "{")], stream: 1)])
        #expect(
            try peer.send(.windowUpdate(stream: 1, by: 9)) == [.data([UInt8(ascii: "}")], stream: 1, endStream: true)])
        #expect(peer.server.openStreams == 0)
    }

    @Test func `a large body is cut by the peer's frame size and comes whole`() throws {
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let pair = try SessionPair { _ in HTTPResponse(status: 200, body: .bytes(body)) }
        let response = try pair.push()
        #expect(response.body == body)
        #expect(response.dataFrames == 7)
    }

    @Test func `output stops at the limit and goes on after it`() throws {
        let peer = try RawPeer { _ in nil }
        for number in 0..<50 { try peer.push(stream: Int32(2 * number + 1)) }
        for (stream, _) in peer.owner.requests { peer.server.respond(HTTPResponse(status: 200), stream: stream) }
        var all: [UInt8] = []
        var rounds = 0
        while peer.server.wantsWrite {
            var buffer: [UInt8] = []
            try peer.server.fill(&buffer, limit: 64)
            #expect(buffer.count >= 64 || !peer.server.wantsWrite)
            #expect(buffer.count < 128)
            all += buffer
            rounds += 1
        }
        #expect(rounds > 5)
        #expect(Frame.all(in: all).count { $0.isAccepted } == 50)
    }
}

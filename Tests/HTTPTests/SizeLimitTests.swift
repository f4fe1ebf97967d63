import HTTP
import HTTP2
import TestFixtures
import Testing

/// Limits on what a request may have, each at its edge.
@Suite struct SizeLimitTests {
    /// Fields whose list has so many bytes by the count of RFC 9113, section 6.5.2.
    static func fields(listSize: Int) -> [(String, String)] {
        let fields = SessionPair.fields + [("x", "")]
        let size = fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 }
        return SessionPair.fields + [("x", String(repeating: "v", count: listSize - size))]
    }

    @Test func `a header list of 16 KiB passes, twice what is announced`() throws {
        let peer = try RawPeer()
        let answer = try peer.send(.headers(Self.fields(listSize: 16 << 10), stream: 1, endStream: true))
        #expect(answer.contains { $0.isAccepted })
        #expect(peer.owner.requests.first?.request.fields.count == 5)
    }

    @Test func `one byte more costs the stream and is explained`() throws {
        let peer = try RawPeer()
        let answer = try peer.send(.headers(Self.fields(listSize: 16 << 10 + 1), stream: 1, endStream: true))
        #expect(answer == [.resetStream(1, code: .enhanceYourCalm)])
        let rejection = try #require(peer.owner.rejections.first?.rejection)
        #expect(peer.owner.rejections.count == 1)
        #expect(rejection.cause == .headersTooLarge)
        #expect(rejection.explanation.contains("16384") && rejection.explanation.contains("8000"))
        #expect(try peer.push(stream: 3).contains { $0.isAccepted })
        #expect(peer.server.openStreams == 0)
    }

    @Test func `many small fields are counted with their overhead`() throws {
        let peer = try RawPeer()
        let many = Array(repeating: ("a", "b"), count: 500)
        let answer = try peer.send(.headers(SessionPair.fields + many, stream: 1, endStream: true))
        #expect(answer == [.resetStream(1, code: .enhanceYourCalm)])
    }

    @Test func `more CONTINUATION frames than any sender needs end the connection`() throws {
        let peer = try RawPeer()
        let error = #expect(throws: HTTP2Error.self) {
            try peer.send(.headers([], stream: 1, endHeaders: false))
            for _ in 0..<1000 { try peer.send(.continuation([], stream: 1, endHeaders: false)) }
        }
        #expect(error?.description.contains("CONTINUATION") == true)
    }

    @Test(arguments: [-1, 0, 1, 5000])
    func `a body is kept up to the limit and counted beyond`(excess: Int) throws {
        var configuration = HTTP2Session.Configuration()
        configuration.maxBodyBytes = 20_000
        let peer = try RawPeer(configuration: configuration)
        let body = (0..<20_000 + excess).map { UInt8(truncatingIfNeeded: $0) }
        try peer.send(.headers(SessionPair.fields, stream: 1))
        for start in stride(from: 0, to: body.count, by: 7000) {
            try peer.send(.data(Array(body[start..<min(start + 7000, body.count)]), stream: 1))
        }
        let answer = try peer.send(.data([], stream: 1, endStream: true))
        #expect(answer.contains { $0.isAccepted })
        let request = try #require(peer.owner.requests.first?.request)
        #expect(Array(request.storage[request.bodyRange]) == Array(body.prefix(20_000)))
        #expect(request.bodyBytesReceived == body.count)
        #expect(request.droppedBodyBytes == max(excess, 0))
    }

    @Test func `64 KiB are kept unless told otherwise`() throws {
        #expect(HTTP2Session.Configuration().maxBodyBytes == 65536)
    }

    @Test func `4,000 payloads in flight do not fill the connection's window`() throws {
        var configuration = HTTP2Session.Configuration()
        configuration.maxConcurrentStreams = 4000
        // The client's library obeys the windows it was told; nothing is read back before all has been sent.
        let pair = try SessionPair(configuration: configuration) { _ in nil }
        try pair.run()
        let body = Array(repeating: UInt8(ascii: " "), count: 4096)
        for _ in 0..<4000 { _ = try pair.client.submit(SessionPair.fields, body: body) }
        var output: [UInt8] = []
        try pair.client.fill(&output)
        try output.withUnsafeBytes { try pair.server.receive($0) }
        #expect(pair.owner.requests.count == 4000)
    }
}

import HTTP
import HTTP2
import TestFixtures
import Testing

/// MAX_CONCURRENT_STREAMS: a stream above it is refused and the connection goes on.
@Suite struct StreamLimitTests {
    static func configuration(_ limit: UInt32) -> HTTP2Session.Configuration {
        var configuration = HTTP2Session.Configuration()
        configuration.maxConcurrentStreams = limit
        return configuration
    }

    @Test(arguments: [false, true])
    func `a stream above the limit is refused, before and after the SETTINGS acknowledgement`(
        acknowledged: Bool
    ) throws {
        let peer = try RawPeer(configuration: Self.configuration(2)) { _ in nil }
        if acknowledged { try peer.send(.settingsAcknowledgement) }
        for stream: Int32 in [1, 3] { try peer.push(stream: stream) }
        for stream: Int32 in [5, 7, 9] {
            let answer = try peer.push(stream: stream)
            #expect(answer == [.resetStream(stream, code: .refusedStream)])
        }
        #expect(peer.owner.requests.map(\.stream) == [1, 3])
        #expect(peer.owner.rejections.map(\.stream) == [5, 7, 9])
        #expect(peer.owner.rejections.allSatisfy { $0.rejection.cause == .refused })
        #expect(peer.owner.rejections.first?.rejection.explanation.contains("MAX_CONCURRENT_STREAMS is 2") == true)

        // A place becomes free, and the next stream has it.
        peer.server.respond(HTTPResponse(status: 200), stream: 1)
        #expect(try peer.output().first?.isAccepted == true)
        try peer.push(stream: 11)
        #expect(peer.owner.requests.map(\.stream) == [1, 3, 11])
        #expect(peer.server.failure == nil)
        #expect(peer.server.wantsRead)
    }

    @Test func `header fields of a refused stream still enter the HPACK table`() throws {
        let peer = try RawPeer(configuration: Self.configuration(1)) { _ in nil }
        try peer.push(stream: 1)
        // Literal with incremental indexing: "apns-topic: com.example.app".
        let topic = [0x40, 10] + Array("apns-topic".utf8) + [15] + Array("com.example.app".utf8)
        let usual = Frame.headerBlock(SessionPair.fields)
        try peer.send(Frame(.headers, flags: [.endHeaders, .endStream], stream: 3, payload: usual + topic))
        peer.server.respond(HTTPResponse(status: 200), stream: 1)
        try peer.output()
        // Index 62 is the newest entry of the dynamic table.
        try peer.send(Frame(.headers, flags: [.endHeaders, .endStream], stream: 5, payload: usual + [0x80 | 62]))
        #expect(peer.owner.requests.last?.request.text(.apnsTopic) == "com.example.app")
    }

    @Test func `a new limit is announced before the next answer and holds`() throws {
        let peer = try RawPeer(configuration: Self.configuration(1)) { _ in nil }
        try peer.send(.settingsAcknowledgement)
        try peer.push(stream: 1)
        #expect(try peer.push(stream: 3).contains { $0.errorCode == .refusedStream })

        peer.server.announce(maxConcurrentStreams: 3)
        peer.server.respond(HTTPResponse(status: 200), stream: 1)
        let frames = try peer.output()
        #expect(frames.map(\.kind) == [.settings, .headers])
        #expect(frames.first?.settings == [.maxConcurrentStreams(3)])
        for stream: Int32 in [5, 7, 9] { #expect(try peer.push(stream: stream).isEmpty) }
        #expect(try peer.push(stream: 11).contains { $0.errorCode == .refusedStream })

        peer.server.announce(maxConcurrentStreams: 1)
        #expect(try peer.output().first?.settings == [.maxConcurrentStreams(1)])
        try peer.send(.settingsAcknowledgement, .settingsAcknowledgement)
        peer.server.respond(HTTPResponse(status: 200), stream: 5)
        try peer.output()
        #expect(try peer.push(stream: 13).contains { $0.errorCode == .refusedStream })
        #expect(peer.server.failure == nil)
    }

    @Test func `the same limit is not announced again`() throws {
        let peer = try RawPeer()
        peer.server.announce(maxConcurrentStreams: 1000)
        #expect(try peer.output().isEmpty)
    }

    @Test func `a thousand streams may be open at once`() throws {
        let peer = try RawPeer { _ in nil }
        for number in 0..<1000 { try peer.push(stream: Int32(2 * number + 1)) }
        #expect(peer.server.openStreams == 1000)
        #expect(try peer.push(stream: 2001).contains { $0.errorCode == .refusedStream })
        for (stream, _) in peer.owner.requests { peer.server.respond(HTTPResponse(status: 200), stream: stream) }
        #expect(try peer.output().count { $0.isAccepted } == 1000)
        #expect(peer.server.openStreams == 0)
    }
}

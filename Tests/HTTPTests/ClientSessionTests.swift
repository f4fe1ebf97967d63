import HTTP
import HTTP2
import TestFixtures
import Testing

/// The client session tells all that a server does.
@Suite struct ClientSessionTests {
    @Test func `several requests at once get their own answers`() throws {
        let pair = try SessionPair { request in
            HTTPResponse(
                status: request.bodyBytesReceived == 1 ? 200 : 400,
                body: .bytes(Array(request.storage[request.bodyRange])))
        }
        let streams = try (1...20).map {
            try pair.client.submit(SessionPair.fields, body: Array(repeating: 65, count: $0))
        }
        try pair.run()
        let odd: [Int32] = Array(stride(from: 1, to: 41, by: 2))
        #expect(streams == odd)
        for (position, stream) in streams.enumerated() {
            #expect(pair.responses[stream]?.body.count == position + 1)
            #expect(pair.responses[stream]?.status == (position == 0 ? 200 : 400))
        }
    }

    @Test func `resets, GOAWAY, PING and SETTINGS are told`() throws {
        let pair = try SessionPair { _ in nil }
        let stream = try pair.client.submit(SessionPair.fields, body: [1])
        pair.client.ping()
        try pair.run()
        pair.server.reset(stream: stream, code: HTTP2ErrorCode.internalError.rawValue)
        pair.server.announce(maxConcurrentStreams: 7)
        pair.server.goAway(code: 0, lastStream: nil, debugData: [1, 2, 3])
        try pair.run()
        var told: [String] = []
        for event in pair.events {
            switch event {
            case .settings(let limit): told.append("settings \(limit.map { "\($0)" } ?? "-")")
            case .settingsAcknowledged: told.append("settings acknowledged")
            case .pingAcknowledged: told.append("ping")
            case .reset(let stream, let code): told.append("reset \(stream) \(code)")
            case .goAway(let last, let code, let debugData): told.append("goaway \(last) \(code) \(debugData)")
            case .response: told.append("response")
            }
        }
        #expect(
            told.sorted() == [
                "goaway 1 0 [1, 2, 3]", "ping", "reset 1 2", "settings 1000", "settings 7", "settings acknowledged",
            ])
    }

    @Test func `a client may begin with another stream and reset its own`() throws {
        let pair = try SessionPair(firstStream: 13) { _ in nil }
        let stream = try pair.client.submit(SessionPair.fields, body: [1])
        #expect(stream == 13)
        try pair.run()
        pair.client.reset(stream: stream, code: HTTP2ErrorCode.cancel.rawValue)
        try pair.run()
        #expect(pair.owner.closed.map(\.code) == [HTTP2ErrorCode.cancel.rawValue])
    }

    @Test func `frames can be injected`() throws {
        let pair = try SessionPair()
        try pair.run()
        pair.client.inject(Frame.priority(stream: 99).bytes + Frame(type: 0xAA).bytes)
        #expect(pair.client.wantsWrite)
        #expect(try pair.push().status == 200)
    }

    @Test func `an answer that was cut off can be looked at`() throws {
        let pair = try SessionPair(settings: [.initialWindowSize(0)]) { _ in
            HTTPResponse(status: 400, body: .constant("{}"))
        }
        let stream = try pair.client.submit(SessionPair.fields, body: [1])
        _ = try pair.step()
        _ = try pair.step()
        let unfinished = try #require(pair.client.unfinishedResponse(stream: stream))
        #expect(unfinished.status == 400)
        #expect(!unfinished.endedOnHeaders)
    }

    @Test func `a client obeys the server's limit and goes on when a place is free`() throws {
        var configuration = HTTP2Session.Configuration()
        configuration.maxConcurrentStreams = 1
        let pair = try SessionPair(configuration: configuration)
        try pair.run()
        for _ in 0..<10 { _ = try pair.client.submit(SessionPair.fields, body: [1]) }
        try pair.run()
        #expect(pair.responses.count == 10)
        #expect(pair.owner.rejections.isEmpty)
    }
}

import HTTP
import HTTP2
import Simulation
import TestSupport
import Testing

/// What senders in wide use do (docs/senders.md): each habit, sent raw to a live server without options, is answered 200.
struct HabitTests {
    private static let payload = Array(#"{"aps":{"alert":"hi"}}"#.utf8)

    @Test(arguments: TokenForm.all)
    func `a provider token in this form`(_ form: TokenForm) throws {
        try TestServer.run { server in
            let fields = server.fields(["authorization": try form.authorization(server)])
            #expect(try server.client().request(fields, body: Self.payload).status == 200)
        }
    }

    // MARK: TLS

    /// What a client offers in its handshake.
    struct Hello: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var alpn = ["h2"]
        var serverName: String? = "localhost"
    }

    @Test(arguments: [
        Hello(testDescription: "no ALPN", alpn: []),
        Hello(testDescription: "http/1.1 before h2", alpn: ["http/1.1", "h2"]),
        Hello(testDescription: "old names beside h2", alpn: ["h2-16", "h2-14", "h2", "http/1.1"]),
        Hello(testDescription: "no server name", serverName: nil),
        Hello(testDescription: "Apple's name", serverName: "api.push.apple.com"),
    ])
    func `a handshake in this form`(_ hello: Hello) throws {
        try TestServer.run { server in
            let client = try server.client(
                .with {
                    $0.alpn = hello.alpn
                    $0.serverName = hello.serverName
                })
            #expect(try client.request(server.fields(), body: Self.payload).status == 200)
        }
    }

    // MARK: Requests

    /// One way to write a push: frames after the preface and empty SETTINGS.
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var stream: Int32 = 1
        var before: [Frame] = []
        var changes: [String: String?] = [:]
        var isReversed = false
        var padding: UInt8?
        var hasPriority = false
        var payload = HabitTests.payload
        /// How many bytes of the payload a DATA frame has.
        var pieces = Int.max
        var endsWithEmptyData = false

        func frames(_ server: TestServer) -> [Frame] {
            var fields = server.fields(changes)
            if isReversed {
                let names = fields.filter { $0.0.hasPrefix(":") }
                fields = names.reversed() + fields.filter { !$0.0.hasPrefix(":") }
            }
            var frames = before
            frames.append(.headers(fields, stream: stream, padding: padding, priority: hasPriority))
            var rest = payload[...]
            while !rest.isEmpty {
                let piece = rest.prefix(pieces)
                rest = rest.dropFirst(piece.count)
                let isLast = rest.isEmpty && !endsWithEmptyData
                frames.append(.data(Array(piece), stream: stream, endStream: isLast, padding: padding))
            }
            if endsWithEmptyData { frames.append(.data([], stream: stream, endStream: true)) }
            return frames
        }
    }

    static let forms = [
        Form(testDescription: "host and no :authority", changes: [":authority": String?.none, "host": "localhost"]),
        Form(testDescription: ":authority with a port", changes: [":authority": "127.0.0.1:2197"]),
        Form(testDescription: ":authority of Apple", changes: [":authority": "api.push.apple.com"]),
        Form(testDescription: "pseudo-header fields in another order", isReversed: true),
        Form(testDescription: "a form's content-type", changes: ["content-type": "application/x-www-form-urlencoded"]),
        Form(testDescription: "JSON with charset", changes: ["content-type": "application/json; charset=utf-8"]),
        Form(testDescription: "accept-encoding", changes: ["accept-encoding": "gzip"]),
        Form(testDescription: "content-length", changes: ["content-length": String(payload.count)]),
        Form(testDescription: "no apns-push-type", changes: ["apns-push-type": String?.none]),
        Form(
            testDescription: "apns-id in lower case", changes: ["apns-id": "123e4567-e89b-12d3-a456-4266554400a0"]),
        Form(
            testDescription: "null and zero members",
            payload: Array(#"{"aps":{"alert":"hi","badge":null,"mutable-content":0}}"#.utf8)),
        Form(testDescription: "an empty DATA frame at the end", endsWithEmptyData: true),
        Form(
            testDescription: "DATA in 1,024 bytes",
            payload: Array(#"{"aps":{"alert":"\#(String(repeating: "a", count: 3000))"}}"#.utf8), pieces: 1024),
        Form(
            testDescription: "PRIORITY frames and flag", stream: 13,
            before: [.priority(stream: 3), .priority(stream: 5)],
            hasPriority: true),
        Form(testDescription: "padding", padding: 200),
        Form(testDescription: "first stream 3", stream: 3),
        Form(testDescription: "SETTINGS twice", before: [.settings([.enablePush(0)])]),
        Form(testDescription: "MAX_CONCURRENT_STREAMS 0", before: [.settings([.maxConcurrentStreams(0)])]),
        Form(testDescription: "INITIAL_WINDOW_SIZE 2^31-1", before: [.settings([.initialWindowSize(1 << 31 - 1)])]),
        Form(testDescription: "MAX_FRAME_SIZE 2^24-1", before: [.settings([.maxFrameSize(1 << 24 - 1)])]),
        Form(testDescription: "PING first", before: [.ping()]),
    ]

    @Test(arguments: forms)
    func `a push in this form`(_ form: Form) throws {
        try TestServer.run { server in
            let peer = try server.framePeer()
            try peer.connection.write(form.frames(server).bytes)
            let answer = try peer.next(.headers)
            #expect(answer.stream == form.stream && answer.flags.contains(.endStream))
            #expect(server.entries.map(\.content.outcome) == [.accepted])
        }
    }

    // MARK: After the answer

    @Test func `RST_STREAM after an answer ends nothing`() throws {
        try TestServer.run { server in
            let peer = try server.framePeer()
            for stream in stride(from: Int32(1), to: 40, by: 2) {
                try peer.connection.write(Form(testDescription: "", stream: stream).frames(server).bytes)
                #expect(try peer.next(.headers).stream == stream)
                try peer.send(.resetStream(stream, code: .streamClosed))
            }
            #expect(server.entries.count == 20)
        }
    }

    @Test func `CANCEL after a refusal ends nothing`() throws {
        try TestServer.run { server in
            let peer = try server.framePeer()
            let large = Array(#"{"aps":{"alert":"\#(String(repeating: "a", count: 5000))"}}"#.utf8)
            try peer.connection.write(Form(testDescription: "", payload: large).frames(server).bytes)
            #expect(try peer.next(.headers).stream == 1)
            try peer.send(.resetStream(1, code: .cancel))
            try peer.connection.write(Form(testDescription: "", stream: 3).frames(server).bytes)
            while try peer.next(.headers).stream != 3 {}
            #expect(server.entries.map(\.content.outcome) == [.rejected, .accepted])
        }
    }
}

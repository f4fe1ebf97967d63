import HTTP
import HTTP2
import TestFixtures
import Testing

/// What real senders do differently from each other; all of it has to pass.
@Suite struct RequestFormTests {
    /// One way to write a push: the frames after preface and SETTINGS.
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var frames: [Frame]
        var stream: Int32 = 1
        var body = "{}"
    }

    static let body = Array("{}".utf8)
    static let usual = SessionPair.fields

    static let forms: [Form] = [
        Form(testDescription: "HEADERS and one DATA", frames: [.headers(usual, stream: 1), end(1)]),
        Form(testDescription: "first stream 3", frames: [.headers(usual, stream: 3), end(3)], stream: 3),
        Form(testDescription: "first stream 13", frames: [.headers(usual, stream: 13), end(13)], stream: 13),
        Form(
            testDescription: "an empty DATA frame ends the stream",
            frames: [.headers(usual, stream: 1), .data(body, stream: 1), .data([], stream: 1, endStream: true)]),
        Form(
            testDescription: "DATA byte by byte",
            frames: [.headers(usual, stream: 1)] + body.map { .data([$0], stream: 1) }
                + [.data([], stream: 1, endStream: true)]),
        Form(
            testDescription: "no body at all", frames: [.headers(usual, stream: 1, endStream: true)], body: ""),
        Form(
            testDescription: "padding on both",
            frames: [
                .headers(usual, stream: 1, padding: 255), .data(body, stream: 1, endStream: true, padding: 200),
            ]),
        Form(
            testDescription: "nothing but padding",
            frames: [
                .headers(usual, stream: 1, padding: 0), .data([], stream: 1, padding: 9),
                .data(body, stream: 1, endStream: true, padding: 0),
            ]),
        Form(
            testDescription: "PRIORITY flag and frames",
            frames: [
                .priority(stream: 3), .priority(stream: 5), .headers(usual, stream: 13, priority: true),
                .priority(stream: 13), end(13),
            ], stream: 13),
        Form(testDescription: "CONTINUATION", frames: continued(pieces: 3) + [end(1)]),
        Form(testDescription: "CONTINUATION in 32 pieces", frames: continued(pieces: 33) + [end(1)]),
        Form(
            testDescription: "host and no :authority",
            frames: [.headers(without(":authority") + [("host", "127.0.0.1")], stream: 1), end(1)]),
        Form(
            testDescription: "host and :authority",
            frames: [.headers(usual + [("host", "api.push.apple.com")], stream: 1), end(1)]),
        Form(
            testDescription: "pseudo-header fields in another order",
            frames: [.headers(usual.reversed(), stream: 1), end(1)]),
        Form(testDescription: "te: trailers", frames: [.headers(usual + [("te", "trailers")], stream: 1), end(1)]),
        Form(
            testDescription: "trailers",
            frames: [
                .headers(usual, stream: 1), .data(body, stream: 1),
                .headers([("x-checksum", "1")], stream: 1, endStream: true),
            ]),
        Form(
            testDescription: "content-length", frames: [.headers(usual + [("content-length", "2")], stream: 1), end(1)]),
        Form(
            testDescription: "a value with blanks around it",
            frames: [.headers(usual + [("apns-topic", " com.example.app ")], stream: 1), end(1)]),
        Form(
            testDescription: "an empty value", frames: [.headers(usual + [("apns-topic", "")], stream: 1), end(1)]),
        Form(
            testDescription: "frames of unknown type between",
            frames: [
                Frame(type: 0xEE, stream: 0, payload: [1, 2, 3]), .headers(usual, stream: 1),
                Frame(type: 0xEF, stream: 1, payload: []), end(1),
            ]),
        Form(
            testDescription: "PING between HEADERS and DATA",
            frames: [.headers(usual, stream: 1), .ping(), end(1)]),
    ]

    static func end(_ stream: Int32) -> Frame { .data(body, stream: stream, endStream: true) }

    static func without(_ name: String) -> [(String, String)] { usual.filter { $0.0 != name } }

    /// HEADERS cut into pieces, the first of which is the HEADERS frame.
    static func continued(pieces: Int) -> [Frame] {
        let block = Frame.headerBlock(usual)
        let size = (block.count + pieces - 1) / pieces
        let cuts = (0..<pieces).map { Array(block.dropFirst($0 * size).prefix(size)) }
        let first = Frame(.headers, stream: 1, payload: cuts[0])
        return [first] + (1..<pieces).map { .continuation(cuts[$0], stream: 1, endHeaders: $0 == pieces - 1) }
    }

    @Test(arguments: forms)
    func `a push in this form is answered`(form: Form) throws {
        let peer = try RawPeer()
        let answer = try peer.send(bytes: form.frames.bytes)
        let accepted = try #require(answer.first { $0.kind == .headers })
        #expect(accepted.isAccepted)
        #expect(accepted.stream == form.stream)
        #expect(peer.owner.requests.map { $0.request.text(in: $0.request.bodyRange) } == [form.body])
        #expect(peer.owner.requests.first?.request.text(.path) == "/3/device/abcd")
        #expect(peer.owner.rejections.isEmpty)
        #expect(peer.server.openStreams == 0)
        #expect(peer.server.failure == nil)
    }

    @Test(arguments: forms)
    func `and so it is when it comes byte by byte`(form: Form) throws {
        let peer = try RawPeer(opening: [])
        for byte in Frame.preface + Frame.settings().bytes + form.frames.bytes { try peer.send(bytes: [byte]) }
        #expect(peer.received.contains { $0.isAccepted && $0.stream == form.stream })
        #expect(peer.owner.requests.map { $0.request.text(in: $0.request.bodyRange) } == [form.body])
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "PATCH", "HEAD", "POSTMAN", "CONNECT"])
    func `any method reaches the rules`(method: String) throws {
        let peer = try RawPeer()
        let fields =
            method == "CONNECT"
            ? [(":method", method), (":authority", "127.0.0.1")] : [(":method", method)] + Self.without(":method")
        try peer.send(.headers(fields, stream: 1, endStream: true))
        #expect(peer.owner.requests.map { $0.request.text(.method) } == [method])
    }

    @Test func `requests may come before SETTINGS are acknowledged and in one flight with the preface`() throws {
        let opening: [Frame] = [.settings(), .headers(Self.usual, stream: 1), Self.end(1)]
        let peer = try RawPeer(opening: Frame.preface + opening.bytes)
        #expect(peer.received.contains { $0.isAccepted })
        #expect(peer.received.first?.kind == .settings)
    }

    @Test func `repeated fields are kept in order`() throws {
        let peer = try RawPeer()
        let twice = [("apns-topic", "one"), ("apns-topic", "two")]
        try peer.send(.headers(Self.usual + twice, stream: 1, endStream: true))
        let request = try #require(peer.owner.requests.first?.request)
        let topics = request.fields.filter { $0.name == .apnsTopic }
        #expect(topics.map { request.text(in: $0.valueRange) } == ["one", "two"])
    }
}

import HTTP
import HTTP2
import TestFixtures
import Testing

/// Peers that break the rules: what it costs them, and what the owner is told.
@Suite struct BrokenPeerTests {
    static let usual = SessionPair.fields

    struct BadStream: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var frames: [Frame]
        var cause: StreamRejection.Cause
        var code = HTTP2ErrorCode.protocolError
        /// Words that the explanation has to have.
        var words: String
    }

    static func without(_ name: String) -> [(String, String)] { usual.filter { $0.0 != name } }

    static func headers(_ fields: [(String, String)]) -> [Frame] { [.headers(fields, stream: 1, endStream: true)] }

    static let badStreams = [
        BadStream(
            testDescription: "an upper-case name", frames: headers(usual + [("Apns-Topic", "a")]), cause: .headers,
            words: "Apns-Topic"),
        BadStream(
            testDescription: "a line break in a value", frames: headers(usual + [("authorization", "bearer a\n")]),
            cause: .headers, words: "authorization"),
        BadStream(
            testDescription: "a blank in a name", frames: headers(usual + [("apns topic", "a")]), cause: .headers,
            words: "apns topic"),
        BadStream(
            testDescription: "connection", frames: headers(usual + [("connection", "close")]), cause: .headers,
            words: "connection"),
        BadStream(
            testDescription: "transfer-encoding", frames: headers(usual + [("transfer-encoding", "chunked")]),
            cause: .headers, words: "transfer-encoding"),
        BadStream(
            testDescription: "te: gzip", frames: headers(usual + [("te", "gzip")]), cause: .headers, words: "te"),
        BadStream(
            testDescription: "two :path", frames: headers([(":path", "/")] + usual), cause: .headers, words: ":path"),
        BadStream(
            testDescription: "an unknown pseudo-header field", frames: headers([(":color", "red")] + usual),
            cause: .headers, words: ":color"),
        BadStream(
            testDescription: "a pseudo-header field after another field",
            frames: headers([("apns-topic", "a")] + usual), cause: .headers, words: ":method"),
        BadStream(
            testDescription: "a content-length that is no number", frames: headers(usual + [("content-length", "two")]),
            cause: .headers, words: "content-length"),
        BadStream(
            testDescription: "no :path", frames: headers(without(":path")), cause: .message, words: "no :path"),
        BadStream(
            testDescription: "no :method and no :scheme",
            frames: headers(without(":method").filter { $0.0 != ":scheme" }), cause: .message,
            words: "no :method, :scheme"),
        BadStream(
            testDescription: "neither :authority nor host", frames: headers(without(":authority")), cause: .message,
            words: "neither :authority nor host"),
        BadStream(
            testDescription: "no fields at all", frames: headers([]), cause: .message, words: "no :method"),
        BadStream(
            testDescription: "a body longer than content-length",
            frames: [
                .headers(usual + [("content-length", "1")], stream: 1), .data([1, 2], stream: 1, endStream: true),
            ], cause: .message, words: "content-length"),
        BadStream(
            testDescription: "a body shorter than content-length",
            frames: [
                .headers(usual + [("content-length", "3")], stream: 1), .data([1, 2], stream: 1, endStream: true),
            ], cause: .message, words: "content-length"),
        BadStream(
            testDescription: "no body for content-length", frames: headers(usual + [("content-length", "3")]),
            cause: .message, words: "content-length"),
    ]

    @Test(arguments: badStreams)
    func `a request that is none costs its stream`(bad: BadStream) throws {
        let peer = try RawPeer()
        let answer = try peer.send(bytes: bad.frames.bytes)
        #expect(answer == [.resetStream(1, code: bad.code)])
        #expect(peer.owner.requests.isEmpty)
        #expect(peer.owner.rejections.map(\.stream) == [1])
        let rejection = try #require(peer.owner.rejections.first?.rejection)
        #expect(rejection.cause == bad.cause)
        #expect(rejection.code == bad.code.rawValue)
        #expect(rejection.explanation.contains(bad.words), "\(rejection.explanation)")
        #expect(peer.owner.closed.map(\.code) == [bad.code.rawValue])
        #expect(peer.server.openStreams == 0)
        // The connection goes on.
        #expect(try peer.push(stream: 3).contains { $0.isAccepted })
        #expect(peer.server.failure == nil)
    }

    struct BadConnection: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var frames: [Frame]
        var code: HTTP2ErrorCode
        var words: String
    }

    static let badConnections = [
        BadConnection(
            testDescription: "a request on an even stream", frames: [.headers(usual, stream: 2)], code: .protocolError,
            words: "invalid stream_id"),
        BadConnection(
            testDescription: "HEADERS on stream 0", frames: [.headers(usual, stream: 0)], code: .protocolError,
            words: "stream_id == 0"),
        BadConnection(
            testDescription: "DATA on an idle stream", frames: [.data([1], stream: 5)], code: .protocolError,
            words: "stream in idle"),
        BadConnection(
            testDescription: "RST_STREAM on an idle stream", frames: [.resetStream(7, code: .cancel)],
            code: .protocolError, words: "stream in idle"),
        BadConnection(
            testDescription: "a frame above MAX_FRAME_SIZE",
            frames: [.headers(usual, stream: 1), .data(Array(repeating: 0, count: 16385), stream: 1)],
            code: .frameSizeError, words: "FRAME_SIZE_ERROR"),
        BadConnection(
            testDescription: "a PING of seven bytes", frames: [.ping([1, 2, 3, 4, 5, 6, 7])], code: .frameSizeError,
            words: "FRAME_SIZE_ERROR"),
        BadConnection(
            testDescription: "PUSH_PROMISE",
            frames: [Frame(.pushPromise, flags: .endHeaders, stream: 1, payload: [0, 0, 0, 2])],
            code: .protocolError, words: "PROTOCOL_ERROR"),
        BadConnection(
            testDescription: "CONTINUATION out of nowhere",
            frames: [.continuation([0x88], stream: 1, endHeaders: true)], code: .protocolError,
            words: "CONTINUATION: unexpected"),
        BadConnection(
            testDescription: "DATA inside a header block",
            frames: [.headers(usual, stream: 1, endHeaders: false), .data([1], stream: 1)], code: .protocolError,
            words: "unexpected non-CONTINUATION"),
        BadConnection(
            testDescription: "a header block that HPACK cannot read",
            frames: [Frame(.headers, flags: .endHeaders, stream: 1, payload: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF])],
            code: .compressionError, words: "COMPRESSION_ERROR"),
        BadConnection(
            testDescription: "a window above 2^31-1", frames: [.windowUpdate(by: 0x7FFF_FFFF), .windowUpdate(by: 1)],
            code: .flowControlError, words: "FLOW_CONTROL_ERROR"),
        BadConnection(
            testDescription: "a window update of nothing", frames: [.windowUpdate(by: 0)], code: .protocolError,
            words: "PROTOCOL_ERROR"),
        BadConnection(
            testDescription: "SETTINGS acknowledged twice",
            frames: [.settingsAcknowledgement, .settingsAcknowledgement], code: .protocolError, words: "unexpected ACK"),
        BadConnection(
            testDescription: "INITIAL_WINDOW_SIZE 2^31", frames: [.settings([.initialWindowSize(1 << 31)])],
            code: .flowControlError, words: "INITIAL_WINDOW_SIZE"),
        BadConnection(
            testDescription: "padding longer than its frame",
            frames: [.headers(usual, stream: 1), Frame(.data, flags: .padded, stream: 1, payload: [9, 0])],
            code: .protocolError, words: "PROTOCOL_ERROR"),
        BadConnection(
            testDescription: "a stream that depends on itself",
            frames: [
                Frame(
                    .headers, flags: [.endHeaders, .priority], stream: 1,
                    payload: [0, 0, 0, 1, 15] + Frame.headerBlock(usual))
            ], code: .protocolError, words: "depend on itself"),
    ]

    @Test(arguments: badConnections)
    func `a breach of the protocol ends the connection with GOAWAY and a reason`(bad: BadConnection) throws {
        let peer = try RawPeer()
        #expect(peer.server.failure == nil)
        var goAway: Frame?
        do {
            goAway = try peer.send(bytes: bad.frames.bytes).first { $0.kind == .goAway }
        } catch is HTTP2Error {
            goAway = try peer.output().first { $0.kind == .goAway }
        }
        #expect(goAway?.errorCode == bad.code)
        let failure = try #require(peer.server.failure)
        #expect(failure.description.contains(bad.words), "\(failure.description)")
        #expect(!peer.server.wantsRead && !peer.server.wantsWrite)
        // Whatever comes now is not looked at.
        _ = try? peer.push(stream: 9)
        #expect(peer.owner.requests.isEmpty)
    }

    struct Opening: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var words: [String]
    }

    static let openings = [
        Opening(
            testDescription: "HTTP/1.1", bytes: Array("GET /3/device/a HTTP/1.1\r\nHost: a\r\n\r\n".utf8),
            words: ["\"GET /3/device/a HTTP/1.1\"", "speak HTTP/1.1", "HTTP/2 only"]),
        Opening(
            testDescription: "a short HTTP/1.0 request", bytes: Array("PUT / HTTP/1.0\r\n\r\n".utf8),
            words: ["\"PUT / HTTP/1.0....\"", "speak HTTP/1.1"]),
        Opening(testDescription: "bytes", bytes: [0, 1, 2, 0xFF], words: ["\"....\"", "does not speak HTTP/2"]),
        Opening(
            testDescription: "APNs of old (binary interface)", bytes: [2, 0, 0, 0, 0x2C, 1, 0, 0x20],
            words: ["\"....,.. \"", "legacy binary protocol"]),
    ]

    @Test(arguments: openings, [false, true])
    func `another protocol is named by its first bytes`(opening: Opening, bytewise: Bool) throws {
        let peer = try RawPeer(opening: [])
        let error = #expect(throws: HTTP2Error.self) {
            if bytewise {
                for byte in opening.bytes { try peer.send(bytes: [byte]) }
            } else {
                try peer.send(bytes: opening.bytes)
            }
        }
        let description = try #require(error?.description)
        if !bytewise { for words in opening.words { #expect(description.contains(words), "\(description)") } }
        #expect(peer.server.failure == error)
    }

    @Test func `a preface without SETTINGS ends the connection`() throws {
        let peer = try RawPeer(opening: Frame.preface)
        let answer = try peer.send(.ping())
        #expect(answer.contains { $0.kind == .goAway && $0.errorCode == .protocolError })
        #expect(peer.server.failure?.description.contains("SETTINGS") == true)
    }

    @Test func `a flood of PING from a peer that does not read ends the connection`() throws {
        let peer = try RawPeer()
        let error = #expect(throws: HTTP2Error.self) {
            let flood = Array(repeating: Frame.ping(), count: 1001).bytes
            try flood.withUnsafeBytes { try peer.server.receive($0) }
        }
        #expect(error?.description.contains("Flooding") == true, "\(String(describing: error))")
    }
}

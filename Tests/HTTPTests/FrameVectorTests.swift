import HTTP
import HTTP2
import TestFixtures
import Testing

extension FrameVector: CustomTestStringConvertible {
    /// The rule and the name of the row.
    public var testDescription: String { description }
}

/// RFC 9113 and RFC 7541 frame by frame: what clients must not send, and what they may.
struct FrameVectorTests {
    @Test(arguments: try FrameVector.all.get())
    func `a frame gets what the RFC says`(_ vector: FrameVector) throws {
        var configuration = HTTP2Session.Configuration()
        configuration.maxConcurrentStreams = vector.streams ?? 1000
        let peer = try RawPeer(configuration: configuration, opening: []) { request in
            guard !vector.isHeld else { return nil }
            let hasBody = request.text(.method) == "HEAD" || vector.isJudged
            return HTTPResponse(status: 200, body: hasBody ? .constant("{}") : .none)
        }
        peer.owner.answersMalformed = vector.isJudged
        do {
            for piece in try vector.pieces { try peer.send(bytes: piece) }
            try peer.send(FrameVector.proof)
            if vector.provesByRequest { try peer.push(stream: FrameVector.proofStream) }
        } catch is HTTP2Error {
            #expect(!vector.goesOn)
            _ = try? peer.output()
        }
        let flaw = vector.flaw(in: peer.received)
        #expect(flaw == nil, "\(flaw ?? "")")
        #expect((peer.server.failure == nil) == vector.goesOn, "\(String(describing: peer.server.failure))")
        // Each reset has its words for the log.
        let resets = peer.received.filter { $0.kind == .resetStream }.map(\.stream)
        let told = peer.owner.rejections.map(\.stream)
        #expect(vector.isJudged || !vector.goesOn || resets == told, "resets \(resets), told \(told)")
    }

    /// The same with every byte in a piece of its own.
    @Test(arguments: try FrameVector.all.get().filter { !$0.isHeld && !$0.send.joined().contains("zeros:16") })
    func `and gets it however it is cut`(_ vector: FrameVector) throws {
        let peer = try RawPeer(opening: []) { request in
            HTTPResponse(
                status: 200, body: request.text(.method) == "HEAD" || vector.isJudged ? .constant("{}") : .none)
        }
        peer.owner.answersMalformed = vector.isJudged
        do {
            let proof =
                vector.provesByRequest
                ? [Frame.headers(SessionPair.fields, stream: FrameVector.proofStream, endStream: true)] : []
            let pieces = try vector.pieces + [FrameVector.proof.bytes, proof.bytes]
            for piece in pieces {
                for byte in piece { try withUnsafeBytes(of: byte) { try peer.server.receive($0) } }
                try peer.output()
            }
        } catch is HTTP2Error {
            #expect(!vector.goesOn)
            _ = try? peer.output()
        }
        let flaw = vector.flaw(in: peer.received)
        #expect(flaw == nil, "\(flaw ?? "")")
    }

    @Test(
        arguments: [(1, nil), (399, nil), (401, HTTP2ErrorCode.streamClosed), (599, .streamClosed)]
            as [(Int32, HTTP2ErrorCode?)])
    func `a hundred closed streams are remembered`(stream: Int32, code: HTTP2ErrorCode?) throws {
        let peer = try RawPeer()
        for number: Int32 in stride(from: 1, through: 599, by: 2) { try peer.push(stream: number) }
        let answer = try peer.send(.data([1], stream: stream))
        #expect(answer.first?.errorCode == code, "DATA for one that is forgotten may have been under way")
        // A new block for a number below the last is wrong, forgotten or not.
        let other = try RawPeer()
        for number: Int32 in stride(from: 1, through: 599, by: 2) { try other.push(stream: number) }
        let refused = try other.push(stream: stream)
        #expect(refused.first?.errorCode == code ?? .protocolError)
    }

    @Test func `the vectors are many, and none is twice`() throws {
        let all = try FrameVector.all.get()
        #expect(all.count > 300)
        #expect(Set(all.map(\.description)).count == all.count)
    }
}

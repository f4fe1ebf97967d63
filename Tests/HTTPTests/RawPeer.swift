import HTTP
import HTTP2
import TestFixtures
import Testing

/// A server session that is spoken to in single frames.
final class RawPeer {
    let server: HTTP2Session
    let owner: RecordingOwner
    /// Every frame the server has sent.
    var received: [Frame] = []

    /// Begins with preface and SETTINGS, unless `opening` says otherwise.
    init(
        configuration: HTTP2Session.Configuration = .init(), callbacks: HTTP2Session.Callbacks = .init(),
        opening: [UInt8] = Frame.preface + Frame.settings().bytes,
        answer: @escaping (HTTPRequest) -> HTTPResponse? = { _ in HTTPResponse(status: 200) }
    ) throws {
        owner = RecordingOwner(answer: answer)
        server = try HTTP2Session(callbacks: callbacks, configuration: configuration, delegate: owner)
        if !opening.isEmpty { try send(bytes: opening) }
    }

    /// Sends frames; returns what came back.
    @discardableResult
    func send(_ frames: Frame...) throws -> [Frame] {
        try send(bytes: frames.bytes)
    }

    /// Sends bytes; returns what came back.
    @discardableResult
    func send(bytes: [UInt8]) throws -> [Frame] {
        try bytes.withUnsafeBytes { try server.receive($0) }
        return try output()
    }

    /// What the server has to say.
    @discardableResult
    func output() throws -> [Frame] {
        var buffer: [UInt8] = []
        try server.fill(&buffer, limit: .max)
        let frames = Frame.all(in: buffer)
        let count = frames.reduce(0) { $0 + 9 + $1.payload.count }
        if count != buffer.count { Issue.record("the output is not a run of whole frames") }
        received += frames
        return frames
    }

    /// Sends a whole push on a stream; returns what came back.
    @discardableResult
    func push(stream: Int32) throws -> [Frame] {
        try send(
            Frame(.headers, flags: .endHeaders, stream: stream, payload: Self.usualBlock),
            Frame(.data, flags: .endStream, stream: stream, payload: Self.usualBody))
    }

    private static let usualBlock = Frame.headerBlock(SessionPair.fields)
    private static let usualBody = Array("{}".utf8)
}

extension Frame {
    /// Whether this is the HEADERS frame of a 200 that ends its stream.
    var isAccepted: Bool {
        guard kind == .headers, flags == [.endStream, .endHeaders] else { return false }
        // After a change of HEADER_TABLE_SIZE the block begins with the new size: 001 and a number (RFC 7541, 6.3).
        var block = payload[...]
        while let first = block.first, first & 0xE0 == 0x20 {
            block = block.dropFirst()
            guard first == 0x3F else { continue }
            block = block.drop { $0 & 0x80 != 0 }.dropFirst()
        }
        // 0x88 is `:status: 200` of the static table.
        return block.first == 0x88
    }
}

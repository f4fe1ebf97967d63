import HTTP
import HTTP2
import TestFixtures
import Testing

/// SETTINGS as senders send them, and as this server does.
@Suite struct SettingsTests {
    struct Opening: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var frames: [Frame]
    }

    static let openings = [
        Opening(testDescription: "empty", frames: [.settings()]),
        Opening(
            testDescription: "twice", frames: [.settings([.enablePush(0)]), .settings([.initialWindowSize(1 << 20)])]),
        Opening(testDescription: "MAX_CONCURRENT_STREAMS 0", frames: [.settings([.maxConcurrentStreams(0)])]),
        Opening(
            testDescription: "MAX_CONCURRENT_STREAMS 1,048,576", frames: [.settings([.maxConcurrentStreams(1 << 20)])]),
        Opening(testDescription: "INITIAL_WINDOW_SIZE 2^31-1", frames: [.settings([.initialWindowSize(1 << 31 - 1)])]),
        Opening(testDescription: "MAX_FRAME_SIZE 2^24-1", frames: [.settings([.maxFrameSize(1 << 24 - 1)])]),
        Opening(testDescription: "HEADER_TABLE_SIZE 0", frames: [.settings([.headerTableSize(0)])]),
        Opening(testDescription: "HEADER_TABLE_SIZE 2^32-1", frames: [.settings([.headerTableSize(.max)])]),
        Opening(testDescription: "MAX_HEADER_LIST_SIZE 1", frames: [.settings([.maxHeaderListSize(1)])]),
        Opening(
            testDescription: "an unknown setting",
            frames: [.settings([HTTP2Setting(id: 0xABCD, value: 1), HTTP2Setting(id: 9, value: 1)])]),
        Opening(
            testDescription: "a widened connection window",
            frames: [.settings(), .windowUpdate(by: 1 << 30)]),
        Opening(
            testDescription: "32 entries",
            frames: [.settings(Array(repeating: .initialWindowSize(65535), count: 32))]),
    ]

    @Test(arguments: openings)
    func `a peer may open so`(opening: Opening) throws {
        let peer = try RawPeer(opening: Frame.preface + opening.frames.bytes)
        let count = opening.frames.count { $0.kind == .settings }
        #expect(peer.received.count { $0 == .settingsAcknowledgement } == count)
        #expect(try peer.push(stream: 1).contains { $0.isAccepted })
        #expect(peer.server.failure == nil)
    }

    @Test func `SETTINGS come first, then a wide window for the connection`() throws {
        let peer = try RawPeer(opening: [])
        let settings: Frame = .settings([
            .headerTableSize(4096), .maxConcurrentStreams(1000), .initialWindowSize(65535), .maxFrameSize(16384),
            .maxHeaderListSize(8000),
        ])
        let increment: UInt32 = 16 << 20 - 65535
        #expect(try peer.output() == [settings, .windowUpdate(by: increment)])
    }

    @Test func `a PING is answered with its own eight bytes`() throws {
        let peer = try RawPeer()
        let data: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
        #expect(try peer.send(.ping(data)) == [.ping(data, acknowledgement: true)])
    }

    @Test func `33 settings in one frame end the connection`() throws {
        let opening = Frame.settings(Array(repeating: .initialWindowSize(65535), count: 33))
        let peer = try RawPeer(opening: Frame.preface)
        let goAway = try peer.send(opening).first { $0.kind == .goAway }
        #expect(goAway?.errorCode == .enhanceYourCalm)
        #expect(peer.server.failure?.description == "ENHANCE_YOUR_CALM: SETTINGS: too many setting entries")
        #expect(!peer.server.wantsRead && !peer.server.wantsWrite)
    }
}

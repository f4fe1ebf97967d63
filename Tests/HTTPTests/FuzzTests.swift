import HTTP
import HTTP2
import TestFixtures
import Testing

/// Valid traffic, damaged at random: nothing may trap, hang, or leave a stream behind that nghttp2 has forgotten.
@Suite struct FuzzTests {
    /// Printed by the test; put a seed here to see a failure again.
    static let seeds: [UInt64] = Array(1...40)

    static let traffic: [Frame] = [
        .settings([.initialWindowSize(100), .headerTableSize(1000)]), .priority(stream: 3),
        .headers(SessionPair.fields + [("apns-topic", "com.example.app")], stream: 1), .data([1, 2, 3], stream: 1),
        .windowUpdate(by: 1000), .data([4], stream: 1, endStream: true, padding: 10), .settingsAcknowledgement,
        .headers(SessionPair.fields, stream: 3, endHeaders: false, padding: 3, priority: true),
        .continuation(
            Frame.headerBlock([("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")]), stream: 3, endHeaders: true),
        .ping(), .data([], stream: 3, endStream: true),
        .headers(SessionPair.fields + [("content-length", "2")], stream: 5), .data([9, 9], stream: 5),
        .headers([("x-trailer", "a")], stream: 5, endStream: true), .resetStream(5, code: .cancel),
        .headers(SessionPair.fields, stream: 7), .resetStream(7, code: .cancel),
        .headers(SessionPair.fields, stream: 9, endStream: true), .windowUpdate(stream: 9, by: 5), .goAway(),
    ]

    @Test(arguments: seeds)
    func `damaged traffic is survived`(seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        for round in 0..<50 {
            var frames = Self.traffic
            // Damage between frames: drop, repeat, swap; then within the bytes.
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let (one, other) = (
                    frames.indices.randomElement(using: &random)!, frames.indices.randomElement(using: &random)!
                )
                switch Int.random(in: 0...3, using: &random) {
                case 0: frames.remove(at: one)
                case 1: frames.insert(frames[one], at: other)
                case 2: frames.swapAt(one, other)
                default: frames[one].stream = Int32.random(in: 0...9, using: &random)
                }
            }
            var bytes = frames.bytes
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[bytes.indices.randomElement(using: &random)!] = UInt8.random(in: 0...255, using: &random)
            }
            try Self.feed(bytes, using: &random, name: "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: seeds)
    func `noise after the preface is survived`(seed: UInt64) throws {
        var random = FastRandom(seed: seed &+ 1000)
        for round in 0..<50 {
            let count = Int.random(in: 1...300, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) & (round & 1 == 0 ? 255 : 15) }
            try Self.feed(Frame.settings().bytes + noise, using: &random, name: "noise, seed \(seed), round \(round)")
        }
    }

    /// Gives a new session the preface and these bytes in pieces of random size, answering some requests late.
    static func feed(_ bytes: [UInt8], using random: inout FastRandom, name: String) throws {
        let answersLate = Bool.random(using: &random)
        let peer = try RawPeer(opening: Frame.preface) { request in
            answersLate ? nil : HTTPResponse(status: 400, body: .constant(#"{"reason":"BadDeviceToken"}"#))
        }
        var rest = bytes[...]
        do {
            while !rest.isEmpty, peer.server.wantsRead {
                let piece = rest.prefix(Int.random(in: 1...64, using: &random))
                rest = rest.dropFirst(piece.count)
                try peer.send(bytes: Array(piece))
                if let stream = peer.owner.requests.randomElement(using: &random)?.stream {
                    peer.server.respond(HTTPResponse(status: 200), stream: stream)
                }
            }
        } catch let error as HTTP2Error {
            #expect(peer.server.failure == error, "\(name)")
        }
        try peer.output()
        // Each stream is handed over at most once and closed at most once, and none is kept that could not be open.
        let (handedOver, closed) = (peer.owner.requests.map(\.stream), peer.owner.closed.map(\.stream))
        #expect(Set(handedOver).count == handedOver.count, "\(name)")
        #expect(Set(closed).count == closed.count, "\(name)")
        #expect((handedOver + closed).allSatisfy { $0 % 2 == 1 }, "\(name)")
        if !peer.server.wantsRead && peer.server.failure == nil { #expect(peer.server.openStreams == 0, "\(name)") }
    }
}

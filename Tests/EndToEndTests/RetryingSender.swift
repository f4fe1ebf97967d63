import Foundation
import HTTP
import HTTP2
import Simulation
import TestSupport

/// A sender that does what RFC 9113 asks of one that tries again: what GOAWAY or REFUSED_STREAM calls unprocessed is sent again
/// over a new connection, what is below GOAWAY's last stream is waited for, and of what a broken connection leaves open
/// nothing is assumed. It keeps account of each attempt.
final class RetryingSender {
    /// What the sender knows of an attempt.
    enum Fate: Equatable {
        /// The whole answer came.
        case answered(Int)
        /// The server said that it was not processed.
        case unprocessed
        /// The server reset the stream with another code.
        case reset(UInt32)
        /// The connection ended without a word about it.
        case unknown
    }

    /// How many connections a push may need.
    static let patience = 40
    /// How often a connection is looked at before its silence is a defect of the server.
    static let mostRounds = 2000

    /// By the apns-ids of the attempts.
    private(set) var fates: [String: Fate] = [:]

    private let server: TestServer
    private var random: FastRandom
    private let isClearText: Bool
    private var lastID: UInt64
    private var isMany = false

    /// A sender whose attempts have the numbers from `firstID` on.
    init(_ server: TestServer, seed: UInt64, firstID: UInt64, isClearText: Bool) {
        self.server = server
        random = FastRandom(seed: seed)
        self.isClearText = isClearText
        lastID = firstID
    }

    /// Sends so many pushes, each until an answer has come.
    func send(_ count: Int) throws {
        isMany = count > 100
        var waiting = (0..<count).map { _ in TestServer.randomDevice() }
        for _ in 0..<Self.patience where !waiting.isEmpty {
            waiting = try attempt(waiting)
        }
        guard waiting.isEmpty else { throw TestConnection.Failure("\(waiting.count) pushes were never answered") }
    }

    /// Sends the pushes over one connection; returns those that are to be sent again.
    private func attempt(_ devices: [String]) throws -> [String] {
        guard let connection = try? isClearText ? server.clearTextConnection() : server.connection() else {
            return devices
        }
        let window: UInt32 = random.next() % 4 == 0 ? 8 : 1 << 20
        let http2 = try HTTP2ClientSession(settings: [.enablePush(0), .initialWindowSize(window)])
        var open: [Int32: (device: String, id: String)] = [:]
        var next = devices[...]
        var again: [String] = []
        var isLeaving = false
        var isOver = false
        func settle(_ stream: Int32, _ fate: Fate) {
            guard let push = open.removeValue(forKey: stream) else { return }
            fates[push.id] = fate
            if case .answered = fate { return }
            again.append(push.device)
        }
        var rounds = 0
        while !isOver {
            rounds += 1
            guard rounds < Self.mostRounds else { throw TestConnection.Failure("\(open) have no answer and no end") }
            // A few requests in one write.
            var burst = Int(isMany ? 150 : 1 + random.next() % 4)
            while burst > 0, !isLeaving, let device = next.popFirst() {
                let id = nextID()
                let body = #"{"aps":{"alert":"\#(String(repeating: "x", count: Int(random.next() % 2000)))"}}"#
                let stream = try http2.submit(
                    server.fields([":path": "/3/device/\(device)", "apns-id": id]), body: Array(body.utf8))
                open[stream] = (device, id)
                burst -= 1
            }
            if open.isEmpty, next.isEmpty || isLeaving { break }
            var output: [UInt8] = []
            try http2.fill(&output)
            // Who cannot be written to may have sent something before.
            try? connection.write(output)
            switch try connection.arrival(withinMilliseconds: 3) {
            case .nothing:
                // Whatever hangs, stalls or lingers comes to its end; what is only slow loses nothing by it.
                if next.isEmpty || isLeaving { server.simulator.script.cancelWaiting() }
            case .end: isOver = true
            case .bytes(let bytes):
                for event in try bytes.withUnsafeBytes({ try http2.receive($0) }) {
                    switch event {
                    case .response(let stream, let response): settle(stream, .answered(response.status))
                    case .reset(let stream, HTTP2ErrorCode.refusedStream.rawValue): settle(stream, .unprocessed)
                    case .reset(let stream, let code): settle(stream, .reset(code))
                    case .goAway(let lastStream, _, _):
                        isLeaving = true
                        for stream in open.keys where stream > lastStream { settle(stream, .unprocessed) }
                    default: break
                    }
                }
            }
        }
        for stream in Array(open.keys) { settle(stream, .unknown) }
        return again + next
    }

    private func nextID() -> String {
        lastID += 1
        return "00000000-0000-4000-8000-" + String(format: "%012llx", lastID)
    }
}

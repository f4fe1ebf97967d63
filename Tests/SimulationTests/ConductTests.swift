import APNs
import Foundation
import HTTP
import Simulation
import Testing

/// A sender's conduct over time, entry by entry.
struct ConductTests {
    /// What a test says of one push.
    private struct Push {
        var at: Int64 = 0
        var device = JournalFixture.token
        var token = "bearer a"
        var connection: UInt64 = 7
        var peer = "127.0.0.1:1000"
        var payload = JournalFixture.payload
        var id = "00000000-0000-0000-0000-000000000001"
        var status: UInt16 = 200
        var reason: Reason?
        var type = PushType.alert
        var topic = "com.acme.app"
        var agent = "test"
    }

    private func entry(_ push: Push) -> JournalEntry {
        let request = JournalFixture.request(
            device: push.device,
            headers: [
                (.authorization, "authorization", push.token), (.userAgent, "user-agent", push.agent),
            ],
            topic: push.topic, payload: push.payload)
        let path = request.valueRange(.path)!
        let peer = PeerConnection(id: push.connection, peer: push.peer, listener: "127.0.0.1:2197")
        var content = JournalEntry.Content(
            receivedAt: push.at, serverTime: push.at, outcome: push.status == 200 ? .accepted : .rejected,
            request: request, connection: PeerConnectionReference(peer))
        content.authentication = .token(
            keyID: "MOCK000001", teamID: "MOCKTEAM01", issuedAt: 0, signature: "verified")
        content.device = path.lowerBound + 10..<path.upperBound
        content.pushType = push.type
        content.status = push.status
        content.reason = push.reason
        content.apnsID = UUIDText(push.id.utf8)
        return JournalEntry(content)
    }

    /// The codes that each push in turn shows.
    private func codes(_ pushes: Push...) -> [[String]] {
        var conduct = Conduct()
        return pushes.map { conduct.see(entry($0)).map(\.code.code.description) }
    }

    /// Pushes that differ in their payload, so that none repeats another.
    private func push(_ number: Int, _ change: (inout Push) -> Void = { _ in }) -> Push {
        var push = Push()
        push.payload = #"{"aps":{"alert":"\#(number)"}}"#
        push.at = Int64(number) * 120_000
        change(&push)
        return push
    }

    @Test func `a good sender shows nothing`() {
        let seen = codes(push(1), push(2), push(3), push(30) { $0.token = "bearer b" })
        #expect(seen.flatMap(\.self) == [])
    }

    @Test func `L001: a token changed within twenty minutes on one connection`() {
        #expect(codes(push(0), push(9) { $0.token = "bearer b" }) == [[], ["L001"]])
        #expect(codes(push(0), push(10) { $0.token = "bearer b" }) == [[], []])
        let other = push(1) {
            $0.token = "bearer b"
            $0.connection = 8
        }
        #expect(codes(push(0), other) == [[], []])
    }

    @Test func `L002: a token for each request, told once`() {
        let token = { (number: Int) in
            push(number) {
                $0.at = Int64(number) * 1000
                $0.token = "bearer \(number)"
            }
        }
        #expect(codes(token(0), token(1), token(2), token(3)) == [[], ["L001"], ["L001", "L002"], ["L001"]])
        #expect(codes(push(0), push(20) { $0.token = "b" }, push(40) { $0.token = "c" }).flatMap(\.self) == [])
    }

    /// One push of a sender in a table: when, in seconds, over which connection, with which token, for which topic, and the answer.
    private typealias Step = (at: Int, connection: UInt64, token: String, topic: String, answer: Reason?)

    /// The codes that a sender shows, each once.
    private func codes(_ steps: [Step], closing: Bool = false, change: (inout Push) -> Void = { _ in }) -> Set<String> {
        let ends = Dictionary(steps.map { ($0.connection, Int64($0.at) * 1000 + 1) }) { max($0, $1) }
        var conduct = Conduct { closing ? ends[$0] : nil }
        var codes: Set<String> = []
        for (number, step) in steps.enumerated() {
            var push = push(number) {
                $0.at = Int64(step.at) * 1000
                $0.connection = step.connection
                $0.peer = "127.0.0.1:\(step.connection)"
                $0.token = "bearer \(step.token)"
                $0.topic = step.topic
                $0.reason = step.answer
                $0.status = step.answer?.status ?? 200
            }
            change(&push)
            for remark in conduct.see(entry(push)) { codes.insert(remark.code.code.description) }
        }
        return codes
    }

    @Test func `correct senders are not blamed`() {
        let t = "com.acme.app"
        let senders: [String: [Step]] = [
            "two connections with one token in turn": (0..<50).map { ($0, UInt64($0 % 2), "a", t, nil) },
            "ten workers with a connection and a token each": (0..<200).map {
                ($0, UInt64($0 % 10), "\($0 % 10)", t, nil)
            },
            "workers that begin": (0..<40).map { ($0, UInt64($0), "\($0)", t, nil) },
            "an uneven pool": (0..<200).map { ($0, UInt64($0 % 20 == 0 ? $0 : 1), "a", t, nil) },
            "workers of an uneven pool": (0..<200).map {
                ($0, UInt64($0 % 20 == 0 ? $0 : 1), $0 % 20 == 0 ? "\($0)" : "a", t, nil)
            },
            "a token every 20 minutes": (0..<200).map { ($0 * 60, 1, "\($0 / 20)", t, nil) },
            "a token every 55 minutes, over two connections": (0..<200).map {
                ($0 * 60, UInt64($0 % 2), "\($0 / 55)", t, nil)
            },
            "topics that share a token": (0..<60).map { ($0, 1, "a", "com.acme.\($0 % 3)", nil) },
            "a connection after each GOAWAY": (0..<60).map { ($0, UInt64($0 / 5), "a", t, nil) },
            "a fresh token after ExpiredProviderToken": [
                (0, 1, "a", t, nil), (60, 1, "a", t, .expiredProviderToken), (61, 1, "b", t, nil), (62, 1, "b", t, nil),
                (120, 1, "b", t, .expiredProviderToken), (121, 1, "c", t, nil),
            ],
            "a token that was never good is replaced": [(0, 1, "a", t, .invalidProviderToken), (1, 1, "b", t, nil)],
        ]
        for (name, steps) in senders { #expect(codes(steps) == [], "\(name)") }
    }

    @Test func `faulty senders are told their fault`() {
        let t = "com.acme.app"
        let senders: [(String, Set<String>, Bool, [Step])] = [
            ("a connection for each request", ["L003"], true, (0..<5).map { ($0, UInt64($0), "a", t, nil) }),
            ("a token after five minutes", ["L001"], false, (0..<2).map { ($0 * 300, 1, "\($0)", t, nil) }),
            (
                "a token for each request over a pool", ["L001", "L002"], false,
                (0..<20).map { ($0, UInt64($0 % 2), "\($0)", t, nil) }
            ),
            (
                "a token for each of two topics", ["L030"], false,
                (0..<10).map { ($0, 1, "\($0 % 2)", "com.acme.\($0 % 2)", nil) }
            ),
            (
                "the same, refused", ["L030"], false,
                (0..<10).map {
                    ($0, 1, "\($0 % 2)", "com.acme.\($0 % 2)", $0 % 2 == 1 ? .tooManyProviderTokenUpdates : nil)
                }
            ),
        ]
        for (name, expected, closing, steps) in senders {
            #expect(codes(steps, closing: closing) == expected, "\(name)")
        }
    }

    @Test func `our own send says nothing of anybody's sender`() {
        let steps: [Step] = (0..<9).map { ($0, UInt64($0), "\($0)", "com.acme.app", nil) }
        let change: (inout Push) -> Void = {
            $0.payload = #"{"aps":{"alert":"same"}}"#; $0.agent = "mock-apns/1.0"
        }
        #expect(codes(steps, closing: true, change: change) == [])
    }

    @Test func `who cannot know of an answer is not blamed for the next push`() {
        for (status, reason) in [(UInt16(410), Reason.unregistered), (429, .tooManyRequests), (400, .badTopic)] {
            var refused = push(1)
            refused.status = status
            refused.reason = reason
            var conduct = Conduct()
            let first = entry(refused)
            first.answered(afterMilliseconds: 300)
            _ = conduct.see(first)
            for late: Int64 in [0, 300] {
                var next = push(1)
                next.at += late
                #expect(conduct.see(entry(next)).isEmpty, "\(status) after \(late) ms")
            }
        }
    }

    @Test(arguments: [
        (UInt16(400), Reason.badTopic, ["L004"]), (413, .payloadTooLarge, ["L004"]), (404, .badPath, ["L004"]),
        (405, .methodNotAllowed, ["L004"]), (403, .invalidProviderToken, ["L004"]), (500, .internalServerError, []),
    ])
    func `L004: sent again unchanged`(status: UInt16, reason: Reason, expected: [String]) {
        let first = push(1) {
            $0.status = status
            $0.reason = reason
        }
        #expect(codes(first, push(1) { $0.at += 5000 }) == [[], expected])
        #expect(codes(first, push(2)) == [[], []])
    }

    @Test func `L004: after 403 another token is another try`() {
        let first = push(1) {
            $0.status = 403
            $0.reason = .expiredProviderToken
        }
        let retry = push(1) {
            $0.token = "bearer fresh"
            $0.at += 1_300_000
        }
        #expect(codes(first, retry) == [[], []])
    }

    @Test func `L005: sent again after 410, until a push is accepted`() {
        let gone = push(1) {
            $0.status = 410
            $0.reason = .unregistered
        }
        #expect(codes(gone, push(2), push(3)) == [[], ["L005"], []])
        #expect(codes(gone, push(2) { $0.device = String(repeating: "ab", count: 32) }) == [[], []])
    }

    @Test(arguments: [(UInt16(429), Reason.tooManyRequests), (503, .serviceUnavailable)])
    func `L011: no pause after being told to slow down`(status: UInt16, reason: Reason) {
        let refused = push(0) {
            $0.status = status
            $0.reason = reason
        }
        // 429 is about the device, 503 about the request.
        let next = reason == .tooManyRequests ? 1 : 0
        #expect(codes(refused, push(next) { $0.at = 999 }) == [[], ["L011"]])
        #expect(codes(refused, push(next) { $0.at = 1000 }) == [[], []])
    }

    @Test func `L012: the same push under another id within a minute`() {
        let again = { (milliseconds: Int64, id: String) in
            push(0) {
                $0.at = milliseconds
                $0.id = id
            }
        }
        let other = "00000000-0000-0000-0000-000000000002"
        #expect(codes(push(0), again(59_999, other)) == [[], ["L012"]])
        #expect(codes(push(0), again(60_000, other)) == [[], []])
        #expect(codes(push(0), again(10, push(0).id)) == [[], []])
    }

    @Test func `L018: an update behind the end of a Live Activity`() {
        let event = { (name: String, number: Int) in
            push(number) {
                $0.type = .liveactivity
                $0.payload = #"{"aps":{"event":"\#(name)","timestamp":\#(number)}}"#
            }
        }
        #expect(codes(event("update", 1), event("end", 2), event("update", 3)) == [[], [], ["L018"]])
        #expect(codes(event("end", 1), event("start", 2), event("update", 3)) == [[], [], []])
    }

    @Test func `L015: a stream opened in the knowledge of GOAWAY`() {
        var content = JournalFixture.content(.broken)
        content.breakage = .init(cause: "goaway", explanation: "Stream 7 was opened on connection c7.")
        var conduct = Conduct()
        let remarks = conduct.see(JournalEntry(content))
        #expect(remarks.map(\.code.code.description) == ["L015"])
        #expect(remarks.first?.message == "Stream 7 was opened on connection c7.")
    }

    @Test func `L016: more streams than are allowed`() {
        var content = JournalFixture.content(.broken)
        content.breakage = .init(cause: "refused", explanation: "Stream 2001 was reset.")
        var conduct = Conduct()
        #expect(conduct.see(JournalEntry(content)).map(\.code.code.description) == ["L016"])
    }

    @Test func `every code of conduct is known and shown by some conduct`() {
        let codes = FindingCode.conductCodes.map(\.code.description)
        #expect(codes == ["L001", "L002", "L003", "L004", "L005", "L011", "L012", "L015", "L016", "L018", "L030"])
        #expect(Set(codes).isSubset(of: FindingCode.all.map(\.code.description)))
    }
}

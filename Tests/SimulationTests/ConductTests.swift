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
    }

    private func entry(_ push: Push) -> JournalEntry {
        let request = JournalFixture.request(
            device: push.device, headers: [(.authorization, "authorization", push.token)], payload: push.payload)
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
        let seen = codes(
            push(0), push(20) { $0.token = "b" }, push(40) { $0.token = "c" }, push(60) { $0.token = "d" },
            push(80) { $0.token = "e" })
        #expect(seen == [[], [], ["L002"], [], []])
        let kept = codes(
            push(0), push(20) { $0.token = "b" }, push(21) { $0.token = "b" }, push(41) { $0.token = "c" })
        #expect(kept.flatMap(\.self) == [])
    }

    @Test func `L003: a connection for each request`() {
        let single = { (number: Int) in
            push(number) {
                $0.connection = UInt64(number); $0.peer = "127.0.0.1:\(number)"
            }
        }
        #expect(codes(single(1), single(2), single(3), single(4), single(5)) == [[], [], [], ["L003"], []])
        let double = codes(single(1), single(1), single(2), single(2), single(3), single(3), single(4), single(4))
        #expect(!double.flatMap(\.self).contains("L003"))
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
        #expect(codes(refused, push(1) { $0.at = 999 }) == [[], ["L011"]])
        #expect(codes(refused, push(1) { $0.at = 1000 }) == [[], []])
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
        #expect(codes == ["L001", "L002", "L003", "L004", "L005", "L011", "L012", "L015", "L016", "L018"])
        #expect(Set(codes).isSubset(of: FindingCode.all.map(\.code.description)))
    }
}

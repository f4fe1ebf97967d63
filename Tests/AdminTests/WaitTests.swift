import APNs
import Foundation
import Simulation
import Testing

@testable import Admin

/// Calls that wait, over a real journal and a clock moved by hand.
struct WaitTests {
    private let harness = AdminHarness()
    private let other = String(repeating: "ab", count: 32)

    private var failure: CheckFailure {
        CheckFailure(
            .deviceTopic, .deviceTokenNotForTopic, expected: "com.acme.app", actual: "com.acme.app.voip",
            explanation: "The token is registered for com.acme.app, the request's apns-topic was com.acme.app.voip.")
    }

    @Test func `a wait returns with the match, the instant it is journaled`() {
        let call = harness.start("/v1/notifications?device=6f1e*&wait=5s")
        #expect(call.response == nil)
        harness.loop.advance(400)
        harness.push(other)
        harness.push()
        harness.loop.run()
        #expect(call.response?.status == 200)
        #expect(call.response?.items.map { $0["seq"] as? Int } == [2])
        #expect(call.response?.number("waitedMs") == 400)
        #expect(call.response?.number("cursor") == 2)
        #expect(harness.application.waiters == 0)
        #expect(harness.journal.statistics.followers == 0)
        #expect(harness.loop.pendingTimers == 0)
    }

    @Test func `what is there already is returned at once`() {
        harness.push()
        #expect(harness.send("/v1/notifications?wait=5s").items.count == 1)
        #expect(harness.journal.statistics.followers == 0)
    }

    @Test func `after makes a wait see only what came later`() {
        harness.push()
        let call = harness.start("/v1/notifications?wait=5s&after=1")
        let now = harness.start("/v1/notifications?wait=5s&after=now")
        #expect(call.response == nil)
        harness.push()
        harness.loop.run()
        #expect(call.response?.items.map { $0["seq"] as? Int } == [2])
        #expect(now.response?.items.map { $0["seq"] as? Int } == [2])
    }

    @Test func `count waits for the n-th`() {
        harness.push()
        let call = harness.start("/v1/notifications?count=3&wait=5s")
        harness.push()
        harness.loop.run()
        #expect(call.response == nil)
        harness.push()
        harness.loop.run()
        #expect(call.response?.number("matched") == 3)
    }

    @Test func `count and exactly without a wait are judged at once`() {
        harness.push()
        #expect(harness.send("/v1/notifications?count=1").status == 200)
        #expect(harness.send("/v1/notifications?count=2").status == 417)
        #expect(harness.send("/v1/notifications?exactly=1").status == 200)
        #expect(harness.send("/v1/notifications?exactly=0").status == 417)
        #expect(harness.send("/v1/notifications?count=2&onTimeout=ok").object["timedOut"] as? Bool == true)
        #expect(harness.application.waiters == 0)
    }

    @Test func `a wait that runs out is 417, or 200 when that is asked for`() {
        let error = harness.start("/v1/notifications?wait=5s")
        let fine = harness.start("/v1/notifications?wait=5s&onTimeout=ok")
        harness.loop.advance(4999)
        #expect(error.response == nil)
        harness.loop.advance(1)
        #expect(error.response?.status == 417)
        #expect(error.response?.string("title") == "1 of 1 expected notification did not arrive within 5 s")
        #expect(error.response?.number("waitedMs") == 5000)
        #expect(fine.response?.status == 200)
        #expect(fine.response?.object["timedOut"] as? Bool == true)
        #expect(fine.response?.items.isEmpty == true)
    }

    @Test func `exactly needs quiet, and fails at once without it`() {
        let quiet = harness.start("/v1/notifications?exactly=1&wait=5s")
        let loud = harness.start("/v1/notifications?exactly=1&wait=5s&settle=500ms")
        harness.push()
        harness.loop.advance(200)
        #expect(quiet.response?.status == 200)
        #expect(quiet.response?.number("waitedMs") == 200)
        #expect(loud.response == nil)
        harness.push()
        harness.loop.run()
        #expect(loud.response?.status == 417)
        #expect(loud.response?.string("title") == "2 notifications arrived where exactly 1 was expected")
        #expect((loud.response?.object["matches"] as? [[String: Any]])?.map { $0["seq"] as? Int } == [1, 2])
        #expect(loud.response?.object["timedOut"] as? Bool == false)
    }

    @Test func `onTimeout does not excuse one too many`() {
        harness.push()
        #expect(harness.send("/v1/notifications?exactly=0&onTimeout=ok").status == 417)
    }

    @Test func `none for a second`() {
        let none = harness.start("/v1/notifications?exactly=0&wait=1s&device=\(other)")
        let some = harness.start("/v1/notifications?exactly=0&wait=1s")
        harness.push()
        harness.loop.run()
        #expect(some.response?.status == 417)
        #expect(some.response?.string("title") == "1 notification arrived where none was expected")
        harness.loop.advance(1000)
        #expect(none.response?.status == 200)
        #expect(none.response?.object["timedOut"] as? Bool == false)
    }

    @Test func `a push journaled before the deadline counts though its message comes later`() {
        let call = harness.start("/v1/notifications?wait=1s")
        harness.loop.advance(999)
        harness.push()
        // The timer fires before the journal's message is run.
        harness.loop.fireTimersFirst(1)
        #expect(call.response?.status == 200)
        #expect(call.response?.items.count == 1)
    }

    @Test func `requests wait too`() {
        let call = harness.start("/v1/requests?outcome=rejected&wait=5s")
        harness.push()
        harness.push(failure: failure)
        harness.loop.run()
        #expect(call.response?.items.map { $0["seq"] as? Int } == [2])
    }

    @Test func `latest waits`() {
        let call = harness.start("/v1/notifications/latest?wait=5s&after=now")
        harness.push()
        harness.loop.run()
        #expect(call.response?.number("seq") == 1)
        let miss = harness.start("/v1/notifications/latest?wait=1s&after=now")
        harness.loop.advance(1000)
        #expect(miss.response?.status == 417)
    }

    @Test func `the cursor of an answer misses nothing`() {
        let call = harness.start("/v1/notifications?wait=5s&device=6f1e*")
        harness.push()
        harness.push()
        harness.loop.run()
        #expect(call.response?.items.count == 1)
        #expect(call.response?.number("cursor") == 1)
        #expect(harness.send("/v1/notifications?after=1").items.count == 1)
    }

    @Test func `a reset ends waits with 410`() {
        let call = harness.start("/v1/notifications?wait=5s")
        harness.loop.advance(1500)
        #expect(harness.send("/v1/reset", method: "POST").status == 200)
        harness.loop.run()
        #expect(call.response?.status == 410)
        #expect(call.response?.string("detail").contains("1.5 s after") == true)
        #expect(harness.application.waiters == 0)
    }

    @Test func `stopping ends waits with 503, and no call waits any more`() {
        let first = harness.start("/v1/notifications?wait=5s")
        let second = harness.start("/v1/requests?exactly=0&wait=5s")
        harness.application.close()
        #expect(first.response?.status == 503)
        #expect(second.response?.status == 503)
        #expect(harness.send("/v1/notifications?wait=5s").status == 503)
        #expect(harness.send("/v1/notifications").status == 200)
        #expect(harness.journal.statistics.followers == 0)
    }

    @Test func `a closed journal ends waits with 503`() {
        let before = harness.start("/v1/notifications?wait=5s")
        harness.journal.close()
        let after = harness.start("/v1/notifications?wait=5s")
        harness.loop.run()
        #expect(before.response?.status == 503)
        #expect(after.response?.status == 503)
    }

    @Test func `a guest that leaves frees its waiter and is never answered`() {
        let call = harness.start("/v1/notifications?wait=5s")
        #expect(harness.application.waiters == 1)
        harness.push(other)
        harness.leave(call)
        #expect(harness.application.waiters == 0)
        #expect(harness.journal.statistics.followers == 0)
        #expect(harness.loop.pendingTimers == 0)
        harness.loop.advance(6000)
        #expect(call.response == nil)
    }

    @Test func `a thousand calls may wait, one more is told so`() {
        let calls = (0..<AdminLimits.waiters).map { _ in harness.start("/v1/notifications?wait=5s") }
        #expect(harness.application.waiters == 1000)
        let refused = harness.send("/v1/notifications?wait=5s")
        #expect(refused.status == 429)
        #expect(refused.string("detail").contains("1000"))
        harness.leave(calls[0])
        #expect(harness.start("/v1/notifications?wait=5s").response == nil)
        harness.push()
        harness.loop.run()
        #expect(calls.dropFirst().allSatisfy { $0.response?.status == 200 })
    }

    @Test func `HEAD waits like GET`() {
        let call = harness.start("/v1/notifications?wait=5s", method: "HEAD")
        harness.push()
        harness.loop.run()
        #expect(call.response?.status == 200)
        #expect(call.response?.items.count == 1)
    }

    // MARK: - Eviction

    @Test func `an evicted window never passes`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2))
        for _ in 1...5 { harness.push() }
        for query in ["exactly=2", "exactly=0&device=\(other)", "count=5", "exactly=2&wait=1s"] {
            let response = harness.send("/v1/notifications?\(query)")
            #expect(response.status == 417, "\(query)")
            #expect(response.string("type") == "urn:mock-apns:journal-truncated", "\(query)")
            #expect(response.number("oldest") == 4)
        }
        #expect(harness.send("/v1/notifications?count=2").status == 200)
        #expect(harness.send("/v1/notifications?exactly=2&after=3").status == 200)
    }

    @Test func `eviction during a wait loses nothing`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2))
        let call = harness.start("/v1/notifications?device=6f1e*&exactly=1&wait=5s")
        harness.push()
        for _ in 1...20 { harness.push(other) }
        harness.loop.advance(200)
        #expect(call.response?.status == 200)
        #expect(call.response?.items.map { $0["seq"] as? Int } == [1])
    }

    // MARK: - Random order

    /// Readers follow the stream by cursor while it grows; between them nothing may be lost or seen twice.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func `chains of waits by cursor see every match once`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let harness = AdminHarness(limits: Journal.Limits(entries: 50))
        var readers = (0..<5).map { _ in Reader(device: Bool.random(using: &random) ? AdminHarness.device : other) }
        var sent: [String: [Int]] = [:]
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let device = Bool.random(using: &random) ? AdminHarness.device : other
                sent[device, default: []].append(Int(harness.push(device).seq))
            case 5..<7: harness.loop.run()
            case 7: harness.loop.advance(Int64.random(in: 0...30, using: &random))
            default:
                let index = Int.random(in: readers.indices, using: &random)
                readers[index].step(harness, count: Int.random(in: 1...3, using: &random))
            }
            for index in readers.indices { readers[index].step(harness, count: 1) }
        }
        harness.loop.advance(1000)
        for index in readers.indices {
            readers[index].finish(harness)
            #expect(readers[index].seen == sent[readers[index].device, default: []], "seed \(seed)")
        }
    }

    /// One who reads all pushes to a device by waiting again and again.
    private struct Reader {
        let device: String
        var cursor = 0
        var seen: [Int] = []
        var call: AdminHarness.Call?

        init(device: String) {
            self.device = device
        }

        mutating func step(_ harness: AdminHarness, count: Int) {
            if let response = call?.response { take(response) }
            if call == nil {
                call = harness.start(
                    "/v1/notifications?device=\(device)&after=\(cursor)&count=\(count)&wait=20ms&onTimeout=ok")
            }
        }

        mutating func finish(_ harness: AdminHarness) {
            if let response = call?.response { take(response) }
            take(harness.send("/v1/notifications?device=\(device)&after=\(cursor)&limit=1000"))
        }

        private mutating func take(_ response: AdminResponse) {
            #expect(response.status == 200, "\(response.text)")
            seen += response.items.compactMap { $0["seq"] as? Int }
            cursor = response.number("cursor") ?? -1
            call = nil
        }
    }
}

/// A small generator whose sequence depends on its seed alone.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

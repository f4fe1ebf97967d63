import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// The event stream over a real journal and a guest that reads when the test says so.
struct EventTests {
    private let harness = AdminHarness()
    private let other = String(repeating: "ab", count: 32)

    private func listen(
        _ query: String = "", accept: String? = nil, headers: [(name: String, value: String)] = [],
        on harness: AdminHarness? = nil
    ) -> FakeStream {
        let stream = FakeStream()
        let call = (harness ?? self.harness).start(
            "/v1/events" + query, accept: accept, headers: headers, stream: stream)
        #expect(call.response == nil, "\(call.response?.text ?? "")")
        return stream
    }

    private func refuse() {
        harness.push(
            failure: CheckFailure(
                .deviceTopic, .deviceTokenNotForTopic, expected: "a", actual: "b", explanation: "Not for this topic."))
    }

    /// Types and ids of server-sent events.
    private func events(_ text: String) -> [String] {
        text.components(separatedBy: "\n\n").compactMap { event in
            let lines = event.split(separator: "\n")
            guard let id = lines.first(where: { $0.hasPrefix("id: ") }) else { return nil }
            let type = lines.first { $0.hasPrefix("event: ") } ?? ""
            return "\(type.dropFirst(7)) \(id.dropFirst(4))"
        }
    }

    @Test func `hello comes first, then each entry as it is journaled, with its number as id`() throws {
        harness.push()
        let stream = listen()
        #expect(stream.head?.status == 200)
        #expect(stream.head?.header("content-type") == "text/event-stream")
        #expect(stream.head?.header("cache-control") == "no-store")
        let hello = stream.take()
        #expect(hello == "id: 1\nevent: hello\ndata: {\"version\":\"\",\"instance\":\"test\",\"cursor\":1}\n\n")
        harness.push()
        refuse()
        harness.breakConnection()
        harness.loop.run()
        let text = stream.take()
        #expect(events(text) == ["notification 2", "rejected 3", "broken 4"])
        let data = try #require(text.split(separator: "\n").first { $0.hasPrefix("data: ") }).dropFirst(6)
        let entry = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        #expect(entry?["seq"] as? Int == 2)
        #expect((entry?["display"] as? [String: Any])?["title"] as? String == "Shipped")
    }

    @Test func `it begins behind a cursor, or behind the last event that a browser has seen`() {
        for _ in 1...4 { harness.push() }
        #expect(events(listen("?after=2").take()) == ["hello 2", "notification 3", "notification 4"])
        #expect(events(listen("?after=0").take()).count == 5)
        #expect(events(listen("?after=now").take()) == ["hello 4"])
        let resumed = listen("?after=0", headers: [("last-event-id", "3")])
        #expect(events(resumed.take()) == ["hello 3", "notification 4"])
        let otherRun = listen(headers: [("last-event-id", "900")])
        #expect(events(otherRun.take()).count == 5)
        for id in ["x", "-1", ""] {
            #expect(harness.send("/v1/events", headers: [("last-event-id", id)]).status == 400)
        }
    }

    @Test func `filters and types choose`() {
        let device = listen("?device=\(other)")
        let refusals = listen("?types=rejected,broken")
        let badge = listen("?aps.badge=1")
        harness.push()
        harness.push(other)
        refuse()
        harness.push(payload: #"{"aps":{"badge":1}}"#)
        harness.loop.run()
        #expect(events(device.take()) == ["hello 0", "notification 2"])
        #expect(events(refusals.take()) == ["hello 0", "rejected 3"])
        #expect(events(badge.take()) == ["hello 0", "notification 4"])
        #expect(harness.send("/v1/events?types=notificaton").string("hint") == #"Did you mean "notification"?"#)
        #expect(harness.send("/v1/events?types=hello").status == 400)
    }

    @Test func `one object a line, with the type as a member`() throws {
        let stream = listen("?after=0", accept: "application/x-ndjson")
        #expect(stream.head?.header("content-type") == "application/x-ndjson")
        harness.push()
        harness.journal.reset()
        harness.loop.advance(AdminLimits.heartbeat)
        let lines = try stream.take().split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["event"] as? String } == ["hello", "reset", "heartbeat"])
        harness.push()
        harness.loop.run()
        let entry = try JSONSerialization.jsonObject(with: Data(stream.take().utf8)) as? [String: Any]
        #expect(entry?["event"] as? String == "notification")
        #expect(entry?["device"] as? String == AdminHarness.device)
    }

    @Test func `lines for people`() {
        let stream = listen("?after=0", accept: "text/plain")
        harness.push()
        harness.push(other)
        harness.loop.run()
        let lines = stream.take().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("Shipped - Order 42") })
    }

    @Test func `an idle stream is kept alive`() {
        let stream = listen()
        _ = stream.take()
        harness.loop.advance(AdminLimits.heartbeat - 1)
        #expect(stream.take().isEmpty)
        harness.loop.advance(1)
        #expect(stream.take() == ": keep-alive\n\n")
        harness.loop.advance(AdminLimits.heartbeat * 2)
        #expect(stream.take() == ": keep-alive\n\n: keep-alive\n\n")
    }

    @Test func `what changes the server is told to those who ask`() {
        let all = listen()
        let entries = listen("?types=notification")
        _ = harness.send("/v1/clock", method: "POST", json: #"{"advance": "61m"}"#)
        _ = harness.send("/v1/clock", method: "POST", accept: "text/plain", json: #"{"advance": "61m"}"#)
        _ = harness.send("/v1/clock", method: "POST", json: #"{"advance": "never"}"#)
        _ = harness.send("/v1/fail-next", method: "POST", json: #"{"reason": "Shutdown"}"#)
        _ = harness.send("/v1/chaos", method: "DELETE")
        _ = harness.send("/v1/reset", method: "POST")
        harness.loop.run()
        #expect(events(all.take()) == ["hello 0", "clock 0", "clock 0", "rule 0", "rule 0", "reset 0"])
        #expect(events(entries.take()) == ["hello 0"])
    }

    // MARK: - Slow guests

    @Test func `a slow guest gets everything that is still held, in order, and costs no more than the limit`() {
        let stream = listen()
        stream.isSlow = true
        let count = 2000
        for number in 1...count {
            harness.push()
            if number % 50 == 0 { harness.loop.run() }
        }
        #expect(stream.pendingBytes > AdminLimits.eventBytes / 2)
        #expect(stream.pendingBytes < AdminLimits.eventBytes + 4096)
        var seen: [String] = []
        for _ in 0..<100 {
            stream.drain()
            seen += events(stream.take())
        }
        #expect(seen == ["hello 0"] + (1...count).map { "notification \($0)" })
    }

    @Test func `a slow guest is told what it missed`() throws {
        let harness = AdminHarness(limits: Journal.Limits(entries: 100))
        let stream = listen("?types=notification", on: harness)
        stream.isSlow = true
        for _ in 1...1000 {
            harness.push()
            harness.loop.run()
        }
        stream.drain()
        let first = events(stream.take())
        stream.drain()
        let rest = events(stream.take())
        let last = try #require(first.last.flatMap { Int($0.dropFirst("notification ".count)) })
        #expect(last < 900)
        #expect(rest == ["evicted 900"] + (901...1000).map { "notification \($0)" })
        #expect(stream.take().isEmpty)
    }

    @Test func `what a slow guest missed is told with its bounds`() {
        let harness = AdminHarness(limits: Journal.Limits(entries: 2))
        for _ in 1...5 { harness.push() }
        let text = listen("?after=1", accept: "application/x-ndjson", on: harness).take()
        #expect(text.contains(#"{"event":"evicted","from":2,"to":3}"#))
    }

    /// Guests that drain at random moments see what they are meant to see, once and in order.
    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
    func `no entry is lost or told twice`(seed: UInt64) {
        var random = SplitMix(state: seed)
        let harness = AdminHarness(limits: Journal.Limits(entries: 10_000))
        let streams = (0..<3).map { _ in listen("?device=6f1e*", on: harness) }
        var expected = ["hello 0"]
        for _ in 0..<600 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let isMeant = Bool.random(using: &random)
                let seq = harness.push(isMeant ? AdminHarness.device : other).seq
                if isMeant { expected.append("notification \(seq)") }
            case 4: harness.loop.run()
            case 5: streams.randomElement(using: &random)?.isSlow.toggle()
            default: streams.randomElement(using: &random)?.drain()
            }
        }
        harness.loop.run()
        for stream in streams {
            for _ in 0..<50 { stream.drain() }
            #expect(events(stream.take()) == expected, "seed \(seed)")
        }
    }

    // MARK: - The end

    @Test func `a guest that leaves is forgotten`() {
        let stream = FakeStream()
        let call = harness.start("/v1/events", stream: stream)
        #expect(harness.application.readers == 1)
        harness.push()
        harness.leave(call)
        #expect(harness.application.readers == 0)
        #expect(harness.journal.statistics.followers == 0)
        #expect(harness.loop.pendingTimers == 0)
        _ = stream.take()
        harness.loop.advance(60_000)
        #expect(stream.take().isEmpty)
    }

    @Test func `stopping ends every stream, after what was journaled`() {
        let stream = listen()
        harness.push()
        harness.application.close()
        #expect(stream.isEnded)
        #expect(events(stream.take()) == ["hello 0", "notification 1"])
        #expect(harness.journal.statistics.followers == 0)
        #expect(harness.send("/v1/events").status == 200)
        let late = harness.start("/v1/events", stream: FakeStream())
        #expect(late.response?.status == 503)
    }

    @Test func `a closed journal ends streams`() {
        let stream = listen()
        harness.journal.close()
        harness.loop.run()
        #expect(stream.isEnded)
        #expect(harness.application.readers == 0)
    }

    @Test func `so many may read, one more is told so`() {
        let streams = (0..<AdminLimits.eventClients).map { _ in listen() }
        #expect(harness.application.readers == AdminLimits.eventClients)
        let refused = harness.start("/v1/events", stream: FakeStream())
        #expect(refused.response?.status == 429)
        #expect(refused.response?.string("type") == "urn:mock-apns:too-many-streams")
        harness.push()
        harness.loop.run()
        #expect(streams.allSatisfy { events($0.take()).count == 2 })
    }

    @Test func `HEAD gets the head`() {
        let response = harness.send("/v1/events", method: "HEAD")
        #expect(response.status == 200)
        #expect(response.header("content-type") == "text/event-stream")
        #expect(harness.application.readers == 0)
    }
}

import APNs
import Foundation
import HTTP
import Simulation
import Testing

@testable import Admin

/// Events that lie in no journal: what became of requests that waited, connections, and what a slow guest is told of them.
struct EventNewsTests {
    private let harness = AdminHarness()

    private func listen(_ query: String = "", accept: String? = "application/x-ndjson") -> FakeStream {
        let stream = FakeStream()
        let call = harness.start("/v1/events" + query, accept: accept, stream: stream)
        #expect(call.response == nil, "\(call.response?.text ?? "")")
        return stream
    }

    /// Each line of NDJSON as an object.
    private func objects(_ text: String) -> [[String: Any]] {
        text.split(separator: "\n").map {
            ((try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]) ?? [:]
        }
    }

    private func types(_ objects: [[String: Any]]) -> [String] { objects.map { $0["event"] as? String ?? "?" } }

    /// A push that a rule keeps waiting.
    private func wait(
        _ device: String = AdminHarness.device, _ rule: String = #"{"when": {"times": 1}, "then": {"delay": "10s"}}"#
    ) throws -> (entry: JournalEntry, answer: ScriptedAnswer) {
        #expect(harness.send("/v1/rules", method: "POST", json: rule).status == 201)
        let decision = harness.request(
            "POST", "/3/device/\(device)", [(.apnsTopic, "com.acme.app"), (.apnsPushType, "alert")],
            #"{"aps":{"alert":"hi"}}"#)
        guard case .perform(let answer) = decision.action else { throw CocoaError(.featureUnsupported) }
        return (decision.entry, answer)
    }

    // MARK: Completed

    @Test func `what became of a push that waited is told once, as the list shows it`() throws {
        let stream = listen("?types=notification,completed")
        let (entry, answer) = try wait()
        _ = try #require(answer.hold {})
        harness.loop.run()
        let before = objects(stream.take())
        #expect(types(before) == ["hello", "notification"])
        #expect(before.last?["state"] as? String == "pending")
        answer.isOver(entry, at: entry.content.receivedAt + 10_000)
        answer.isOver(entry, at: entry.content.receivedAt + 20_000)
        harness.loop.run()
        let after = try #require(objects(stream.take()).first)
        #expect(after["event"] as? String == "completed")
        #expect(after["seq"] as? Int == 1 && after["state"] as? String == "complete")
        #expect((after["response"] as? [String: Any])?["afterMs"] as? Int == 10_000)
        #expect(stream.take().isEmpty)
        let shown = try #require(harness.send("/v1/requests").items.first)
        #expect(NSDictionary(dictionary: shown) == NSDictionary(dictionary: after.filter { $0.key != "event" }))
    }

    @Test func `an answer that never waited completes nothing, and nobody hears who has not asked`() throws {
        let asking = listen("?types=completed")
        let usual = listen()
        let (entry, answer) = try wait()
        answer.isOver(entry, at: entry.content.receivedAt)
        harness.push()
        let (late, lateAnswer) = try wait()
        _ = try #require(lateAnswer.hold {})
        harness.loop.run()
        lateAnswer.isOver(late, at: late.content.receivedAt + 1)
        harness.loop.run()
        #expect(types(objects(asking.take())) == ["hello", "completed"])
        #expect(!types(objects(usual.take())).contains("completed"))
    }

    @Test func `filters choose among what was completed, too`() throws {
        let other = String(repeating: "ab", count: 32)
        let meant = listen("?types=completed&device=\(AdminHarness.device)&rule=*")
        let elsewhere = listen("?types=completed&device=\(other)")
        let (entry, answer) = try wait()
        _ = answer.hold {}
        answer.isOver(entry, at: entry.content.receivedAt + 1)
        harness.loop.run()
        #expect(types(objects(meant.take())) == ["hello", "completed"])
        #expect(types(objects(elsewhere.take())) == ["hello"])
    }

    @Test func `what a reset has forgotten is not heard of again`() throws {
        let stream = listen("?types=notification,completed,reset")
        let (entry, answer) = try wait()
        _ = answer.hold {}
        #expect(harness.send("/v1/reset", method: "POST").status == 200)
        answer.isOver(entry, at: entry.content.receivedAt + 1)
        #expect(entry.afterMilliseconds == 1)
        harness.loop.run()
        let seen = types(objects(stream.take()))
        #expect(!seen.contains("completed") && seen.contains("reset"))
    }

    @Test func `a guest that comes back does not begin behind an entry that was completed late`() throws {
        let stream = listen("?types=completed", accept: "text/event-stream")
        let (entry, answer) = try wait()
        _ = answer.hold {}
        for _ in 0..<3 { harness.push() }
        answer.isOver(entry, at: entry.content.receivedAt + 1)
        harness.loop.run()
        #expect(stream.take().contains("id: 4\nevent: completed\ndata: {"))
    }

    // MARK: Connections

    private func connect(_ id: UInt64) -> ConnectionRecord {
        harness.connections.open(
            PeerConnectionReference(
                PeerConnection(id: id, peer: "127.0.0.1:\(50_000 + id)", listener: "127.0.0.1:2197")),
            listenerKind: "apns", at: 1_768_469_400_000)
    }

    @Test func `connections are told when HTTP begins and when they end, each as it was at that moment`() throws {
        let stream = listen("?types=connection")
        let usual = listen()
        let record = connect(8)
        harness.loop.run()
        #expect(types(objects(stream.take())) == ["hello"])
        harness.connections.httpBegins(on: record, record.details.facts, version: "h2")
        let failed = connect(9)
        failed.breaks(.init(cause: "tls", explanation: "No trust"), failed.details.facts)
        harness.connections.close(failed, at: 1_768_469_401_000, because: "")
        harness.connections.close(record, at: 1_768_469_402_000, because: "The client closed the connection.")
        harness.connections.close(record, at: 1_768_469_403_000, because: "again")
        harness.loop.run()
        let seen = objects(stream.take())
        #expect(types(seen) == ["connection", "connection", "connection"])
        #expect(seen.map { $0["id"] as? String } == ["c8", "c9", "c8"])
        #expect(seen.map { $0["state"] as? String } == ["open", "failed", "ended"])
        #expect((seen[1]["failure"] as? [String: Any])?["cause"] as? String == "tls")
        let shown = harness.send("/v1/connections/c8").object
        #expect(NSDictionary(dictionary: shown) == NSDictionary(dictionary: seen[2].filter { $0.key != "event" }))
        #expect(types(objects(usual.take())) == ["hello"])
    }

    @Test func `connections as lines for people`() {
        let stream = listen("?types=connection", accept: "text/plain")
        harness.connections.close(connect(8), at: 1_768_469_401_000, because: "It left.")
        harness.loop.run()
        #expect(stream.take() == "--- connection c8 FAILED apns 127.0.0.1:50008 0 requests (It left.)\n")
    }

    @Test func `a guest that has left hears nothing and is let go of`() {
        let stream = FakeStream()
        let call = harness.start("/v1/events?types=connection", stream: stream)
        _ = stream.take()
        harness.leave(call)
        harness.connections.close(connect(8), at: 1, because: "")
        harness.loop.run()
        #expect(stream.take().isEmpty)
    }

    // MARK: Slow guests

    /// Fills what may wait for a guest.
    private func fill(_ stream: FakeStream) {
        stream.isSlow = true
        while stream.pendingBytes < AdminLimits.eventBytes {
            for _ in 0..<50 { harness.push() }
            harness.loop.run()
        }
    }

    @Test func `a guest that does not read is told how many other events it missed, of each type`() throws {
        let stream = listen("?types=notification,clock,rule,connection")
        fill(stream)
        let pushed = Int(harness.journal.cursor)
        for _ in 0..<3 { _ = harness.send("/v1/clock", method: "POST", json: #"{"advance": "1s"}"#) }
        _ = harness.send("/v1/fail-next", method: "POST", json: #"{"reason": "Shutdown"}"#)
        harness.connections.close(connect(8), at: 1, because: "")
        harness.loop.run()
        #expect(!stream.take().contains("clock"))
        var seen: [[String: Any]] = []
        for _ in 0..<10 {
            stream.drain()
            seen += objects(stream.take())
        }
        let told = seen.filter { $0["event"] as? String == "evicted" }
        #expect(told.count == 1)
        #expect(told.first?["leftOut"] as? [String: Int] == ["clock": 3, "rule": 1, "connection": 1])
        // Entries lie in the journal: none of them is lost.
        #expect(seen.count { $0["event"] as? String == "notification" } == pushed)
        // What it has been told it is not told again, and what comes now it gets.
        _ = harness.send("/v1/clock", method: "POST", json: #"{"advance": "1s"}"#)
        harness.loop.run()
        stream.drain()
        #expect(types(objects(stream.take())) == ["clock"])
    }

    @Test func `what nobody fetches in time is counted, not kept`() throws {
        let stream = listen("?types=connection")
        _ = stream.take()
        let more = 7
        for number in 0..<AdminLimits.eventsAhead + more {
            harness.connections.close(connect(UInt64(100 + number)), at: 1, because: "")
        }
        harness.loop.run()
        let seen = objects(stream.take())
        #expect(seen.count { $0["event"] as? String == "connection" } == AdminLimits.eventsAhead)
        harness.push()
        harness.loop.run()
        let told = try #require(objects(stream.take()).first)
        #expect(told["leftOut"] as? [String: Int] == ["connection": more])
    }

    @Test func `a stream that ends says what its guest will not get`() throws {
        let stream = listen("?types=notification,clock")
        fill(stream)
        for _ in 0..<50 { harness.push() }
        _ = harness.send("/v1/clock", method: "POST", json: #"{"advance": "1s"}"#)
        harness.application.close()
        stream.drain()
        let seen = objects(stream.take())
        let last = seen.compactMap { $0["seq"] as? Int }.last ?? 0
        #expect(last < Int(harness.journal.cursor))
        #expect(seen[seen.count - 2]["from"] as? Int == last + 1)
        #expect(seen[seen.count - 2]["to"] as? Int == Int(harness.journal.cursor))
        #expect(seen.last?["leftOut"] as? [String: Int] == ["clock": 1])
    }

    @Test func `lines for people say it, too`() {
        let stream = listen("?types=notification,clock", accept: "text/plain")
        fill(stream)
        _ = harness.send("/v1/clock", method: "POST", json: #"{"advance": "1s"}"#)
        var text = ""
        for _ in 0..<20 {
            stream.drain()
            text += stream.take()
        }
        #expect(text.contains("--- evicted {\"leftOut\":{\"clock\":1}}\n"))
    }
}

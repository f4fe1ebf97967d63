import APNs
import Foundation
import Simulation
import Testing

@testable import Admin

/// The journal taken out and put in again.
struct ImportTests {
    private let harness = AdminHarness()

    /// The entries of a journal with refused and broken ones, as an export has them.
    private func export() -> [String] {
        let source = AdminHarness()
        source.push(payload: "{\n \"aps\": {\"alert\": \"One\"} }")
        source.push(
            failure: CheckFailure(
                .topicPresent, .missingTopic, expected: "a topic", actual: "none", explanation: "None."))
        source.breakConnection(firstBytes: [22, 3])
        return source.send("/v1/export").text.split(separator: "\n").map {
            String($0.replacing("n_test_", with: "n_other_"))
        }
    }

    private func add(_ entries: [String]) -> AdminResponse {
        harness.send("/v1/import", method: "POST", json: #"{"entries":[\#(entries.joined(separator: ","))]}"#)
    }

    @Test func `what an export gives comes in as it was, under new numbers`() throws {
        harness.push()
        let lines = export()
        let response = add(lines)
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text == #"{"imported":3,"skipped":0,"first":2,"cursor":4}"#)
        let items = harness.send("/v1/requests").items
        #expect(items.map { $0["seq"] as? Int } == [1, 2, 3, 4])
        for (line, item) in zip(lines, items.dropFirst()) {
            var before = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            var after = item
            #expect(after["restored"] as? [String: Bool] == ["headers": true])
            for member in ["seq", "restored"] { (before[member], after[member]) = (nil, nil) }
            #expect(before as NSDictionary == after as NSDictionary)
        }
        #expect(harness.send("/v1/requests/n_other_2").number("seq") == 3)
        #expect(harness.send("/v1/requests?outcome=broken").items.count == 1)
        #expect(harness.send("/v1/notifications?aps.alert=One").items.count == 1)
    }

    @Test func `an inbox names what came in by the id that it has`() {
        harness.push()
        #expect(add(export()).status == 200)
        let inbox = harness.send("/v1/devices/\(AdminHarness.device)/inbox").text
        #expect(inbox.contains("n_other_1") && !inbox.contains("n_test_2"), "\(inbox)")
    }

    @Test func `what is there already is skipped`() {
        let lines = export()
        #expect(add(lines).number("imported") == 3)
        #expect(add(lines).text == #"{"imported":0,"skipped":3,"first":null,"cursor":3}"#)
        harness.push()
        let own = harness.send("/v1/export?after=3").text
        #expect(add([own]).number("skipped") == 1)
        #expect(add([]).number("imported") == 0)
    }

    @Test func `a waiting call and a reader of events see it`() {
        let waiting = harness.start("/v1/notifications?wait=30s")
        let stream = FakeStream()
        _ = harness.start("/v1/events", stream: stream)
        #expect(add(export()).status == 200)
        harness.loop.run()
        #expect(waiting.response?.status == 200)
        #expect(stream.take().contains("n_other_1"))
    }

    @Test func `entries come into the namespace that is called`() {
        #expect(harness.send("/v1/namespaces", method: "POST", json: #"{"name": "suite"}"#).status == 201)
        let body = #"{"entries":[\#(export().joined(separator: ","))]}"#
        #expect(harness.send("/v1/ns/suite/import", method: "POST", json: body).status == 200)
        #expect(harness.send("/v1/requests").items.isEmpty)
        let item = harness.send("/v1/ns/suite/requests").items[0]
        #expect(item["namespace"] as? String == "suite")
        #expect((item["links"] as? [String: String])?["self"] == "/v1/ns/suite/requests/n_other_1")
    }

    @Test(arguments: [
        ("{}", "no array \"entries\""), (#"{"entries":{}}"#, "no array"), (#"{"entris":[]}"#, "entris"),
        (#"{"entries":[7]}"#, "$.entries[0]: found 7; expected an object"),
        (#"{"entries":[{"id":"n_x_1","seq":1}]}"#, "$.entries[0].outcome: found nothing; expected one of accepted"),
        (#"{"entries":[{"id":"a b"}]}"#, "$.entries[0].id: expected an id"),
    ])
    func `what is no entry is refused with its place`(body: String, words: String) {
        let response = harness.send("/v1/import", method: "POST", json: body)
        #expect(response.status == 400)
        #expect((response.string("detail") + response.string("hint")).contains(words), "\(response.text)")
    }

    @Test func `all of a call is taken, or nothing`() {
        let response = add(export() + [#"{"id":"n_x_1","seq":0}"#])
        #expect(response.string("detail").hasPrefix("$.entries[3].seq: found 0; expected"), "\(response.text)")
        #expect(harness.journal.cursor == 0)
    }

    @Test func `an answer may have taken a hundred years and no longer`() {
        func line(_ time: Int64) -> String {
            export()[0].replacing(/"afterMs":(\d+|null)/, with: "\"afterMs\":\(time)")
        }
        for time in [Int64.max, EntryReader.answerTimeLimit + 1] {
            let response = add([line(time)])
            #expect(response.status == 400)
            #expect(
                response.string("detail").hasPrefix("$.entries[0].response.afterMs: found \(time); expected"),
                "\(response.text)")
        }
        #expect(add([line(EntryReader.answerTimeLimit)]).number("imported") == 1)
        #expect(harness.send("/v1/export?format=junit").text.contains(#"time="3155760000.000""#))
        #expect(harness.send("/v1/report").status == 200)
        #expect(harness.send("/v1/report?format=junit").status == 200)
    }

    @Test(arguments: [
        (Int64.max, "9223372036854775.807"), (.min, "0.000"), (-1, "0.000"), (7, "0.007"), (61_050, "61.050"),
    ])
    func `a JUnit case writes every time`(milliseconds: Int64, text: String) {
        var document = JUnitDocument("times")
        document.add(JUnitDocument.Case(name: "one", milliseconds: milliseconds))
        #expect(document.text.contains("time=\"\(text)\""), "\(document.text)")
    }

    @Test func `a payload may hold a name twice, an entry may not`() {
        let source = AdminHarness()
        source.push(payload: #"{"aps":{"alert":"One"},"a":1,"a":2}"#)
        let line = source.send("/v1/export").text.replacing("n_test_", with: "n_other_")
        #expect(line.contains(#""a":1,"a":2"#))
        #expect(add([line]).number("imported") == 1)
        let response = add([#"{"id":"n_x_1","id":"n_x_2"}"#])
        #expect(response.string("detail") == "$.entries[0].id: it stands twice; expected once.", "\(response.text)")
    }

    // MARK: Out, piece by piece

    @Test func `an export is made as fast as it is read`() {
        for number in 0..<2000 {
            harness.push(payload: #"{"aps":{"alert":"\#(number)"},"x":"\#(String(repeating: "x", count: 500))"}"#)
        }
        let stream = FakeStream()
        stream.isSlow = true
        _ = harness.start("/v1/export", stream: stream)
        #expect(stream.head?.status == 200)
        #expect(stream.head?.header("content-type") == "application/x-ndjson")
        #expect(stream.pendingBytes >= AdminLimits.eventBytes)
        #expect(stream.pendingBytes < 2 * AdminLimits.eventBytes)
        // What comes now is not in it, and what goes now is.
        harness.push()
        harness.journal.reset()
        var text = ""
        while !stream.isEnded {
            stream.drain()
            text += stream.take()
        }
        stream.drain()
        text += stream.take()
        let numbers = text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /"seq":(\d+)/).flatMap { Int($0.1) }
        }
        #expect(numbers == Array(1...2000))
    }

    @Test func `exports have a limit, and a guest that leaves makes room`() {
        for _ in 0..<2000 { harness.push() }
        var calls: [AdminHarness.Call] = []
        var streams: [FakeStream] = []
        for _ in 0..<AdminLimits.sendings {
            let stream = FakeStream()
            stream.isSlow = true
            streams.append(stream)
            calls.append(harness.start("/v1/export", stream: stream))
        }
        let late = harness.start("/v1/export", stream: FakeStream())
        #expect(late.response?.status == 429)
        harness.leave(calls[3])
        let next = FakeStream()
        _ = harness.start("/v1/export", stream: next)
        #expect(next.isEnded)
        streams[3].drain()
        #expect(!streams[3].isEnded)
    }

    @Test func `an empty export ends at once`() {
        let stream = FakeStream()
        _ = harness.start("/v1/export", stream: stream)
        #expect(stream.isEnded && stream.take().isEmpty)
        #expect(harness.send("/v1/export", method: "HEAD").status == 200)
    }
}

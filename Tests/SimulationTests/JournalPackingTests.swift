import APNs
import Foundation
import HTTP
import JSON
import Simulation
import TestFixtures
import Testing

/// Answered entries are packed when the next ones come; nobody may notice.
struct JournalPackingTests {
    /// The place of an entry in a test, told from its device.
    private static func device(_ number: Int) -> String {
        String(repeating: "0", count: 56) + String(format: "%08x", number + 1)
    }

    private static func answered(_ content: JournalEntry.Content) -> JournalEntry {
        let entry = JournalEntry(content)
        entry.answered(afterMilliseconds: 3)
        return entry
    }

    private static func text(_ entry: JournalEntry) -> String {
        var text = ""
        dump(entry.content, to: &text)
        return text
    }

    private static func numbers(_ entries: some Sequence<JournalEntry>) -> [Int] {
        entries.map { entry in
            let device = entry.content.request.text(in: entry.content.device!)
            return Int(device.suffix(8), radix: 16)! - 1
        }
    }

    /// Entries of every kind, each with something that another does not have.
    private static func samples() -> [JournalEntry.Content] {
        var full = JournalFixture.content(headers: [
            (.apnsCollapseID, "apns-collapse-id", "score"), (.apnsExpiration, "apns-expiration", "1768469401"),
            (.other, "x-trace", "a\u{1F600}"),
        ])
        full.serverTime = 12
        full.stream = 15
        full.requestsOnConnection = 8
        full.environment = .production
        full.profile = .live
        full.isPushTypeInferred = true
        full.topic = full.request.valueRange(.apnsTopic)
        full.collapseID = full.request.valueRange(.apnsCollapseID)
        full.expiration = 1_768_469_401
        full.priority = 5
        full.apnsID = UUIDText(Array("EC1BF194-B3B2-424A-8912-0123456789AB".utf8))
        full.apnsUniqueID = UUIDText(Array("7C833119-83D9-9192-777A-F6C5B0D032A1".utf8))
        full.payloadLimit = 5120
        full.payload.isSilent = true
        full.payload.title = .init(start: 3, end: 9)
        full.authentication = .token(keyID: "K", teamID: "T", issuedAt: 1.5, signature: "verified")
        var bare = JournalFixture.content(payload: "")
        bare.request = HTTPRequest()
        bare.device = nil
        bare.pushType = nil
        var found = JournalFixture.content()
        found.findings = [Finding(.alreadyExpired, path: "apns-expiration", found: "1", message: "late")]
        var refused = JournalFixture.content(.rejected)
        refused.reason = .badTopic
        refused.failures = [
            CheckFailure(.topicForm, .badTopic, expected: "one", actual: "another", explanation: "no")
        ]
        var ruled = JournalFixture.content(.faulted)
        ruled.rule = JournalEntry.RuleUse(id: "all", attempt: 1, draw: 0.5)
        var cut = JournalFixture.content()
        cut.request.droppedBodyBytes = 9
        var broken = JournalFixture.content(.broken)
        broken.breakage = .init(cause: "tls", explanation: "why", firstBytes: [1, 2])
        let large = JournalFixture.content(payload: #"{"a":"\#(String(repeating: "x", count: 60_000))"}"#)
        return [full, bare, found, refused, ruled, cut, broken, large, JournalFixture.content()]
    }

    @Test func `a packed entry is the entry that was packed`() throws {
        let journal = JournalFixture.journal()
        let samples = Self.samples()
        for content in samples { #expect(journal.commit([Self.answered(content)]) > 0) }
        _ = journal.commit([JournalFixture.entry()])
        for (number, content) in samples.enumerated() {
            let entry = try #require(journal.entry(id: "\(number + 1)"))
            #expect(Self.text(entry) == Self.text(JournalEntry(content)))
            #expect(entry.seq == UInt64(number + 1))
            #expect(entry.afterMilliseconds == 3)
            #expect(entry.cost == JournalEntry(content).cost)
            var (actual, expected) = (JSONWriter(), JSONWriter())
            journal.renderer.write(entry, to: &actual)
            let original = Self.answered(content)
            original.assign(seq: entry.seq)
            journal.renderer.write(original, to: &expected)
            #expect(actual.bytes == expected.bytes)
        }
    }

    @Test func `everything that an entry has is kept`() {
        let known: Set = ["facts", "request", "connection", "sender", "failures", "findings", "rareBox"]
        let stored = Set(Mirror(reflecting: JournalFixture.content()).children.compactMap(\.label))
        #expect(
            stored == known, "a new stored property of Content must be kept by EntrySlab, or stand in Facts or Rare")
        #expect(JournalEntry.Content.isFactsTrivial, "Facts are copied as bytes")
    }

    @Test func `an entry that waits for its answer stays the same object`() throws {
        let journal = JournalFixture.journal()
        let waiting = JournalFixture.entry()
        _ = journal.commit([Self.answered(JournalFixture.content()), waiting])
        for _ in 0..<3000 { _ = journal.commit([Self.answered(JournalFixture.content())]) }
        #expect(journal.entry(id: "2") === waiting)
        #expect(journal.entry(id: "2")?.afterMilliseconds == nil)
        waiting.answered(afterMilliseconds: 60_000)
        #expect(journal.entry(id: "2")?.afterMilliseconds == 60_000)
        #expect(journal.snapshot().entries.map(\.seq) == Array(1...3002))
    }

    @Test func `who holds entries sees them while their memory would be used again`() {
        let journal = JournalFixture.journal(entries: 300)
        var held: [(Journal.Snapshot, ClosedRange<Int>)] = []
        for number in 0..<4000 {
            _ = journal.commit([Self.answered(JournalFixture.content(device: Self.device(number)))])
            if number % 700 == 699 { held.append((journal.snapshot(), number - 299...number)) }
        }
        for (snapshot, expected) in held { #expect(Self.numbers(snapshot.entries) == Array(expected)) }
        #expect(Self.numbers(journal.snapshot().entries.reversed()) == Array((3700..<4000).reversed()))
    }

    @Test func `an evicted entry that was not packed is released, though its neighbours stay`() {
        let journal = JournalFixture.journal(entries: 10)
        weak var refused: JournalEntry?
        do {
            let entry = Self.answered(Self.samples()[3])
            refused = entry
            _ = journal.commit([entry])
        }
        for _ in 0..<9 { _ = journal.commit([Self.answered(JournalFixture.content())]) }
        #expect(refused != nil)
        _ = journal.commit([Self.answered(JournalFixture.content())])
        #expect(refused == nil)
    }

    @Test func `each line has its number in all its places, whichever batch it came in`() throws {
        let path = try JournalFixture.path()
        let journal = JournalFixture.journal(log: try InspectionLog(path: path))
        for size in [1, 8, 1, 90, 3, 7, 900, 1, 1, 90] {
            #expect(journal.commit((0..<size).map { _ in JournalFixture.entry() }) > 0)
            journal.commitWithoutLog([JournalFixture.entry()])
        }
        let lines = try JournalFixture.lines(path)
        #expect(lines.count == 1102)
        for line in lines {
            let seq = try #require(line["seq"] as? Int)
            let id = "n_k3x9_\(seq)"
            #expect(line["id"] as? String == id)
            let links = try #require(line["links"] as? [String: String])
            #expect(
                links == [
                    "self": "/v1/requests/\(id)", "raw": "/v1/requests/\(id)/raw",
                    "ui": "http://127.0.0.1:2198/#/\(id)",
                ])
        }
    }

    /// Everything that a journal can be asked, against an array that is asked the same.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `a journal and an array agree`(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...600, using: &generator)
        let journal = JournalFixture.journal(entries: limit)
        var model: [(seq: UInt64, number: Int)] = []
        var waiting: [JournalEntry] = []
        var number = 0
        for _ in 0..<400 {
            let batch = (0..<Int.random(in: 1...20, using: &generator)).map { offset in
                let isRefused = Int.random(in: 0..<6, using: &generator) == 0
                var content = JournalFixture.content(
                    isRefused ? .rejected : .accepted, device: Self.device(number + offset),
                    connection: UInt64.random(in: 0..<40, using: &generator),
                    payload: String(repeating: "7", count: Int.random(in: 0...3000, using: &generator)))
                if isRefused {
                    content.failures = [
                        CheckFailure(.topicForm, .badTopic, expected: "", actual: "", explanation: "")
                    ]
                }
                return JournalEntry(content)
            }
            #expect(journal.commit(batch) > 0)
            model += batch.enumerated().map { ($1.seq, number + $0) }
            number += batch.count
            for entry in batch {
                if Int.random(in: 0..<50, using: &generator) == 0 {
                    waiting.append(entry)
                } else {
                    entry.answered(afterMilliseconds: 1)
                }
            }
            if Int.random(in: 0..<10, using: &generator) == 0 {
                waiting.popLast()?.answered(afterMilliseconds: 1)
            }
            model.removeFirst(max(0, model.count - limit))
            switch Int.random(in: 0..<40, using: &generator) {
            case 0:
                var matcher = Matcher()
                let gone = model.randomElement(using: &generator)!
                try matcher.require("device", anyOf: [Self.device(gone.number)])
                #expect(journal.remove(matching: matcher) == 1)
                model.removeAll { $0.seq == gone.seq }
            case 1:
                journal.reset()
                model = []
            default:
                let after = UInt64.random(in: 0...journal.cursor, using: &generator)
                let snapshot = journal.snapshot(after: after)
                let expected = model.filter { $0.seq > after }
                #expect(snapshot.entries.map(\.seq) == expected.map(\.seq))
                #expect(Self.numbers(snapshot.entries) == expected.map(\.number))
                #expect(snapshot.entries.count == expected.count)
                #expect(snapshot.oldest == model.first?.seq ?? journal.cursor + 1)
                if let one = model.randomElement(using: &generator) {
                    #expect(journal.entry(id: "\(one.seq)").map { Self.numbers([$0]) } == [one.number])
                }
            }
        }
        #expect(journal.statistics.entries == model.count)
        #expect(journal.statistics.bytes == journal.snapshot().entries.reduce(0) { $0 + $1.cost })
    }
}

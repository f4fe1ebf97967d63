import APNs
import Foundation
import HTTP
import JSON
import Simulation
import TestFixtures
import Testing

/// Entries that are read out of a log or an export are what they were.
struct RestoreTests {
    /// Entries of these contents, with neither number nor answer.
    private static func entries() throws -> [JournalEntry] {
        try contents.get().map { JournalEntry($0) }
    }

    private static let contents = Result { try makeContents() }

    /// One for each vector of device pushes and channels, and some that none of them makes.
    private static func makeContents() throws -> [JournalEntry.Content] {
        var entries: [JournalEntry.Content] = []
        for vector in try SimulatorVectorTests.vectors.get() {
            var configuration = Simulator.Configuration()
            configuration.acceptsUnknownDevices = vector.unknownDevices != "reject"
            var sender = try PushSender(
                configuration, devices: DeviceStore(vector.registry ? DeviceFixture.devices : []))
            entries.append(sender.decide(try sender.recipe(vector.request)).entry.content)
        }
        for vector in try ChannelVectorTests.vectors.get() {
            var sender = try ChannelSender(Simulator.Configuration())
            entries.append(sender.sender.decide(try sender.recipe(vector.request)).entry.content)
        }
        var ruled = JournalFixture.content(.faulted)
        ruled.rule = JournalEntry.RuleUse(
            id: "a \"b\"", attempt: 2, draw: 0.03125, outcome: "hang", delayMilliseconds: 7)
        ruled.status = 0
        var discarded = JournalFixture.content()
        discarded.rule = JournalEntry.RuleUse(id: "r", attempt: 1, outcome: "silently-discard")
        discarded.rare.isDiscarded = true
        var late = JournalFixture.content(headers: [
            (.apnsExpiration, "apns-expiration", "1768469401"), (.apnsCollapseID, "apns-collapse-id", "score"),
            (.userAgent, "user-agent", "APNS/\"swift\""),
        ])
        (late.serverTime, late.expiration) = (12, 1_768_469_401)
        late.collapseID = late.request.valueRange(.apnsCollapseID)
        late.findings = [Finding(.alreadyExpired, path: "apns-expiration", found: "1", message: "late")]
        late.apnsID = UUIDText(Array("EC1BF194-B3B2-424A-8912-0123456789AB".utf8))
        var spread = JournalFixture.content(payload: "{\n  \"aps\": {\r\n \"alert\": \"two words\" } }")
        spread.defaultTopic = nil
        var strange = JournalFixture.content(.rejected, payload: "no JSON")
        strange.payload.form = .other
        strange.reason = .badRequestPayload
        strange.failures = [
            CheckFailure(
                .payload, .badRequestPayload, expected: "JSON", actual: "text", explanation: "no", timestamp: 5,
                fix: "mend")
        ]
        var binary = strange
        binary.request = JournalFixture.request(payload: "")
        ([0xFF, 0xFE, 0x00, 0x41] as [UInt8]).withUnsafeBytes { binary.request.appendBody($0) }
        binary.device = nil
        var cut = strange
        cut.request = JournalFixture.request(payload: String(repeating: "ä", count: 9000))
        cut.request.droppedBodyBytes = 9
        let null = JournalFixture.content(payload: "null")
        var broken = JournalFixture.content(.broken)
        broken.request = HTTPRequest()
        broken.device = nil
        broken.pushType = nil
        broken.breakage = .init(cause: "tls", explanation: "why \u{7}", firstBytes: [1, 0x2A, 255])
        let contents = [ruled, discarded, late, spread, strange, binary, cut, null, broken]
        return entries
            + contents.map { content in
                var content = content
                var document = JSONDocument()
                _ = document.parse(content.request.storage, in: content.request.bodyRange)
                content.payload = PayloadFacts(document)
                return content
            }
    }

    private static func worlds(
        log: InspectionLog? = nil, entries: Int = 10_000, bytes: Int = 64 << 20, instance: String = "new",
        others: [String] = [],
        budget: JournalBudget = JournalBudget()
    ) throws -> Worlds {
        let journal = Journal(
            limits: .init(entries: entries, bytes: bytes), log: log,
            renderer: EntryRenderer(instance: instance, adminBase: "http://h"),
            budget: budget)
        let simulator = Simulator(
            configuration: .init(), journal: journal, keys: KeyStore([]), clock: ServerClock(frozenAt: PushSender.start)
        )
        let worlds = Worlds(simulator, budget: budget)
        for name in others { _ = try worlds.add(NamespaceOrder(name), now: 0) }
        return worlds
    }

    private static func journal(_ worlds: Worlds, _ name: String = "default") throws -> Journal {
        try #require(worlds.all.first { $0.name == name }).simulator.journal
    }

    /// A log that an earlier run wrote, with so many accepted pushes.
    private static func log(_ count: Int, instance: String = "old", to path: String? = nil) throws -> String {
        let path = try path ?? JournalFixture.path()
        let worlds = try worlds(log: InspectionLog(path: path), instance: instance)
        for number in 0..<count {
            let device = String(format: "%064x", number + 1)
            #expect(try journal(worlds).commit([JournalFixture.entry(device: device)]) > 0)
        }
        return path
    }

    private static func object(_ entry: JournalEntry, _ journal: Journal) throws -> [String: Any] {
        var writer = JSONWriter()
        journal.renderer.write(entry, to: &writer)
        return try #require(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
    }

    private static func without(_ names: [String], _ object: [String: Any]) -> NSDictionary {
        var object = object
        for name in names { object[name] = nil }
        return object as NSDictionary
    }

    @Test func `a log comes back as it was, but for what its lines do not hold`() throws {
        let path = try JournalFixture.path()
        let old = try Self.journal(try Self.worlds(log: InspectionLog(path: path), instance: "old"))
        let entries = try Self.entries()
        #expect(old.commit(entries) > 0)
        for entry in entries where entry.content.breakage == nil { entry.answered(afterMilliseconds: 3) }
        let worlds = try Self.worlds()
        let resume = LogResume(path: path, into: worlds)
        #expect(resume.brokenLines == [] && resume.passedOver.isEmpty)
        let new = try Self.journal(worlds)
        let back = Array(new.snapshot().entries)
        try #require(back.count == entries.count)
        for (was, now) in zip(entries, back) {
            #expect(was.seq == now.seq)
            var (before, after) = (try Self.object(was, old), try Self.object(now, new))
            #expect(after["state"] as? String == "complete")
            if was.content.outcome == .accepted {
                #expect((after["restored"] as? [String: Bool]) == ["headers": false])
                before["headers"] = nil
                after["headers"] = nil
            }
            // The line was written before the answer left.
            if var response = before["response"] as? [String: Any] {
                response["afterMs"] = NSNull()
                before["response"] = response
            }
            #expect(Self.without(["restored"], after) == Self.without([], before))
            #expect(now.content.rare.isDiscarded == was.content.rare.isDiscarded)
            #expect(new.entry(id: old.renderer.id(of: was))?.seq == was.seq)
            #expect(new.renderer.id(of: now) == old.renderer.id(of: was))
        }
        #expect(new.cursor == old.cursor)
        #expect(new.statistics.accepted == 0, "counters are about what was received")
    }

    @Test func `an export comes back whole, and so does what came back`() throws {
        let old = try Self.journal(try Self.worlds(instance: "old"))
        let entries = try Self.entries()
        #expect(old.commit(entries) > 0)
        for entry in entries where entry.content.breakage == nil { entry.answered(afterMilliseconds: 3) }
        var reader = EntryReader()
        for entry in entries {
            let before = try Self.object(entry, old)
            var once = entry
            for _ in 0..<2 {
                once = try Self.read(once, old, &reader)
                let after = try Self.object(once, old)
                #expect(Self.without(["restored"], after) == Self.without([], before))
                #expect(after["restored"] as? [String: Bool] == ["headers": true])
            }
        }
    }

    private static func read(
        _ entry: JournalEntry, _ journal: Journal, _ reader: inout EntryReader
    ) throws -> JournalEntry {
        var writer = JSONWriter()
        journal.renderer.write(entry, to: &writer)
        var document = JSONDocument()
        #expect(document.parse(writer.bytes) == nil)
        return try reader.entry(try #require(EntryObject(document, document.root)))
    }

    @Test(arguments: [
        ("device", "device"), ("topic", "topic"), ("collapseId", "collapseId"), ("channel", "channel"),
        ("type", "pushType"), ("priority", "priority"), ("apnsId", "apnsId"), ("env", "environment"),
        ("outcome", "outcome"), ("kind", "kind"),
    ])
    func `filters find what came back as they found it before`(field: String, member: String) throws {
        let path = try JournalFixture.path()
        let old = try Self.journal(try Self.worlds(log: InspectionLog(path: path), instance: "old"))
        #expect(old.commit(try Self.entries()) > 0)
        let worlds = try Self.worlds()
        _ = LogResume(path: path, into: worlds)
        let new = try Self.journal(worlds)
        var values: Set<String> = []
        for entry in old.snapshot().entries {
            let value = try Self.object(entry, old)[member]
            if let text = value as? String {
                values.insert(text)
            } else if let number = value as? Int {
                values.insert("\(number)")
            }
        }
        #expect(!values.isEmpty)
        for value in values.sorted().prefix(12) {
            var matcher = Matcher()
            guard (try? matcher.require(field, anyOf: [value])) != nil else { continue }
            func found(_ journal: Journal) -> [UInt64] {
                journal.snapshot().entries.filter { matcher.matches($0) }.map(\.seq)
            }
            #expect(found(new) == found(old), "\(field)=\(value)")
        }
    }

    @Test func `numbers, ids and cursors go on where they were`() throws {
        let path = try Self.log(5)
        let log = try InspectionLog(path: path)
        let worlds = try Self.worlds(log: log)
        let resume = LogResume(path: path, into: worlds)
        #expect(resume.loaded.map(\.count) == [5])
        #expect(resume.lastConnection == 7)
        let journal = try Self.journal(worlds)
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        #expect(journal.snapshot(after: 4).entries.map(\.seq) == [5, 6])
        #expect(!journal.snapshot(after: 0).truncated)
        #expect(journal.entry(id: "n_old_5")?.seq == 5)
        #expect(journal.entry(id: "n_new_6")?.seq == 6)
        #expect(journal.entry(id: "5")?.seq == 5)
        #expect(journal.entry(id: "n_old_6") == nil)
        // What came back was in the log already, and what came later is resumed with it.
        let again = try Self.worlds(instance: "third")
        #expect(LogResume(path: path, into: again).loaded.map(\.count) == [6])
        #expect(try Self.journal(again).entry(id: "n_new_6")?.seq == 6)
    }

    @Test func `a journal takes no more than it holds, and says that there was more`() throws {
        let path = try Self.log(50)
        let worlds = try Self.worlds(entries: 10)
        #expect(LogResume(path: path, into: worlds).loaded.map(\.count) == [10])
        let snapshot = try Self.journal(worlds).snapshot(after: 3)
        #expect(snapshot.entries.map(\.seq) == Array(41...50))
        #expect(snapshot.truncated && snapshot.oldest == 41 && snapshot.cursor == 50)
        #expect(try !Self.journal(worlds).snapshot(after: 40).truncated)
        let small = try Self.worlds(budget: JournalBudget(limit: 5 * JournalFixture.entry().cost))
        #expect(LogResume(path: path, into: small).loaded.map(\.count) == [5])
    }

    @Test func `an earlier run that was not resumed stays in the file`() throws {
        let path = try Self.log(7, instance: "first")
        _ = try Self.log(3, instance: "second", to: path)
        let worlds = try Self.worlds()
        let resume = LogResume(path: path, into: worlds)
        #expect(resume.loaded.map(\.count) == [3])
        #expect(resume.leftBehind == 7)
        #expect(LogResume(path: path, into: try Self.worlds(entries: 2)).leftBehind == nil)
        #expect(LogResume(path: path, into: try Self.worlds(others: ["suite"])).leftBehind == nil)
        // Without the first line of the second run the end of the first shows itself by its number.
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        lines.remove(at: 7)
        let cut = try JournalFixture.path()
        try (lines.joined(separator: "\n") + "\n").write(toFile: cut, atomically: true, encoding: .utf8)
        #expect(LogResume(path: cut, into: try Self.worlds()).leftBehind == 7)
        #expect(LogResume(path: try Self.log(2), into: try Self.worlds()).leftBehind == nil)
        #expect(
            try Self.journal(worlds).snapshot().entries.map { try Self.journal(worlds).renderer.id(of: $0) } == [
                "n_second_1", "n_second_2", "n_second_3",
            ])
    }

    @Test func `an id that was imported again after a reset comes back once`() throws {
        let path = try JournalFixture.path()
        let old = try Self.journal(try Self.worlds(log: InspectionLog(path: path), instance: "old"))
        #expect(old.commit([JournalFixture.entry(), JournalFixture.entry()]) > 0)
        var reader = EntryReader()
        let first = try Self.read(try #require(old.entry(id: "n_old_1")), old, &reader)
        old.reset()
        #expect(old.add(restored: [first])?.map(\.seq) == [3])
        let worlds = try Self.worlds()
        #expect(LogResume(path: path, into: worlds).loaded.map(\.count) == [2])
        let journal = try Self.journal(worlds)
        // The last line counts, and nothing is missing of what the cursor 0 asks for.
        #expect(journal.snapshot().entries.map(\.seq) == [2, 3])
        #expect(journal.snapshot().entries.map { journal.renderer.id(of: $0) } == ["n_old_2", "n_old_1"])
        #expect(journal.entry(id: "n_old_1")?.seq == 3)
        #expect(!journal.snapshot(after: 0).truncated)
    }

    @Test func `numbers go on above entries for which there is no room`() throws {
        let path = try Self.log(5)
        let small = try Self.worlds(bytes: 300)
        let resume = LogResume(path: path, into: small)
        #expect(resume.loaded.isEmpty && resume.lastConnection == 7)
        let journal = try Self.journal(small)
        #expect(journal.cursor == 5 && journal.snapshot(after: 0).truncated && !journal.snapshot(after: 5).truncated)
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        #expect(journal.cursor == 6)
        // The same for a namespace that comes too late for the memory that all share.
        let mixed = try JournalFixture.path()
        let old = try Self.worlds(log: InspectionLog(path: mixed), instance: "old", others: ["billing"])
        for name in ["default", "default", "billing", "billing", "billing"] {
            #expect(try Self.journal(old, name).commit([JournalFixture.entry()]) > 0)
        }
        let tight = try Self.worlds(others: ["billing"], budget: JournalBudget(limit: 1))
        #expect(LogResume(path: mixed, into: tight).loaded.map(\.count) == [1])
        #expect(try Self.journal(tight, "billing").cursor == 3)
        #expect(try Self.journal(tight).cursor == 2)
    }

    @Test func `a whole last line without its line break gets it and comes back`() throws {
        let path = try Self.log(2)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for start in [text, String(text.prefix { $0 != "\n" } + "\n")] {
            try String(start.dropLast()).write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try InspectionLog(path: path).cutBytes == 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == start)
            let count = start.count { $0 == "\n" }
            #expect(LogResume(path: path, into: try Self.worlds()).loaded.map(\.count) == [count])
        }
    }

    @Test func `each namespace gets its own entries, and others stay in the file`() throws {
        let path = try JournalFixture.path()
        let old = try Self.worlds(log: InspectionLog(path: path), instance: "old", others: ["billing", "gone"])
        for name in ["default", "billing", "gone", "billing", "default", "gone"] {
            #expect(try Self.journal(old, name).commit([JournalFixture.entry()]) > 0)
        }
        let new = try Self.worlds(others: ["billing", "fresh"])
        let resume = LogResume(path: path, into: new)
        #expect(resume.loaded.map(\.namespace) == ["default", "billing"])
        #expect(resume.loaded.map(\.count) == [2, 2])
        #expect(resume.passedOver == ["gone": 2])
        #expect(try Self.journal(new, "billing").snapshot().entries.map(\.seq) == [1, 2])
        #expect(try Self.journal(new, "fresh").cursor == 0)
    }

    @Test func `no more of a log is read than journals hold, whosever entries stand at its end`() throws {
        let path = try JournalFixture.path()
        let old = try Self.worlds(log: InspectionLog(path: path), instance: "old", others: (1...7).map { "gone-\($0)" })
        #expect(try Self.journal(old).commit([JournalFixture.entry()]) > 0)
        let payload = #"{"a":"\#(String(repeating: "x", count: 60_000))"}"#
        for number in 0..<35 {
            #expect(
                try Self.journal(old, "gone-\(number % 7 + 1)").commit([JournalFixture.entry(payload: payload)]) > 0)
        }
        let small = try Self.worlds(budget: JournalBudget(limit: 1000))
        let resume = LogResume(path: path, into: small)
        #expect(resume.loaded.isEmpty)
        #expect(resume.bytesRead >= LogResume.leastReading && resume.bytesRead < 3 << 19)
        let large = try Self.worlds()
        let whole = LogResume(path: path, into: large)
        #expect(whole.loaded.map(\.count) == [1])
        #expect(whole.passedOverWords == "gone-1 (5), gone-2 (5), gone-3 (5), gone-4 (5), gone-5 (5) and 2 more")
    }

    @Test func `a broken line is named by its number and stays out`() throws {
        let path = try Self.log(6)
        var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[1] = "{\"id\": nonsense}"
        lines[3] = lines[3].replacingOccurrences(of: "\"priority\":10", with: "\"priority\":\"high\"")
        lines[4] = "[]"
        let text = lines.joined(separator: "\n") + "\n\n{\"id\":\"n_old_9\",\"unfin"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let worlds = try Self.worlds()
        let resume = LogResume(path: path, into: worlds)
        #expect(resume.brokenCount == 4)
        #expect(resume.brokenLines.map(\.place) == ["line 7", "line 5", "line 4"])
        #expect(resume.brokenLines[0].why.contains("empty"))
        #expect(resume.brokenLines[1].why.contains("expected an object"))
        #expect(resume.brokenLines[2].why == "priority: found \"high\"; expected a whole number from 0 to 255")
        #expect(try Self.journal(worlds).snapshot().entries.map(\.seq) == [1, 3, 6])
    }

    @Test func `of a large log only the end is read`() throws {
        let path = try JournalFixture.path()
        let handle = try #require(FileHandle(forWritingAtPath: try Self.log(1, to: path)))
        // A hole of a gigabyte in which nobody may look.
        try handle.truncate(atOffset: 1 << 30)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\n".utf8))
        try handle.close()
        _ = try Self.log(200, instance: "late", to: path)
        let worlds = try Self.worlds(entries: 50)
        let resume = LogResume(path: path, into: worlds)
        #expect(resume.loaded.map(\.count) == [50])
        #expect(resume.bytesRead < 1 << 20)
    }

    @Test func `lines may be longer than what is read at a time`() throws {
        let path = try JournalFixture.path()
        let old = try Self.journal(try Self.worlds(log: InspectionLog(path: path), instance: "old"))
        for length in [10, 60_000, 20, 60_000, 60_000, 60_000, 60_000, 60_000, 30, 60_000] {
            let payload = #"{"a":"\#(String(repeating: "x", count: length))"}"#
            #expect(old.commit([JournalFixture.entry(payload: payload)]) > 0)
        }
        let worlds = try Self.worlds()
        #expect(LogResume(path: path, into: worlds).loaded.map(\.count) == [10])
        let sizes = try Self.journal(worlds).snapshot().entries.map(\.content.request.bodyRange.count)
        #expect(sizes == old.snapshot().entries.map(\.content.request.bodyRange.count))
    }

    @Test func `a log that is not there or no file is nothing to resume`() throws {
        for path in ["/nowhere/inspection.ndjson", "/dev/null", "/tmp"] {
            #expect(LogResume(path: path, into: try Self.worlds()).loaded.isEmpty)
        }
    }

    @Test func `random changes of a line end in an entry or a fault`() throws {
        let seed: UInt64 = 20_261_130
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let journal = try Self.journal(try Self.worlds())
        let entries = try Self.entries()
        let lines = entries.map { entry in
            var writer = JSONWriter()
            entry.assign(seq: 1)
            journal.renderer.write(entry, to: &writer)
            return writer.bytes
        }
        var reader = EntryReader()
        var document = JSONDocument()
        var (read, refused) = (0, 0)
        let values = [
            "null", "-1", "1e300", "\"\"", "[]", "{}", "true", "18446744073709551615", "\"c99999999999999999999\"",
        ]
        for round in 0..<1200 {
            let line = lines[round % lines.count]
            #expect(document.parse(line) == nil)
            // Another value for some member, at any depth.
            var element = document.root
            while let children = Optional(document.children(of: element)), !children.isEmpty,
                element == document.root || Bool.random(using: &random)
            {
                element = children.randomElement(using: &random) ?? element
            }
            let value = Array((values.randomElement(using: &random) ?? "0").utf8)
            let changed =
                Array(line[..<document.range(element).lowerBound]) + value + line[document.range(element).upperBound...]
            guard document.parse(changed) == nil, let object = EntryObject(document, document.root) else { continue }
            do throws(EntryReader.Fault) {
                let entry = try reader.entry(object)
                var writer = JSONWriter()
                journal.renderer.write(entry, to: &writer)
                #expect(document.parse(writer.bytes) == nil)
                read += 1
            } catch {
                #expect(!error.message.isEmpty)
                refused += 1
            }
        }
        #expect(read > 150 && refused > 150, "\(read) \(refused)")
    }

    // MARK: Entries of others

    @Test func `entries are added under new numbers with their ids, once`() throws {
        let source = try Self.journal(try Self.worlds(instance: "other"))
        #expect(source.commit([JournalFixture.entry(), JournalFixture.entry(.rejected)]) > 0)
        var reader = EntryReader()
        let entries = try source.snapshot().entries.map { try Self.read($0, source, &reader) }
        let path = try JournalFixture.path()
        let journal = try Self.journal(try Self.worlds(log: InspectionLog(path: path)))
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        #expect(journal.add(restored: entries + entries)?.map(\.seq) == [2, 3])
        #expect(journal.entry(id: "n_other_2")?.seq == 3)
        let same = try entries.map { try Self.read($0, source, &reader) }
        #expect(journal.add(restored: same)?.isEmpty == true)
        // An own entry comes back to where it is.
        let own = try Self.read(try #require(journal.entry(id: "n_new_1")), journal, &reader)
        #expect(journal.add(restored: [own])?.isEmpty == true)
        #expect(journal.snapshot().entries.map(\.seq) == [1, 2, 3])
        // They are in the log, so that they come back with it.
        let again = try Self.worlds(instance: "third")
        #expect(LogResume(path: path, into: again).loaded.map(\.count) == [3])
        #expect(try Self.journal(again).entry(id: "n_other_2")?.seq == 3)
    }
}

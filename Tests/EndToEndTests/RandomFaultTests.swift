import EventLoop
import Foundation
import HTTP
import JSON
import Server
import Simulation
import TestSupport
import Testing

/// Faults at random against a sender that tries again correctly: the journal and the sender must agree on what was accepted.
struct RandomFaultTests {
    /// How many senders meet faults; a sanitizer makes each run several times as long.
    private static let runs = ProcessInfo.processInfo.environment["MOCK_APNS_SANITIZED"] == nil ? 1000 : 150

    /// Faults of single requests.
    private static let requestFaults = [
        #""fault": "accept-then-drop""#, #""fault": "hang""#, #""fault": "silently-discard""#,
        #""fault": "reset-stream""#, #""fault": "reset-stream", "code": "INTERNAL_ERROR""#, #""fault": "headers-only""#,
        #""fault": "truncate-body""#, #""fault": "dribble", "interval": "1ms", "reason": "BadTopic""#,
        #""fault": "goaway""#, #""fault": "goaway", "lastStream": "this-1""#,
        #""fault": "goaway", "lastStream": "none""#,
        #""fault": "goaway", "linger": "2ms""#, #""fault": "goaway", "lastStream": "none", "linger": "forever""#,
        #""fault": "goaway", "lastStream": "this-1", "linger": "forever""#, #""fault": "close""#, #""fault": "rst""#,
        #""fault": "stall-writes""#, #""fault": "settings", "maxConcurrentStreams": 3"#, #""fault": "ignore-ping""#,
        #""reason": "TooManyRequests""#, #""reason": "Unregistered", "status": 200"#,
        #""response": {"status": 200, "body": "{}"}"#, #""response": {"status": 502, "body": "<html>"}"#,
    ]

    /// Faults of whole connections.
    private static let connectionFaults = [
        #""fault": "goaway""#, #""fault": "goaway", "linger": "forever""#, #""fault": "close""#, #""fault": "rst""#,
        #""fault": "stall-writes""#, #""fault": "drop-after", "requests": 1"#, #""fault": "drop-after", "requests": 3"#,
        #""fault": "refuse-connect""#, #""fault": "settings", "maxConcurrentStreams": 1"#,
    ]

    private static func rules(_ random: inout FastRandom, run: Int) throws -> [Rule] {
        var texts: [String] = []
        for number in 0...Int(random.next() % 2) {
            let delay = random.next() % 3 == 0 ? #", "delay": "\#(random.next() % 4)ms""# : ""
            let isConnection = random.next() % 4 == 0
            let fault = (isConnection ? connectionFaults : requestFaults).randomElement(using: &random) ?? ""
            let when =
                #""when": {"skip": \#(isConnection ? 0 : random.next() % 8), "times": \#(1 + random.next() % 2)}"#
            let stage = isConnection ? "connection" : random.next() % 3 == 0 ? "beforeValidation" : "afterValidation"
            texts.append(
                #"{"id": "run-\#(run)-\#(number)", "stage": "\#(stage)", \#(when), "then": {\#(fault)\#(isConnection ? "" : delay)}}"#
            )
        }
        if random.next() % 3 == 0 {
            texts.append(
                #"{"id": "run-\#(run)-slow", "priority": 1, "continue": true, "then": {"delay": {"uniform": ["0ms", "4ms"]}}, "when": {"probability": 0.4}}"#
            )
        }
        return try texts.map { text in
            var document = JSONDocument()
            if let fault = document.parse(Array(text.utf8)) {
                throw TestConnection.Failure("\(fault.message): \(text)")
            }
            return try RuleReader(now: 0).rule(document, document.root, id: "unused")
        }
    }

    @Test func `the journal and a sender that tries again agree on what was accepted`() throws {
        let seed: UInt64 = 20_261_201
        print("random faults: seed \(seed), \(Self.runs) runs")
        var random = FastRandom(seed: seed)
        var fates: [String: RetryingSender.Fate] = [:]
        let server = try TestServer {
            $0.journal.entries = 1_000_000
            $0.journal.bytes = 1 << 30
        }
        defer { server.server.stop() }
        for run in 0..<Self.runs {
            try server.simulator.script.replace(with: Self.rules(&random, run: run))
            let sender = RetryingSender(
                server, seed: random.next(), firstID: UInt64(run) << 16, isClearText: run % 10 != 0)
            do {
                try sender.send(1 + Int(random.next() % (run % 100 == 0 ? 300 : 8)))
            } catch {
                Issue.record("run \(run), rules \(server.simulator.script.rules(now: 0).map(\.steps)): \(error)")
                return
            }
            fates.merge(sender.fates) { $1 }
        }
        // Nothing is under way any more behind this.
        server.server.stop()
        var logged: [String: (outcome: String, status: Int?)] = [:]
        for line in try String(contentsOfFile: server.folder.file("log.ndjson"), encoding: .utf8).split(separator: "\n")
        {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let response = object["response"] as? [String: Any]
            logged[try #require(object["id"] as? String)] =
                (object["outcome"] as? String ?? "", response?["status"] as? Int)
        }
        var counts: [String: Int] = [:]
        var unaccounted = fates
        for entry in server.entries where entry.content.breakage == nil {
            let content = entry.content
            let id = try #require(content.apnsID).description
            let fate = unaccounted.removeValue(forKey: id)
            let connection = server.server.connections.snapshot.records.first { $0.id == content.connection.value.id }
            let words: Comment = """
                entry \(entry.seq): \(content.outcome) \(content.status), \(String(describing: content.rule)); the sender: \
                \(String(describing: fate)); stream \(content.stream), \(String(describing: connection?.details.goAways)), \
                \(connection?.details.end ?? "")
                """
            counts["\(content.outcome)", default: 0] += 1
            if content.rare.isRevised { counts["revised", default: 0] += 1 }
            let line = try #require(logged[server.simulator.journal.renderer.id(of: entry)])
            #expect(line.outcome == content.outcome.rawValue, words)
            #expect(line.status ?? 0 == Int(content.status), words)
            #expect(entry.afterMilliseconds != nil, words)
            switch fate {
            case .answered(200): #expect(content.outcome == .accepted && content.status == 200, words)
            case .answered: #expect(content.outcome != .accepted, words)
            case .unprocessed: #expect(content.outcome == .faulted && content.rule != nil, words)
            case .reset, .unknown, nil:
                if content.outcome == .accepted {
                    #expect(content.rule?.outcome == "accept-then-drop", words)
                } else {
                    #expect(
                        content.outcome == .faulted && content.status != 200 || content.rule?.outcome == "headers-only",
                        words)
                }
            }
        }
        // What was answered has an entry.
        let forgotten = unaccounted.filter { if case .answered = $0.value { true } else { false } }
        #expect(forgotten.isEmpty)
        let statistics = server.simulator.journal.statistics
        #expect(statistics.accepted == counts["accepted"].map { UInt64($0) })
        print("random faults: \(fates.count) attempts, \(counts)")
        #expect(counts["revised"] ?? 0 > 0 && counts["faulted"] ?? 0 > 0 && counts["accepted"] ?? 0 > 0)
    }
}

import APNs
import Foundation
import Simulation
import TestFixtures
import Testing

/// Every reason of the table is one that some request gets, or is known to be none that the rules give.
struct ReasonCoverageTests {
    /// The part of a row of the vectors that matters here; the rows themselves are sent by the tests of their files.
    private struct Row: Decodable {
        var reason: String?
    }

    /// The files of rows in which real requests are decided.
    private static let vectorFiles = ["device-push.json", "devices.json", "channels.json"]

    /// The reasons that need more than a request: the test that provokes each, by its file and what it looks for.
    private static let tests: [(reason: Reason, file: String, words: String)] = [
        (.badCertificate, "SimulationTests/CertificateRulesTests.swift", ".badCertificate)"),
        (.badCertificateEnvironment, "SimulationTests/CertificateRulesTests.swift", ".badCertificateEnvironment)"),
        (.serviceUnavailable, "SimulationTests/SimulatorTests.swift", "No space left on device"),
        (.idleTimeout, "EndToEndTests/StopTests.swift", "IdleTimeout"),
        (.shutdown, "EndToEndTests/StopTests.swift", "Shutdown"),
    ]

    /// The reasons whose condition nobody knows: only a script gives them.
    private static let scriptOnly: Set<Reason> = [.forbidden, .badTopic, .internalServerError]

    private static let root = Vectors.directory.deletingLastPathComponent()

    @Test func `each reason is given to a request, or by a script only`() throws {
        var given: Set<Reason> = []
        for file in Self.vectorFiles {
            for row in try Vectors.load(file, as: [Row].self) {
                guard let word = row.reason else { continue }
                given.insert(try #require(Reason(wire: word), "\(file): \(word)"))
            }
        }
        for (reason, file, words) in Self.tests {
            let text = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
            #expect(text.contains(words), "\(file) has no \(words)")
            #expect(!given.contains(reason), "\(reason) is in the vectors already")
            given.insert(reason)
        }
        for reason in Reason.allCases {
            #expect(given.contains(reason) != Self.scriptOnly.contains(reason), "\(reason)")
        }
    }

    @Test func `refusals do not cost the connection, however many`() throws {
        var sender = try PushSender()
        let good = try sender.base()
        var bad = good
        bad[":path"] = "/3/device/" + String(repeating: "0", count: 64)
        for _ in 0..<1000 { #expect(sender.decide(bad).reason == .badDeviceToken) }
        #expect(sender.decide(good).reason == nil)
    }

    // MARK: docs/fidelity.md

    private static func fidelity() throws -> String {
        let file = root.deletingLastPathComponent().appending(path: "docs/fidelity.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test func `each reason has its place in docs/fidelity.md`() throws {
        let text = try Self.fidelity()
        for reason in Reason.allCases where !text.contains("`\(reason.row.spelling)`") {
            Issue.record("no row of docs/fidelity.md has `\(reason.row.spelling)`")
        }
    }

    @Test func `the tests and vectors that docs/fidelity.md names exist`() throws {
        let text = try Self.fidelity()
        let files = FileManager.default.enumerator(atPath: Self.root.path)?.compactMap { $0 as? String } ?? []
        let names = Set(files.map { $0.split(separator: "/").last.map(String.init) ?? "" })
        var seen = 0
        for match in text.matches(of: /\b[A-Z][A-Za-z0-9]*Tests\b/) {
            let name = String(match.output)
            #expect(names.contains(name) || names.contains(name + ".swift"), "\(name)")
            seen += 1
        }
        for match in text.matches(of: /`(?:Vectors\/)?([a-z-]+\.json)`/) {
            #expect(names.contains(String(match.output.1)), "\(match.output.1)")
            seen += 1
        }
        #expect(seen > 50, "the document has rows")
    }
}

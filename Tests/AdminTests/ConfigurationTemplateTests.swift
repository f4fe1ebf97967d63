import APNs
import Foundation
import JSON
import Simulation
import TLS
import Testing

@testable import Admin

/// The file that `init` writes, and the schema: both are the tables that read the file.
struct ConfigurationTemplateTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/configuration.md")
    private static let marks = ("<!-- template: made by the tables, do not edit -->", "<!-- template: end -->")

    /// A reader whose files hold what their endings say: a picture, texts, and else a key.
    private func read(_ text: String) throws -> WorldState {
        let pem = try ES256PrivateKey().pem
        let reader = StateReader(now: 1_768_469_400_000) { (file: String) throws(Problem) in
            if file.hasSuffix(".png") { return [0x89, 0x50, 0x4E, 0x47] }
            return file.hasSuffix(".strings") ? Array(#""A" = "B";"#.utf8) : Array(pem.utf8)
        }
        return try reader.read(try JSON5Text(Array(text.utf8)).json)
    }

    /// The template with its examples, which stand in comments.
    private var uncommented: String {
        var isExample = false
        let names = StateFields.server.map(\.name)
        return ConfigurationTemplate.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.isEmpty { isExample = false }
            if names.contains(where: { line.hasPrefix("  // \($0): ") }) { isExample = true }
            return isExample ? line.replacing("  // ", with: "  ", maxReplacements: 1) : line
        }.joined(separator: "\n")
    }

    @Test func `the template changes nothing, and its examples are good`() throws {
        let state = try read(ConfigurationTemplate.text)
        #expect(state.profile == .strict)
        #expect(state.acceptsUnknownDevices == true && state.acceptsUnknownKeys == false)
        #expect(state.seed == nil && state.keys == nil && state.rules == nil && state.namespaces == nil)
        let full = try read(uncommented)
        #expect(full.seed == 7)
        #expect(full.words == "1 key, 1 device, 2 rules, 1 app, 1 namespace")
    }

    @Test func `the template names every member`() {
        let text = ConfigurationTemplate.text
        let fields =
            StateFields.server + StateFields.key + DeviceFields.registration.filter { $0 != DeviceFields.count }
            + StateFields.app
        for field in fields {
            #expect(text.contains("\(field.name)\": ") || text.contains("\(field.name): "), "\(field.name)")
        }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 140 })
    }

    @Test func `docs/configuration.md shows the template`() throws {
        var text = try String(contentsOf: Self.file, encoding: .utf8)
        let begin = try #require(text.range(of: Self.marks.0))
        let end = try #require(text.range(of: Self.marks.1))
        let expected = "\n\n```json5\n\(ConfigurationTemplate.text)```\n\n"
        if ProcessInfo.processInfo.environment["MOCK_APNS_WRITE_DOCS"] == "1" {
            text.replaceSubrange(begin.upperBound..<end.lowerBound, with: expected)
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(
            text[begin.upperBound..<end.lowerBound] == expected,
            "run MOCK_APNS_WRITE_DOCS=1 swift test --filter ConfigurationTemplateTests")
    }

    @Test func `the schema has the members of the tables, and no others`() throws {
        let schema = AdminHarness().send("/schema/config.json").object
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        func names(_ object: [String: Any]?) -> Set<String> {
            #expect(object?["additionalProperties"] as? Bool == false)
            return Set((object?["properties"] as? [String: Any])?.keys.map(\.self) ?? [])
        }
        #expect(names(schema) == Set(StateFields.server.map(\.name)))
        #expect(names(definitions["key"]) == Set(StateFields.key.map(\.name)))
        #expect(names(definitions["namespace"]) == Set(StateFields.namespace.map(\.name)))
        #expect(names(definitions["app"]) == Set(StateFields.app.map(\.name)))
        #expect(names(definitions["rule"]).isSuperset(of: RuleReader.members))
    }
}

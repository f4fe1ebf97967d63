import APNs
import JSON
import Simulation

/// Texts that testers write: matchers, rules, words, files.
enum TextFuzz {
    nonisolated(unsafe) private static var document = JSONDocument()

    /// The line of a log or an export.
    static func entry(_ bytes: [UInt8]) {
        guard document.parse(bytes) == nil, let object = EntryObject(document, document.root) else { return }
        var reader = EntryReader()
        guard let entry = try? reader.entry(object) else { return }
        var writer = JSONWriter()
        EntryRenderer(instance: "fuzz", adminBase: nil).write(entry, to: &writer)
        precondition(document.parse(writer.bytes) == nil, "an entry that was taken in is shown as no JSON")
    }

    /// What is read as JSON5 is strict JSON afterwards.
    static func json5(_ bytes: [UInt8]) {
        guard let text = try? JSON5Text(bytes) else { return }
        precondition(document.parse(text.json) == nil, "JSON5 became no JSON")
        for offset in 0...text.json.count { _ = text.place(at: offset) }
    }

    /// A matcher object, asked about a push.
    static func matcher(_ bytes: [UInt8]) {
        guard document.parse(bytes) == nil else { return }
        guard let matcher = try? Matcher(document, document.root, path: "match", now: FuzzServer.time) else { return }
        let scratch = MatchScratch()
        _ = matcher.matches(push, scratch: scratch)
        precondition(
            scratch.steps <= matcher.cost + MatchCost.bodyBytes, "a matcher took more steps than it is reckoned with")
        _ = matcher.description
    }

    /// Words as in `q`.
    static func words(_ bytes: [UInt8]) {
        var matcher = Matcher()
        guard (try? matcher.search(String(decoding: bytes, as: UTF8.self), now: FuzzServer.time)) != nil else { return }
        _ = matcher.matches(push)
    }

    /// A rule comes back from what it is shown as.
    static func rule(_ bytes: [UInt8]) {
        guard document.parse(bytes) == nil else { return }
        guard let rule = try? RuleReader(now: FuzzServer.time).rule(document, document.root, id: "fuzz") else { return }
        var writer = JSONWriter()
        RuleWriter.write(rule, to: &writer)
        guard document.parse(writer.bytes) == nil else { broken("a rule is shown as no JSON") }
        do throws(RuleError) {
            _ = try RuleReader(now: FuzzServer.time).rule(document, document.root, id: "fuzz")
        } catch {
            broken("a rule does not come back: \(error.message)")
        }
    }

    /// A file of texts for the preview.
    static func strings(_ bytes: [UInt8]) {
        _ = try? StringsFile(bytes)
    }

    /// What matchers are asked about.
    private static let push: JournalEntry = {
        let server = FuzzServer(profile: .strict, certificate: true)
        server.push()
        return server.simulator.journal.snapshot().entries.first ?? { broken("the push is missing") }()
    }()
}

import APNs
import HTTP
import Testing

@testable import Simulation

/// Device tokens that spell an outcome.
struct MagicTokenTests {
    private func token(_ spelled: String) -> String {
        let digits = spelled.filter { $0 != " " }
        return digits + String(repeating: "0", count: 64 - digits.count)
    }

    private func magic(_ spelled: String) -> MagicToken? {
        MagicToken(Array(token(spelled).utf8).span)
    }

    @Test func `the examples of the manual`() {
        #expect(magic("6d6f636b 0410 01 00 0000") == MagicToken(reason: .unregistered))
        #expect(magic("6d6f636b 0429 02 02 0000") == MagicToken(reason: .tooManyRequests, failFirst: 2))
        #expect(magic("6d6f636b 0200 00 00 0150") == MagicToken(delay: 1500))
        #expect(magic("6D6F636B 0410 01 00 0000") == MagicToken(reason: .unregistered))
    }

    @Test(arguments: [
        "6d6f636a 0410 01 00 0000", "6d6f636b 0418 01 00 0000", "6d6f636b 0410 09 00 0000", "6d6f636b 041a 01 00 0000",
        "6d6f636b 0410 01 00 00a0", "7d6f636b 0410 01 00 0000",
    ])
    func `other tokens spell nothing`(spelled: String) {
        #expect(magic(spelled) == nil)
    }

    @Test func `short tokens and any bytes are read without harm`() {
        for length in 0..<20 { #expect(MagicToken(Array(token("6d6f636b 0410").prefix(length).utf8).span) == nil) }
        var random = FastRandom(seed: 5)
        for _ in 0..<2000 {
            var bytes = Array("6d6f636b".utf8)
            for _ in 0..<12 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
            _ = MagicToken(bytes.span)
        }
    }

    /// These numbers are in tests of others: they must never change.
    @Test func `the indexes of the reasons stay`() {
        let rows = MagicToken.table.map { "\($0.reason.status) \($0.index) \($0.reason.spelling())" }
        #expect(
            rows == [
                "404 1 BadPath", "405 1 MethodNotAllowed", "403 1 BadCertificate", "403 2 BadCertificateEnvironment",
            ] + rows.dropFirst(4))
        #expect(rows.contains("410 1 Unregistered"))
        #expect(rows.contains("410 2 ExpiredToken"))
        #expect(rows.contains("429 1 TooManyProviderTokenUpdates"))
        #expect(rows.contains("429 2 TooManyRequests"))
        #expect(Set(rows).count == rows.count)
    }

    @Test(arguments: MagicToken.table.map(\.reason))
    func `every reason can be spelt and is answered`(reason: Reason) throws {
        var random = FastRandom(seed: 1)
        let text = MagicToken(reason: reason, failFirst: 1, delay: 250).text(using: &random)
        #expect(text.utf8.count == 64)
        var sender = try PushSender()
        let first = try sender.decide { $0[":path"] = "/3/device/\(text)" }
        #expect(first.reason == reason)
        #expect(first.response.status == reason.status)
        #expect(first.scripted?.delay == 250)
        #expect(first.entry.content.rule?.id == Script.magicTokenID)
        let second = try sender.decide { $0[":path"] = "/3/device/\(text.uppercased())" }
        #expect(second.response.status == 200)
        #expect(second.entry.content.rule?.attempt == 2)
        sender.simulator.script.reset()
        #expect(try sender.decide { $0[":path"] = "/3/device/\(text)" }.reason == reason)
    }

    @Test func `only valid pushes count, and the switch switches them off`() throws {
        let text = token("6d6f636b 0410 01 01 0000")
        var sender = try PushSender()
        #expect(
            try sender.decide {
                $0[":path"] = "/3/device/\(text)"; $0["apns-priority"] = "7"
            }.reason == .badPriority)
        #expect(try sender.decide { $0[":path"] = "/3/device/\(text)" }.reason == .unregistered)
        #expect(try sender.decide { $0[":path"] = "/3/device/\(text)" }.reason == nil)
        var configuration = Simulator.Configuration()
        configuration.acceptsMagicTokens = false
        var plain = try PushSender(configuration)
        #expect(try plain.decide { $0[":path"] = "/3/device/\(text)" }.entry.content.rule == nil)
    }

    @Test func `a rule is asked after the magic token`() throws {
        var sender = try PushSender(
            script: Script(rules: [try ScriptTests.rule(#"{"then": {"reason": "Shutdown"}}"#)]))
        #expect(
            try sender.decide { $0[":path"] = "/3/device/\(token("6d6f636b 0410 01 00 0000"))" }.reason
                == .unregistered)
        #expect(try sender.decide().reason == .shutdown)
    }
}

import APNs
import HTTP
import TestFixtures
import Testing

/// One row of Tests/Vectors/look-alikes.json: a wrong value, what it is said to look like, and a word of the fix.
struct LookAlikeVector: Decodable, Sendable, CustomTestStringConvertible {
    let of: String
    let value: String
    let name: String
    let fix: String

    var testDescription: String { "\(of): \(value)" }

    static let all = Result { try Vectors.load("look-alikes.json", as: [LookAlikeVector].self) }
}

struct LookAlikeTests {
    @Test(arguments: try LookAlikeVector.all.get())
    func `a refused value is named, and its fix is its own`(_ vector: LookAlikeVector) throws {
        let bytes = Array(vector.value.utf8)
        var failures: [CheckFailure] = []
        switch vector.of {
        case "device": _ = NotificationRules.deviceToken(bytes.span, &failures)
        case "topic": NotificationRules.topicCharacters(bytes.span, &failures)
        case "priority": _ = NotificationRules.priority(bytes.span, &failures)
        case "expiration": _ = NotificationRules.expiration(bytes.span, &failures)
        case "id": _ = NotificationRules.apnsID(bytes.span, &failures)
        case "pushType": _ = NotificationRules.pushType(bytes.span, &failures)
        case "authorization":
            do throws(CheckFailure) { _ = try ProviderToken(authorization: bytes.span) } catch { failures = [error] }
        case "payload":
            var explainer = PayloadExplainer()
            failures = explainer.explain(bytes, PayloadQuestion()).failures
        default: Issue.record("\(vector.of) is no field")
        }
        let failure = try #require(failures.first, "not refused")
        #expect(failure.explanation.contains(vector.name), "\(failure.explanation)")
        #expect(failure.remedy.contains(vector.fix), "\(failure.remedy)")
        #expect(failure.remedy != failure.reason.row.fix.description)
    }

    @Test(arguments: [
        ("nil", "L020"), ("undefined", "L020"), ("null.voip", "L020"), ("com..example", "L020"),
        (".com.example", "L020"),
        ("com.example.", "L020"), ("MyApp", "L020"), ("com.example.undefined", "L020"), ("None", "L020"),
        ("ABCDE12345.com.example.app", "L021"), ("1234567890.com.example.app.voip", "L021"),
        ("com.example.app.voip.voip", "L022"), ("com.example.app.voip.push-type.liveactivity", "L022"),
        ("com.example.app", ""), ("com.example.app.voip", ""), ("companyabc.app", ""), ("com.my-company.app_2", ""),
        ("pass.com.example", ""), ("web.com.example", ""),
        ("com.apple.mgmt.External.f0a1b2c3-0000-4000-8000-000000000000", ""),
    ])
    func `an odd topic is accepted with advice`(_ topic: String, _ code: String) {
        var question = PayloadQuestion()
        question.topic = topic
        var explainer = PayloadExplainer()
        let report = explainer.explain(Array(#"{"aps":{"content-available":1}}"#.utf8), question)
        let codes = report.remarks.map(\.finding.code.code.description).filter { $0.hasPrefix("L02") }
        #expect(codes == (code.isEmpty ? [] : [code]))
    }

    @Test(arguments: [(64, false), (160, false), (66, true), (96, true), (128, true), (200, true)])
    func `a device token of unusual length is accepted with advice`(_ digits: Int, _ isOdd: Bool) {
        var question = PayloadQuestion()
        question.device = String(repeating: "3a", count: digits / 2)
        var explainer = PayloadExplainer()
        let report = explainer.explain(Array(#"{"aps":{"alert":"x"}}"#.utf8), question)
        #expect(report.isAccepted)
        #expect(report.remarks.contains { $0.finding.code == .deviceTokenLength } == isOdd)
    }

    @Test func `a payload that would fit otherwise is told how`() throws {
        var explainer = PayloadExplainer()
        for (text, word) in [
            (#"{"aps":{"alert":"\#(String(repeating: "\\u00e9", count: 800))"}}"#, "UTF-8"),
            (#"{"aps":{"alert":"\#(String(repeating: "\\ud83d\\ude00", count: 400))"}}"#, "UTF-8"),
            (#"{"aps":{"alert":"x"}\#(String(repeating: " ", count: 4200))}"#, "white space"),
        ] {
            let failure = try #require(explainer.explain(Array(text.utf8), PayloadQuestion()).failures.first)
            #expect(failure.reason == .payloadTooLarge)
            #expect(failure.remedy.contains(word), "\(failure.remedy)")
        }
        let text = #"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#
        let failure = try #require(explainer.explain(Array(text.utf8), PayloadQuestion()).failures.first)
        #expect(failure.fix == nil)
    }

    @Test(arguments: [
        (1000.0, "milliseconds"), (1e6, "microseconds"), (1e9, "nanoseconds"),
    ])
    func `an iat in another unit is named`(_ factor: Double, _ name: String) throws {
        let now: Int64 = 1_768_469_400
        let failure = try #require(ProviderToken.ageFailure(issuedAt: Double(now) * factor, now: now))
        #expect(failure.explanation.contains(name))
        #expect(failure.remedy.contains("Divide"))
    }

    @Test func `an iat of Apple's epoch and a local time are named`() throws {
        let now: Int64 = 1_768_469_400
        let reference = try #require(ProviderToken.ageFailure(issuedAt: Double(now - 978_307_200), now: now))
        #expect(reference.remedy.contains("timeIntervalSince1970"))
        let local = try #require(ProviderToken.ageFailure(issuedAt: Double(now + 7200), now: now))
        #expect(local.remedy.contains("UTC"))
        let ahead = try #require(ProviderToken.ageFailure(issuedAt: Double(now + 4000), now: now))
        #expect(ahead.remedy.contains("clock"))
    }

    @Test(arguments: [(0, false), (59, false), (60, true), (3600, true), (3601, false), (-5, false)])
    func `a token from the future has a finding from one minute on`(_ ahead: Int64, _ isNoted: Bool) {
        let now: Int64 = 1_768_469_400
        #expect((ProviderToken.futureAdvice(issuedAt: Double(now + ahead), now: now) != nil) == isNoted)
    }
}

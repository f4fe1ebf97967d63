import APNs
import JSON
import Testing

/// Payloads judged without a request.
struct PayloadExplainerTests {
    private func explain(
        _ payload: String, _ change: (inout PayloadQuestion) -> Void = { _ in }
    ) -> PayloadReport {
        var question = PayloadQuestion()
        change(&question)
        var explainer = PayloadExplainer()
        return explainer.explain(Array(payload.utf8), question)
    }

    private func codes(_ report: PayloadReport) -> [String] {
        report.remarks.map(\.finding.code.code.description)
    }

    @Test func `a good payload has nothing to be said about it`() {
        let report = explain(#"{"aps":{"alert":"hi"}}"#)
        #expect(report.isAccepted)
        #expect(report.remarks.isEmpty)
        #expect(report.fault == nil)
        #expect(report.pushType == .alert && report.isTypeInferred)
        #expect(report.bytes == 22 && report.limit == 4096 && report.remaining == 4074)
        #expect(report.parts.map(\.path) == ["aps"])
        #expect(report.bytesBetween == 2)
    }

    @Test func `findings have the place of the member that they are about`() {
        let report = explain(
            """
            {
              "aps": {
                "alert": "hi",
                "badge": "5",
                "badge": 1,
                "mutable_content": 1
              },
              "sound": "default"
            }
            """)
        #expect(report.failures.map(\.reason) == [.badRequestPayload])
        let places = Dictionary(
            report.remarks.map { ($0.finding.code.code.description, $0.place) }, uniquingKeysWith: { first, _ in first }
        )
        #expect(places["P010"] == .init(line: 4, column: 5))
        #expect(places["P047"] == .init(line: 5, column: 5), "the second one is the duplicate")
        #expect(places["L014"] == .init(line: 6, column: 5))
        #expect(places["L019"] == .init(line: 8, column: 3))
    }

    @Test func `what is missing has the place of the object that should hold it, or none`() {
        let report = explain(#"{"aps": {"event": "update", "content-state": {}}}"#) { $0.pushType = .liveactivity }
        let missing = report.remarks.filter { $0.finding.code == .liveActivityKeyMissing }
        #expect(missing.map(\.finding.path) == ["aps.timestamp"])
        #expect(missing.map(\.place) == [.init(line: 1, column: 2)])
        let bare = explain("{}")
        #expect(bare.remarks.map(\.finding.code) == [.apsMissing])
        #expect(bare.remarks.map(\.place) == [nil])
    }

    @Test func `a text that is not JSON has the place of its fault`() {
        let report = explain("{\"aps\":{\n  \"alert\":\"hi\",}}")
        #expect(report.failures.map(\.reason) == [.badRequestPayload])
        #expect(report.fault?.line == 2)
        #expect(report.remarks.map(\.place) == [.init(line: 2, column: 16)])
        #expect(report.parts.isEmpty)
        #expect(report.compactBytes == report.bytes)
        #expect(explain("[1]").remarks.map(\.finding.code) == [.payloadNotObject])
        #expect(explain("").failures.map(\.reason) == [.payloadEmpty])
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"hi","badge":"5"}}"#, [true, false, false]),
        (#"{"aps":"#, [true, false, true]), ("[]", [true, false, true]), ("{}", [true, false, false]),
        (#"{"aps":{"alert":"hi","thread_id":"x"}}"#, [false, false, false]),
    ])
    func `profiles refuse what they refuse in requests`(payload: String, refused: [Bool]) {
        let profiles: [Profile] = [.strict, .live, .lenient]
        #expect(profiles.map { profile in !explain(payload) { $0.profile = profile }.isAccepted } == refused)
    }

    @Test func `sizes are judged by the push type`() {
        let text = String(repeating: "x", count: 4096)
        let payload = #"{"aps":{"alert":"\#(text)"}}"#
        let report = explain(payload)
        #expect(report.failures.map(\.reason) == [.payloadTooLarge])
        #expect(report.remaining == -20)
        #expect(explain(payload) { $0.pushType = .voip }.isAccepted)
        #expect(explain(payload) { $0.topic = "com.acme.app.voip" }.isAccepted)
        #expect(explain(payload) { $0.ordinaryLimit = 5120 }.isAccepted)
        #expect(explain("{}") { $0.isBroadcast = true }.limit == 5120)
    }

    @Test func `white space is counted, and told`() {
        let payload = "{ \"aps\" : {\n\t\"alert\" : \"a \\\" b\\\\\" }\r\n}\n"
        let report = explain(payload)
        #expect(report.isAccepted)
        #expect(report.bytes == payload.utf8.count)
        #expect(report.compactBytes == #"{"aps":{"alert":"a \" b\\"}}"#.utf8.count)
    }

    @Test func `a file is not blamed for headers that it cannot have`() {
        let report = explain(#"{"aps":{"content-available":1}}"#)
        #expect(report.pushType == .background)
        #expect(codes(report) == [])
        #expect(codes(explain(#"{"aps":{"content-available":1}}"#) { $0.priority = 10 }) == ["L007"])
    }

    @Test func `topic and device token are looked at when they are given`() {
        let payload = #"{"aps":{"alert":"hi"}}"#
        #expect(explain(payload) { $0.device = "ab" }.failures.map(\.reason) == [.badDeviceToken])
        #expect(explain(payload) { $0.device = "" }.failures.map(\.reason) == [.missingDeviceToken])
        #expect(codes(explain(payload) { $0.device = String(repeating: "AB", count: 32) }) == ["L017"])
        #expect(explain(payload) { $0.topic = "" }.failures.map(\.reason) == [.missingTopic])
        #expect(explain(payload) { $0.topic = "a b" }.failures.map(\.reason) == [.topicDisallowed])
        #expect(explain("{}") { $0.topic = "pass.com.acme" }.isAccepted)
        let contradiction: (inout PayloadQuestion) -> Void = {
            $0.topic = "com.acme.app.voip"
            $0.pushType = .alert
        }
        #expect(explain(payload, contradiction).failures.map(\.reason) == [.invalidPushType])
        let lenient = explain(payload) {
            contradiction(&$0)
            $0.profile = .lenient
        }
        #expect(lenient.isAccepted)
        #expect(codes(lenient) == ["L008"])
    }

    @Test func `a broadcast cannot start a Live Activity, and is JSON in every profile`() {
        let start = explain(
            #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{},"alert":{}}}"#
        ) { $0.isBroadcast = true }
        #expect(codes(start).contains("P031"))
        let text = explain("no") {
            $0.isBroadcast = true
            $0.profile = .live
        }
        #expect(text.failures.map(\.reason) == [.badRequestPayload])
    }

    @Test func `one explainer judges many payloads`() {
        var explainer = PayloadExplainer()
        for text in ["{", #"{"aps":{"alert":"hi"}}"#, "", "[", #"{"aps":{"alert":"hi"}}"#] {
            #expect(explainer.explain(Array(text.utf8), PayloadQuestion()).isAccepted == (text.count > 1))
        }
    }

    /// The corpus of payloads, of which each row says how a request with it is answered.
    @Test(arguments: PayloadVector.all.filter(\.context.isTypeDeclared))
    func `a file is judged as a request with it is`(_ vector: PayloadVector) {
        var question = PayloadQuestion()
        question.pushType = vector.context.pushType
        question.topic = vector.topic
        question.priority = vector.context.priority
        question.ordinaryLimit = vector.context.limit
        question.isBroadcast = vector.context.isBroadcast
        var explainer = PayloadExplainer()
        for (profile, status) in vector.answers {
            question.profile = profile
            let report = explainer.explain(vector.bytes, question)
            #expect(Int(report.failures.first?.reason.status ?? 200) == status, "\(profile.rawValue)")
            let found = report.remarks.map { "\($0.finding.code.code) \($0.finding.path)" }
            #expect(Set(found.map(words)) == Set(vector.findings.map(words)), "\(profile.rawValue)")
        }
    }

    private func words(_ text: String) -> [Substring] { text.split(separator: " ") }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no payload confuses it, and strict never accepts what live refuses`(seed: UInt64) {
        print("seed \(seed)")
        var generator = PayloadMutator(state: seed)
        var explainer = PayloadExplainer()
        for vector in PayloadVector.all {
            let payload = generator.mutated(vector.bytes)
            var question = PayloadQuestion()
            let strict = explainer.explain(payload, question)
            question.profile = .live
            let live = explainer.explain(payload, question)
            #expect(live.isAccepted || !strict.isAccepted, "\(String(decoding: payload, as: UTF8.self))")
            #expect(strict.bytesBetween >= 0 && strict.compactBytes <= strict.bytes)
            let lines = payload.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for case let place? in strict.remarks.map(\.place) {
                #expect((1...lines.count).contains(place.line))
                #expect((1...lines[place.line - 1].count + 1).contains(place.column))
            }
        }
    }
}

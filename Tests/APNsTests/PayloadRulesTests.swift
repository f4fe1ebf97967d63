import APNs
import HTTP
import JSON
import Testing

/// The corpus of payloads, and what single rows do not show.
struct PayloadRulesTests {
    @Test func `the corpus is large and has every push type`() {
        #expect(PayloadVector.all.count >= 250)
        #expect(Set(PayloadVector.all.map(\.context.pushType)) == Set(PushType.allCases))
        #expect(Set(PayloadVector.all.map(\.name)).count == PayloadVector.all.count)
        #expect(PayloadVector.all.allSatisfy { $0.answers.count == 3 })
    }

    @Test(arguments: PayloadVector.all) func `each payload has the findings that are expected`(_ vector: PayloadVector)
    {
        let (document, findings) = vector.judged()
        guard document.isValid, document.kind(document.root) == .object else { return }
        #expect(findings.map { "\($0.code.code) \($0.path)" }.sorted() == vector.findings.sorted())
    }

    @Test(arguments: PayloadVector.all) func `each payload is answered as expected in each profile`(
        _ vector: PayloadVector
    ) throws {
        for (profile, status) in vector.answers {
            let (failures, findings) = try judgeAsRequest(vector, profile)
            #expect((failures.isEmpty ? 200 : 400) == status, "\(profile)")
            #expect(failures.allSatisfy { $0.reason == .badRequestPayload })
            #expect(findings == vector.findings.sorted(), "\(profile)")
        }
    }

    @Test(arguments: PayloadVector.all) func `strict never accepts what live refuses`(_ vector: PayloadVector) throws {
        #expect(try judgeAsRequest(vector, .live).failures.isEmpty || !judgeAsRequest(vector, .strict).failures.isEmpty)
        #expect(
            try judgeAsRequest(vector, .lenient).failures.isEmpty || !judgeAsRequest(vector, .strict).failures.isEmpty)
    }

    /// The verdict by way of the request, as the server asks for it; broadcasts have no such way.
    func judgeAsRequest(_ vector: PayloadVector, _ profile: Profile) throws -> (
        failures: [CheckFailure], findings: [String]
    ) {
        var document = JSONDocument()
        if vector.context.isBroadcast {
            #expect(document.parse(vector.bytes) == nil)
            let findings = PayloadRules.examine(document, vector.context)
            let errors = findings.filter { $0.code.severity == .error && profile == .strict }
            return (errors.map(Self.failure), findings.map { "\($0.code.code) \($0.path)" }.sorted())
        }
        let type = vector.context.pushType
        let topic = vector.topic ?? "com.example.app\(type.row.topicSuffix?.description ?? "")"
        var fields = [(HeaderName.apnsTopic, topic), (.apnsPriority, "\(vector.context.priority)")]
        if vector.context.isTypeDeclared { fields.append((.apnsPushType, type.rawValue)) }
        let request = Self.request(fields, body: vector.bytes)
        var failures: [CheckFailure] = []
        let headers = NotificationHeaders(
            request, RequestFields(request), deviceToken: ByteRange(0..<0), defaultTopic: nil,
            ordinaryLimit: vector.context.limit, &failures)
        failures = []
        let verdict = NotificationRules.payload(
            request, headers, topicFamily: vector.context.topicFamily, isTypeDeclared: vector.context.isTypeDeclared,
            profile: profile, document: &document, &failures)
        #expect(verdict.pushType == type || !document.isValid || document.kind(document.root) != .object)
        return (failures, verdict.findings.map { "\($0.code.code) \($0.path)" }.sorted())
    }

    private static func failure(_ finding: Finding) -> CheckFailure {
        CheckFailure(.payload, .badRequestPayload, expected: "", actual: "", explanation: finding.message)
    }

    private static func request(_ fields: [(HeaderName, String)], body: [UInt8]) -> HTTPRequest {
        var request = HTTPRequest()
        for (name, value) in fields {
            Array(value.utf8).withUnsafeBytes {
                request.append(name, name: UnsafeRawBufferPointer(start: nil, count: 0), value: $0)
            }
        }
        body.withUnsafeBytes { request.appendBody($0) }
        return request
    }

    @Test(arguments: PayloadVector.all) func `findings say where, what and why`(_ vector: PayloadVector) {
        let (document, findings) = vector.judged()
        for finding in findings {
            #expect(finding.message.hasSuffix(".") || finding.message.hasSuffix("?"))
            #expect(finding.message.first?.isWhitespace == false)
            guard !finding.path.isEmpty, !finding.path.hasPrefix("apns-"), !finding.found.isEmpty else { continue }
            // The path leads to the value that was found; duplicates share theirs with the first.
            let element = document.element(at: finding.path)
            #expect(element != nil, "\(finding.path)")
            if let element, finding.code != .duplicateKey {
                #expect(document.written(element, limit: 60) == finding.found)
            }
        }
    }

    @Test(arguments: PushType.allCases) func `the type is inferred from payload and topic`(_ type: PushType) {
        var document = JSONDocument()
        #expect(document.parse(Array("{\"aps\":{}}".utf8)) == nil)
        if type.row.topicSuffix != nil {
            #expect(PayloadRules.inferredType(document, topicSuffix: type) == type)
        }
        for (text, inferred) in [
            (#"{"aps":{"content-available":1}}"#, PushType.background),
            (#"{"aps":{"content-available":1,"badge":0}}"#, .alert),
            (#"{"aps":{"content-available":1,"alert":""}}"#, .alert),
            (#"{"aps":{"content-available":1,"sound":""}}"#, .alert),
            (#"{"mdm":"x"}"#, .mdm), (#"{}"#, .alert), (#"{"aps":"x"}"#, .alert),
            (#"{"aps":{"content-available":null}}"#, .alert),
            (#"{"aps":{"content-available":1,"alert":null}}"#, .background),
        ] {
            #expect(document.parse(Array(text.utf8)) == nil)
            #expect(PayloadRules.inferredType(document, topicSuffix: nil) == inferred, "\(text)")
        }
    }

    @Test func `messages are sentences for people`() {
        func message(_ text: String, _ type: PushType = .alert) -> String? {
            var document = JSONDocument()
            #expect(document.parse(Array(text.utf8)) == nil)
            return PayloadRules.examine(document, PayloadRules.Context(pushType: type)).first?.message
        }
        #expect(
            message(#"{"aps":{"badge":"5"}}"#) == #"badge is the string "5"; it must be a whole number of 0 or more."#)
        #expect(
            message(#"{"aps":"{}"}"#)
                == #"aps is the string "{}"; it must be an object aps itself, not JSON inside a string."#)
        #expect(
            message(#"{"aps":{"alert":"x","mutating-content":1}}"#)
                == "mutating-content is no key of aps; did you mean mutable-content?")
        #expect(
            message(#"{"aps":{"alert":"x","interruption-level":"timesensitive"}}"#)
                == #"interruption-level is the string "timesensitive"; it must be passive, active, time-sensitive or critical; did you mean time-sensitive?"#
        )
        #expect(
            message(#"{"aps":{"alert":{"loc-key":"%@ %@","loc-args":["a"]}}}"#)
                == "loc-key has 2 placeholders, and there is 1 argument.")
        #expect(
            message(#"{"aps":{"alert":"x"},"orderId":1,"customer_id":2}"#)
                == "The app's keys mix styles of names: orderId, customer_id.")
    }

    @Test func `long values are shortened`() {
        var document = JSONDocument()
        #expect(document.parse(Array(#"{"aps":{"badge":"\#(String(repeating: "é", count: 100))"}}"#.utf8)) == nil)
        let finding = PayloadRules.examine(document, PayloadRules.Context(pushType: .alert)).first
        #expect(finding?.found == "\"" + String(repeating: "é", count: 29) + "…")
    }

    @Test func `findings are limited, errors to twice as many`() {
        var document = JSONDocument()
        let limit = PayloadRules.maximumFindings
        let texts = String(repeating: "1,", count: 1000) + "1"
        #expect(document.parse(Array(#"{"aps":{"alert":{"loc-key":"K","loc-args":[\#(texts)]}}}"#.utf8)) == nil)
        let findings = PayloadRules.examine(document, PayloadRules.Context(pushType: .alert))
        #expect(findings.count == 2 * limit)
        #expect(findings.filter { $0.code == .moreFindings }.count == 1)
        #expect(findings.filter { $0.code == .localizationArguments }.count == 2 * limit - 1)
    }

    @Test func `long names are shortened in sentences`() {
        var document = JSONDocument()
        let name = String(repeating: "n", count: 3000)
        #expect(document.parse(Array(#"{"aps":{"alert":"x","\#(name)":1}}"#.utf8)) == nil)
        let findings = PayloadRules.examine(document, PayloadRules.Context(pushType: .alert))
        #expect(findings.map(\.code) == [.unknownKey])
        #expect(findings.allSatisfy { $0.message.utf8.count < 200 })
    }

    @Test func `random payloads are judged without a trap, and alike by every profile's cut`() {
        let seed: UInt64 = 14
        print("seed \(seed)")
        var generator = PayloadMutator(state: seed)
        var document = JSONDocument()
        var examined = 0
        for round in 0..<4000 {
            let vector = PayloadVector.all[round % PayloadVector.all.count]
            let bytes = generator.mutated(vector.bytes)
            guard document.parse(bytes) == nil, document.kind(document.root) == .object else { continue }
            examined += 1
            var context = vector.context
            context.pushType = PushType.allCases.randomElement(using: &generator) ?? .alert
            let findings = PayloadRules.examine(document, context)
            #expect(findings.count <= 2 * PayloadRules.maximumFindings)
            #expect(findings == PayloadRules.examine(document, context))
            for finding in findings where !finding.found.isEmpty && finding.path.hasPrefix("aps") {
                #expect(document.element(at: finding.path) != nil, "\(finding.path)")
            }
        }
        #expect(examined > 1000)
    }
}

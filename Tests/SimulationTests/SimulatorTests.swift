import APNs
import HTTP
import Simulation
import TLS
import Testing

/// What a decision carries: the entry, the answer and the settings that change them.
struct SimulatorTests {
    // MARK: The entry

    @Test func `an accepted entry holds what the push said`() throws {
        var sender = try PushSender()
        var recipe = try sender.base()
        recipe["apns-id"] = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
        recipe["apns-priority"] = "5"
        recipe["apns-expiration"] = "1768473000"
        recipe["apns-collapse-id"] = "order-42"
        let content = sender.decide(recipe).entry.content
        #expect(content.outcome == .accepted)
        #expect(content.receivedAt == sender.time)
        #expect(content.serverTime == sender.time)
        #expect(content.stream == 1)
        #expect(content.requestsOnConnection == 1)
        #expect(content.environment == .sandbox)
        #expect(content.profile == .strict)
        #expect(content.pushType == .alert)
        #expect(!content.isPushTypeInferred)
        #expect(content.device.map { content.request.text(in: $0) } == PushSender.device)
        #expect(content.topic.map { content.request.text(in: $0) } == "com.example.app")
        #expect(content.collapseID.map { content.request.text(in: $0) } == "order-42")
        #expect(content.expiration == 1_768_473_000)
        #expect(content.priority == 5)
        #expect(content.payloadLimit == 4096)
        #expect(content.status == 200)
        #expect(content.reason == nil)
        #expect(content.failures == [])
        #expect(content.findings == [])
        #expect(sender.decide(recipe).entry.content.requestsOnConnection == 2)
    }

    @Test func `a push type that is not declared is inferred`() throws {
        var sender = try PushSender()
        let cases: [(topic: String, body: String, type: PushType)] = [
            ("com.example.app", #"{"aps":{"alert":"hi"}}"#, .alert),
            ("com.example.app", #"{"aps":{"content-available":1}}"#, .background),
            ("com.example.app.voip", #"{"aps":{}}"#, .voip),
            ("com.apple.mgmt.External.x", #"{"mdm":"magic"}"#, .mdm),
        ]
        for (topic, body, type) in cases {
            let content = try sender.decide {
                $0["apns-push-type"] = nil
                $0["apns-topic"] = topic
                $0.body = Array(body.utf8)
            }.entry.content
            #expect(content.pushType == type)
            #expect(content.isPushTypeInferred)
        }
        let unknown = try sender.decide { $0["apns-push-type"] = "silent" }.entry.content
        #expect(unknown.pushType == nil)
        #expect(!unknown.isPushTypeInferred)
    }

    @Test func `findings about headers are recorded and refuse nothing`() throws {
        var sender = try PushSender()
        let decision = try sender.decide {
            $0["apns-expiration"] = "1768469399"
            $0[":path"] = "/3/device/\(PushSender.device.uppercased())"
        }
        #expect(decision.reason == nil)
        #expect(decision.findings == ["L009", "L017"])
        #expect(decision.entry.content.findings[0].message == "The notification expired 1 s before it arrived.")
        #expect(try sender.decide { $0["apns-expiration"] = "0" }.findings == [])
        #expect(try sender.decide { $0["apns-expiration"] = "1768469400" }.findings == [])
    }

    @Test func `in the lenient profile a topic of another type is a finding`() throws {
        var configuration = Simulator.Configuration()
        configuration.profile = .lenient
        var sender = try PushSender(configuration)
        let decision = try sender.decide { $0["apns-topic"] = "com.example.app.voip" }
        #expect(decision.reason == nil)
        #expect(decision.findings == ["L008"])
    }

    @Test func `a payload that is no JSON is told where it breaks`() throws {
        for profile in Profile.allCases {
            var configuration = Simulator.Configuration()
            configuration.profile = profile
            var sender = try PushSender(configuration)
            let broken = try sender.decide { $0.body = Array("{\"aps\":{}\n,}".utf8) }
            #expect(broken.findings == ["J001"])
            #expect(broken.reason == (profile == .live ? nil : .badRequestPayload))
            let message = try #require(broken.entry.content.findings.first?.message)
            #expect(message.contains("line 2, column 2 (byte 11)"), "\(message)")
            let array = try sender.decide { $0.body = Array("[1]".utf8) }
            #expect(array.findings == ["J002"])
        }
    }

    @Test func `a body that was not kept whole is too large, and not read`() throws {
        var sender = try PushSender()
        var request = try sender.base().request
        request.droppedBodyBytes = 5000
        let decision = sender.simulator.decide(
            request, stream: 1, on: &sender.state, scratch: &sender.scratch,
            now: Instant(machine: sender.time, server: sender.time))
        #expect(decision.failures.map(\.check) == [.payloadSize])
        #expect(decision.failures.first?.actual == "5022 bytes")
        #expect(decision.findings == [])
    }

    @Test func `explanations have the numbers`() throws {
        var sender = try PushSender()
        let size = try sender.decide { $0.body = Array(repeating: UInt8(ascii: "1"), count: 4106) }
        #expect(
            size.failures.first?.explanation
                == "The payload has 4106 bytes, 10 more than a push of type alert may have.")
        let collapse = try sender.decide { $0["apns-collapse-id"] = String(repeating: "x", count: 70) }
        #expect(collapse.failures.first?.explanation == "The apns-collapse-id has 70 bytes, 6 more than the limit.")
        let token = try sender.decide { $0[":path"] = "/3/device/<a1b2>" }
        #expect(
            token.failures.first?.explanation
                == "The device token is not hexadecimal: there is \"<\" at position 0 of 6. It looks like a placeholder that nobody filled in."
        )
        let type = try sender.decide { $0["apns-push-type"] = "Alert" }
        #expect(type.failures.first?.explanation == "The apns-push-type \"Alert\" is unknown; it is written \"alert\".")
    }

    @Test func `explanations carry no control characters`() throws {
        var sender = try PushSender()
        let decision = try sender.decide {
            $0["apns-priority"] = "\u{1B}[31m\u{0}\r\n"
            $0["apns-topic"] = "\u{7F}\u{1B}]0;x\u{7}"
            $0[":path"] = "/3/device/\u{1B}"
        }
        #expect(decision.failures.count == 3)
        for failure in decision.failures {
            for text in [failure.explanation, failure.actual, failure.expected] {
                #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(failure)")
            }
        }
    }

    // MARK: The answer

    @Test func `the documented spelling is a switch`() throws {
        var configuration = Simulator.Configuration()
        configuration.documentedSpelling = true
        var sender = try PushSender(configuration)
        let decision = try sender.decide { $0["apns-collapse-id"] = "" }
        #expect(decision.body == #"{"reason":"BadCollapseId"}"#)
        #expect(decision.reason == .invalidCollapseID)
    }

    @Test func `errors have a content type only when asked to`() throws {
        var configuration = Simulator.Configuration()
        var plain = try PushSender(configuration)
        #expect(try plain.decide { $0.body = [] }.field(.contentType) == nil)
        configuration.errorContentType = true
        var typed = try PushSender(configuration)
        #expect(try typed.decide { $0.body = [] }.field(.contentType) == "application/json")
        #expect(try typed.decide().field(.contentType) == nil)
    }

    @Test func `ids are made in upper case and differ`() throws {
        var sender = try PushSender()
        var ids: Set<String> = []
        for _ in 0..<200 {
            let decision = try sender.decide { _ in }
            ids.insert(try #require(decision.field(.apnsID)))
            ids.insert(try #require(decision.field(.apnsUniqueID)))
        }
        #expect(ids.count == 400)
        #expect(ids.allSatisfy { $0 == $0.uppercased() && $0.utf8.count == 36 })
    }

    @Test func `production has no second id`() throws {
        var sender = try PushSender(environment: .production)
        let decision = try sender.decide()
        #expect(decision.field(.apnsUniqueID) == nil)
        #expect(decision.entry.content.apnsUniqueID == nil)
        #expect(decision.entry.content.environment == .production)
        let sandbox = try sender.decide { $0[":authority"] = "api.sandbox.push.apple.com" }
        #expect(sandbox.entry.content.environment == .sandbox)
        let host = try sender.decide {
            $0[":authority"] = nil
            $0.fields.append(("host", "api.development.push.apple.com:443"))
        }
        #expect(host.entry.content.environment == .sandbox)
    }

    @Test func `a log that cannot be written turns an accepted push into 503`() throws {
        var sender = try PushSender()
        let accepted = try sender.decide { $0["apns-id"] = "eabeae54-14a8-11e5-b60b-1697f925ec7b" }
        let decision = sender.simulator.unavailable(accepted, because: "inspection.ndjson: No space left on device")
        #expect(decision.response.status == 503)
        #expect(decision.body == #"{"reason":"ServiceUnavailable"}"#)
        #expect(decision.field(.apnsID) == "eabeae54-14a8-11e5-b60b-1697f925ec7b")
        #expect(decision.field(.apnsUniqueID) == nil)
        let content = decision.entry.content
        #expect(content.outcome == .rejected)
        #expect(content.status == 503)
        #expect(content.reason == .serviceUnavailable)
        #expect(content.failures.map(\.check) == [.serviceAvailable])
        #expect(content.failures.first?.explanation.contains("inspection.ndjson: No space left on device") == true)
        #expect(content.device == accepted.entry.content.device)
        #expect(decision.entry !== accepted.entry)
    }

    @Test func `the payload limit can be raised`() throws {
        var configuration = Simulator.Configuration()
        configuration.payloadLimit = 5200
        var sender = try PushSender(configuration)
        func answer(_ count: Int, _ type: String, _ topic: String) throws -> UInt16 {
            let filling = String(repeating: "x", count: count - 20)
            return try sender.decide {
                $0.body = Array(#"{"aps":{"alert":"\#(filling)"}}"#.utf8)
                $0["apns-push-type"] = type
                $0["apns-topic"] = topic
            }.response.status
        }
        #expect(try answer(5200, "alert", "com.example.app") == 200)
        #expect(try answer(5201, "alert", "com.example.app") == 413)
        #expect(try answer(5200, "voip", "com.example.app.voip") == 200)
        #expect(try answer(5201, "voip", "com.example.app.voip") == 413)
    }

    // MARK: Streams

    @Test func `streams are as many as at the start by default`() throws {
        var sender = try PushSender()
        #expect(try sender.decide().maxConcurrentStreams == nil)
        #expect(sender.decide(PushRecipe(authorization: nil)).maxConcurrentStreams == nil)
    }

    @Test func `a good token raises the streams, a refused one lowers them`() throws {
        var configuration = Simulator.Configuration()
        configuration.initialStreams = 1
        var sender = try PushSender(configuration)
        let good = try sender.base()
        let bad = PushRecipe(authorization: try sender.bearer { $0.signing = .corrupted })
        #expect(sender.decide(bad).maxConcurrentStreams == nil, "they are low already")
        #expect(sender.decide(good).maxConcurrentStreams == 1000)
        #expect(sender.decide(good).maxConcurrentStreams == nil)
        #expect(sender.decide(bad).maxConcurrentStreams == 1)
        #expect(sender.decide(bad).maxConcurrentStreams == nil)
        var wrong = good
        wrong["apns-priority"] = "7"
        #expect(sender.decide(wrong).maxConcurrentStreams == 1000, "the token is good, whatever else is wrong")
        sender.time += 4_000_000
        #expect(sender.decide(good).maxConcurrentStreams == 1, "it has expired")
        #expect(try sender.decide().maxConcurrentStreams == 1000)
    }

    @Test func `a lenient server raises them for everybody`() throws {
        var configuration = Simulator.Configuration()
        configuration.initialStreams = 1
        configuration.profile = .lenient
        var sender = try PushSender(configuration)
        #expect(sender.decide(PushRecipe(authorization: nil)).maxConcurrentStreams == 1000)
        #expect(sender.decide(PushRecipe(authorization: nil)).maxConcurrentStreams == nil)
    }

    @Test func `a refused entry knows which checks were not made`() throws {
        var sender = try PushSender()
        let path = try sender.decide { $0[":path"] = "/" }.entry.content
        #expect(path.unmade.contains(.payload))
        #expect(!path.unmade.contains(.tokenAge))
        let priority = try sender.decide { $0["apns-priority"] = "7" }.entry.content
        #expect(!priority.unmade.contains(.payload))
        #expect(priority.unmade.contains(.deviceRate))
    }

    // MARK: Hostile requests

    @Test(arguments: [61, 62, 63, 64] as [UInt64])
    func `random requests are always answered`(_ seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        var configuration = Simulator.Configuration()
        configuration.profile = Profile.allCases.randomElement(using: &random) ?? .strict
        var sender = try PushSender(configuration)
        let names = HeaderName.allCases.map(\.spelling.description).filter { !$0.isEmpty } + ["apns-", "x"]
        for _ in 0..<300 {
            var recipe = try sender.base()
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let value = (0..<Int.random(in: 0..<90, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                recipe.fields.append(
                    (names.randomElement(using: &random) ?? "x", String(decoding: value, as: UTF8.self)))
            }
            recipe.fields.shuffle(using: &random)
            recipe.fields.removeLast(Int.random(in: 0..<3, using: &random))
            let decision = sender.decide(recipe)
            #expect(decision.response.status == decision.entry.content.status, "seed \(seed)")
            #expect((decision.reason == nil) == (decision.response.status == 200), "seed \(seed)")
            #expect(decision.field(.apnsID)?.utf8.count == 36, "seed \(seed)")
            #expect(decision.failures.map(\.check) == decision.failures.map(\.check).sorted(), "seed \(seed)")
        }
    }

    @Test func `a request without any field is answered`() throws {
        var sender = try PushSender()
        var recipe = PushRecipe(authorization: nil)
        recipe.fields = []
        recipe.body = []
        #expect(sender.decide(recipe).reason == .methodNotAllowed)
    }
}

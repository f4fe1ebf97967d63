import APNs
import HTTP
import Simulation
import Testing

/// Requests about channels with several faults at once: the first failed check in the visible order is the answer.
struct ChannelOrderTests {
    @Test func `the orders hold each check once, and begin alike`() {
        for operation in ChannelOperation.allCases {
            #expect(Set(operation.order).count == operation.order.count)
            #expect(Array(operation.order.prefix(18)) == Array(Check.listOrder.prefix(18)))
            #expect(operation.order.last == .serviceAvailable)
        }
        #expect(Check.deviceOrder.count == 32)
        #expect(Check.deviceOrder.last == .serviceAvailable)
    }

    @Test(arguments: Profile.allCases, [1, 2, 3, 4] as [UInt64])
    func `the answer is the first failure in the order of checks`(_ profile: Profile, _ seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        for round in 0..<40 {
            var configuration = Simulator.Configuration()
            configuration.profile = profile
            var sender = try ChannelSender(configuration)
            var recipe = sender.base("publish", authorization: try sender.sender.bearer())
            var failing: Set<Check> = []
            let faults: [(Check, (inout PushRecipe) -> Void)] = [
                (.authorizationPresent, { $0["authorization"] = nil }),
                (.topicForm, { $0[":path"] = "/4/broadcasts/apps/com.example.app.voip" }),
                (.apnsID, { $0["apns-request-id"] = "17" }), (.channelPresent, { $0["apns-channel-id"] = nil }),
                (.pushTypePresent, { $0["apns-push-type"] = nil }), (.expiration, { $0["apns-expiration"] = "x" }),
                (.priority, { $0["apns-priority"] = "7" }), (.payloadPresent, { $0.body = [] }),
            ]
            for (check, apply) in faults where Int.random(in: 0..<3, using: &random) == 0 {
                apply(&recipe)
                failing.insert(check)
            }
            // Another bundle id is another app, whose channel this is not.
            if failing.contains(.topicForm), !failing.contains(.channelPresent) { failing.insert(.channelKnown) }
            if profile == .lenient { failing.remove(.authorizationPresent) }
            let decision = sender.sender.decide(recipe)
            let comment: Comment = "profile \(profile), seed \(seed), round \(round)"
            #expect(decision.failures.map(\.check) == Check.broadcastOrder.filter { failing.contains($0) }, comment)
            #expect(decision.response.status == decision.failures.first?.reason.status ?? 200, comment)
        }
    }

    @Test(arguments: [21, 22, 23] as [UInt64])
    func `strict answers what live answers whenever live refuses a broadcast`(_ seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        var (refused, hidden) = (0, 0)
        for round in 0..<60 {
            var answers: [Decision] = []
            // The same draws for both, from stores that are filled alike.
            let start = random
            for profile in [Profile.live, .strict] {
                random = start
                var configuration = Simulator.Configuration()
                configuration.profile = profile
                var sender = try ChannelSender(configuration)
                var recipe = sender.base("publish", authorization: try sender.sender.bearer())
                let channels = ["{GONE}", "{KEEP}", "{NONE}", "{PROD}", "{OTHER}", "{NEVER}"]
                recipe["apns-channel-id"] = channels.randomElement(using: &random).map { sender.named($0) }
                if Bool.random(using: &random) { recipe["apns-expiration"] = "1900000000" }
                if Int.random(in: 0..<4, using: &random) == 0 { recipe["apns-priority"] = "7" }
                let bodies = [#"{"aps":[]}"#, "{}", #"{"aps":{"event":"later"}}"#, "[]", "{"]
                if Bool.random(using: &random) {
                    recipe.body = Array((bodies.randomElement(using: &random) ?? "").utf8)
                }
                answers.append(sender.sender.decide(recipe))
            }
            guard answers[0].response.status != 200 else { continue }
            refused += 1
            #expect(answers[1].response.status == answers[0].response.status, "seed \(seed), round \(round)")
            #expect(answers[1].body == answers[0].body, "seed \(seed), round \(round)")
            if answers[1].failures.contains(where: { $0.check == .payloadKeys }) { hidden += 1 }
        }
        #expect(refused > 20 && hidden > 3, "seed \(seed): \(refused), \(hidden)")
    }
}

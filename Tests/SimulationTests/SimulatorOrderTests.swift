import APNs
import HTTP
import Simulation
import Testing

/// Requests with several faults at once: the first failed check in the visible order is the answer, whatever else is wrong.
struct SimulatorOrderTests {
    /// What a draw chose: the request, and the checks that must fail.
    private struct Draw {
        var recipe: PushRecipe
        var failing: [Check] = []
        /// The faults that only a strict or lenient server refuses.
        var isMalformed = false
    }

    @Test(arguments: Profile.allCases, [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `the answer is the first failure in the order of checks`(_ profile: Profile, _ seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        for round in 0..<40 {
            let comment: Comment = "profile \(profile), seed \(seed), round \(round)"
            var configuration = Simulator.Configuration()
            configuration.profile = profile
            var sender = try PushSender(configuration)
            let isRefreshing = Bool.random(using: &random)
            if isRefreshing {
                let first = try sender.decide { _ in }
                try #require(first.entry.content.status == 200, comment)
                sender.time += 5000
            }
            let draw = try draw(from: sender, isRefreshing: isRefreshing, &random)
            var expected = Set(draw.failing)
            if profile == .live, draw.isMalformed { expected.remove(.payload) }
            if profile == .lenient {
                expected = expected.filter { !Check.identityChecks.contains($0) && $0 != .pushTypeTopic }
            }
            let decision = sender.decide(draw.recipe)
            let content = decision.entry.content
            #expect(content.failures.map(\.check) == expected.sorted(), comment)
            let first = content.failures.first
            #expect(content.reason == first?.reason, comment)
            #expect(decision.response.status == first?.reason.status ?? 200, comment)
            #expect(decision.body == (first.map { $0.reason.row.body.description } ?? ""), comment)
        }
    }

    private func draw(
        from sender: PushSender, isRefreshing: Bool, _ random: inout FastRandom
    ) throws -> Draw {
        var draw = Draw(recipe: PushRecipe(authorization: nil))
        try drawAuthorization(sender, isRefreshing, &draw, &random)
        drawHeaders(&draw, &random)
        drawTopic(&draw, &random)
        drawBody(&draw, &random)
        drawDevice(&draw, &random)
        if chance(&random, 10) {
            draw.recipe[":method"] = "GET"
            draw.failing.append(.method)
        }
        if chance(&random, 10) {
            draw.recipe[":path"] = "/3/devices/\(PushSender.device)"
            // Nothing behind the path is looked at but who the sender is.
            draw.failing.removeAll { $0 > .tokenRefresh }
            draw.failing.append(.path)
            draw.isMalformed = false
        }
        return draw
    }

    private func drawAuthorization(
        _ sender: PushSender, _ isRefreshing: Bool, _ draw: inout Draw, _ random: inout FastRandom
    ) throws {
        var recipe = TokenRecipe(issuedAt: sender.time / 1000)
        var failing: [Check] = isRefreshing ? [.tokenRefresh] : []
        if chance(&random, 5) {
            recipe.issuedAt -= 4000
            failing.append(.tokenAge)
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            draw.failing.append(.authorizationPresent)
            return
        case 1:
            draw.recipe["authorization"] = "bearer nonsense"
            draw.failing.append(.tokenForm)
            return
        case 2:
            recipe.header = #"{"alg":"ES256","kid":"UNKNOWN001"}"#
            failing.removeAll { $0 == .tokenRefresh }
            failing.append(.tokenKey)
        case 3:
            recipe.signing = .corrupted
            failing.append(.tokenSignature)
        case 4:
            recipe.claims = #"{"iss":"ZYXWV98765","iat":%iat%}"#
            failing.append(.tokenTeam)
        case 5:
            recipe.header = #"{"alg":"ES256","kid":"PRODUCTION"}"#
            failing.removeAll { $0 == .tokenRefresh }
            failing.append(.keyEnvironment)
        default: break
        }
        draw.recipe["authorization"] = try "bearer " + recipe.signed(by: sender.key)
        draw.failing += failing
    }

    private func drawHeaders(_ draw: inout Draw, _ random: inout FastRandom) {
        let faults: [(Check, String, String)] = [
            (.apnsID, "apns-id", "17"), (.expiration, "apns-expiration", "soon"), (.priority, "apns-priority", "high"),
            (.collapseID, "apns-collapse-id", String(repeating: "x", count: 65)),
        ]
        for (check, name, value) in faults where chance(&random, 5) {
            draw.recipe[name] = value
            draw.failing.append(check)
        }
        if chance(&random, 8) {
            draw.recipe.fields += [("apns-id", "17"), ("apns-id", "17")]
            if !draw.failing.contains(.apnsID) { draw.failing.append(.apnsID) }
            draw.failing.append(.duplicateHeaders)
        }
    }

    private func drawTopic(_ draw: inout Draw, _ random: inout FastRandom) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            draw.recipe["apns-topic"] = nil
            draw.failing.append(.topicPresent)
        case 1:
            draw.recipe["apns-topic"] = "com example"
            draw.failing.append(.topicAllowed)
        case 2:
            draw.recipe["apns-topic"] = "com.example.app.voip-ptt"
            draw.failing.append(.pushTypeTopic)
        case 3:
            draw.recipe["apns-push-type"] = "silent"
            draw.failing.append(.pushType)
        default: return
        }
    }

    private func drawBody(_ draw: inout Draw, _ random: inout FastRandom) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            draw.recipe.body = []
            draw.failing.append(.payloadPresent)
        case 1:
            let text = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4100))"}}"#
            draw.recipe.body = Array(text.utf8)
            draw.failing.append(.payloadSize)
        case 2:
            draw.recipe.body = Array(#"{"aps":{"alert":"hi"}"#.utf8)
            draw.failing.append(.payload)
            draw.isMalformed = true
        default: return
        }
    }

    private func drawDevice(_ draw: inout Draw, _ random: inout FastRandom) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            draw.recipe[":path"] = "/3/device/"
            draw.failing.append(.deviceTokenPresent)
        case 1:
            draw.recipe[":path"] = "/3/device/abc"
            draw.failing.append(.deviceToken)
        default: return
        }
    }

    private func chance(_ random: inout FastRandom, _ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &random) == 0
    }

    // MARK: Profiles

    /// Bodies that `live` takes, or all of Apple's checks but the first two about bodies.
    private static let oddBodies = [
        #"{"aps":[]}"#, "{}", "[]", "x", "{", #"{"aps":{"badge":"5"}}"#, #"{"aps":{"alert":7}}"#, "",
    ]
    /// Device tokens that spell an answer, or a delay.
    private static let magicTokens = ["04100100", "04290202", "05030100", "0200000001"].map { spelt in
        "6d6f636b" + spelt + String(repeating: "0", count: 56 - spelt.count)
    }

    @Test(arguments: [11, 12, 13, 14, 15, 16] as [UInt64])
    func `strict answers what live answers whenever live refuses`(_ seed: UInt64) throws {
        var random = FastRandom(seed: seed)
        var (accepted, refused, hidden) = (0, 0, 0)
        for round in 0..<80 {
            var configuration = Simulator.Configuration()
            configuration.acceptsUnknownDevices = chance(&random, 2)
            if chance(&random, 2) { configuration.deviceRate = DeviceRate("1/1m") }
            configuration.profile = .strict
            var strict = try PushSender(configuration, devices: DeviceStore(DeviceFixture.devices))
            configuration.profile = .live
            var live = try PushSender(configuration, key: strict.key, devices: DeviceStore(DeviceFixture.devices))
            let isRefreshing = chance(&random, 3)
            if isRefreshing {
                let first = try strict.base()
                #expect(strict.decide(first).body == live.decide(first).body)
                if chance(&random, 2) { (strict.time, live.time) = (strict.time + 5000, live.time + 5000) }
            }
            var draw = Draw(recipe: try strict.base())
            if chance(&random, 3) { draw = try self.draw(from: strict, isRefreshing: isRefreshing, &random) }
            if chance(&random, 2) {
                let tokens = DeviceFixture.tokens.values.sorted() + Self.magicTokens
                draw.recipe[":path"] = "/3/device/" + (tokens.randomElement(using: &random) ?? "")
            }
            if chance(&random, 2) {
                draw.recipe.body = Array((Self.oddBodies.randomElement(using: &random) ?? "").utf8)
            }
            if chance(&random, 4) { draw.recipe.body = scrambled(draw.recipe.body, &random) }
            for index in draw.recipe.fields.indices where chance(&random, 16) {
                let value = scrambled(Array(draw.recipe.fields[index].1.utf8), &random)
                draw.recipe.fields[index].1 = String(decoding: value, as: UTF8.self)
            }
            let (strictly, liveLike) = (strict.decide(draw.recipe), live.decide(draw.recipe))
            let comment: Comment = "seed \(seed), round \(round): \(draw.recipe.fields)"
            guard liveLike.response.status != 200 else {
                accepted += 1
                continue
            }
            refused += 1
            #expect(strictly.response.status == liveLike.response.status, comment)
            #expect(strictly.body == liveLike.body, comment)
            if strictly.failures.contains(where: { $0.check == .payload }) { hidden += 1 }
        }
        #expect(accepted > 5 && refused > 20 && hidden > 5, "seed \(seed): \(accepted), \(refused), \(hidden)")
    }

    private func scrambled(_ bytes: [UInt8], _ random: inout FastRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
        }
        return bytes
    }

    @Test func `names of checks are stable and distinct`() {
        let names = Check.allCases.map(\.name.description)
        #expect(Set(names).count == names.count)
        #expect(Check.allCases == Check.allCases.sorted())
    }
}

import APNs
import HTTP
import Simulation
import TLS
import Testing

/// Who may send, on which connection, and for how long.
struct AuthenticatorTests {
    private func authentication(_ decision: Decision) -> (keyID: String, teamID: String, signature: String)? {
        guard case .token(let keyID, let teamID, _, let signature) = decision.entry.content.authentication else {
            return nil
        }
        return (keyID, teamID, signature.description)
    }

    @Test func `an accepted push tells whose it is`() throws {
        var sender = try PushSender()
        let shown = try #require(authentication(try sender.decide()))
        #expect(shown == ("KEY1234567", "ABCDE12345", "verified"))
    }

    @Test func `a refused token that could be read is shown too`() throws {
        var sender = try PushSender()
        let recipe = PushRecipe(authorization: try sender.bearer { $0.signing = .corrupted })
        let shown = try #require(authentication(sender.decide(recipe)))
        #expect(shown == ("KEY1234567", "ABCDE12345", "invalid"))
        #expect(authentication(sender.decide(PushRecipe(authorization: nil))) == nil)
    }

    @Test func `a remembered token still ages`() throws {
        var sender = try PushSender()
        let recipe = try sender.base()
        #expect(sender.decide(recipe).reason == nil)
        sender.time += 3_600_000
        #expect(sender.decide(recipe).reason == nil)
        sender.time += 1000
        let decision = sender.decide(recipe)
        #expect(decision.reason == .expiredProviderToken)
        #expect(decision.failures.first?.actual == "3601 s")
    }

    @Test func `a remembered token is forgotten when its key goes`() throws {
        var sender = try PushSender()
        let recipe = try sender.base()
        #expect(sender.decide(recipe).reason == nil)
        var key = try #require(sender.simulator.keys.key(PushSender.keyID))
        key.isRevoked = true
        sender.simulator.keys.set(key)
        #expect(sender.decide(recipe).failures.map(\.check) == [.tokenKey])
        sender.simulator.keys.remove(PushSender.keyID)
        #expect(sender.decide(recipe).failures.first?.explanation.contains("none of the registered keys") == true)
        sender.simulator.reset()
        #expect(sender.decide(recipe).reason == nil)
    }

    @Test func `a token verified on one connection is known on the next, and a changed one is not`() throws {
        var sender = try PushSender()
        let recipe = try sender.base()
        _ = sender.decide(recipe)
        var second = sender
        second.state = ConnectionState(connection: sender.state.connection)
        #expect(second.decide(recipe).reason == nil)
        var changed = recipe
        changed["authorization"] = (recipe["authorization"] ?? "") + "A"
        #expect(second.decide(changed).reason == .invalidProviderToken)
    }

    @Test func `the key that signed counts, not the one that is named`() throws {
        var sender = try PushSender()
        let token = try TokenRecipe().signed(by: sender.otherKey)
        let decision = sender.decide(PushRecipe(authorization: "bearer \(token)"))
        #expect(decision.failures.map(\.check) == [.tokenSignature])
    }

    @Test func `a token says itself where it departs from Apple's text`() throws {
        var sender = try PushSender()
        let token = try sender.bearer {
            $0.signing = .der
            $0.alphabet = .standard
            $0.isPadded = true
            $0.claims = #"{"iss":"ABCDE12345","iat":"%iat%"}"#
        }
        let recipe = PushRecipe(authorization: token.replacing("bearer ", with: "Bearer "))
        for _ in 0..<2 {
            let decision = sender.decide(recipe)
            #expect(decision.reason == nil)
            #expect(Set(decision.findings).isSuperset(of: ["T001", "T003", "T005"]))
        }
    }

    // MARK: Renewal

    @Test func `the old token stays usable after a new one came too soon`() throws {
        var sender = try PushSender()
        let old = try sender.base()
        #expect(sender.decide(old).reason == nil)
        sender.time += 60_000
        let new = try sender.base()
        let refused = sender.decide(new)
        #expect(refused.reason == .tooManyProviderTokenUpdates)
        #expect(refused.response.status == 429)
        #expect(refused.failures.first?.actual == "another after 60 s")
        #expect(sender.decide(old).reason == nil)
        sender.time += 1_140_000
        #expect(sender.decide(new).reason == nil)
        #expect(sender.decide(old).reason == .tooManyProviderTokenUpdates, "going back is a change as well")
        sender.time += 1_200_000
        #expect(sender.decide(old).reason == nil)
    }

    @Test func `a token that has expired is replaced at once`() throws {
        var sender = try PushSender()
        // Made 55 minutes before its first use, so that it expires long before the connection may change its token.
        let old = PushRecipe(authorization: try sender.bearer { $0.issuedAt -= 3300 })
        #expect(sender.decide(old).reason == nil)
        sender.time += 300_000
        #expect(try sender.decide().reason == .tooManyProviderTokenUpdates)
        sender.time += 1000
        #expect(sender.decide(old).reason == .expiredProviderToken)
        let new = try sender.base()
        #expect(sender.decide(new).reason == nil)
        sender.time += 1000
        #expect(try sender.decide().reason == .tooManyProviderTokenUpdates)
        #expect(sender.decide(new).reason == nil)
    }

    @Test func `a new connection starts afresh`() throws {
        var sender = try PushSender()
        _ = try sender.decide()
        sender.time += 1000
        sender.state = ConnectionState(connection: sender.state.connection)
        #expect(try sender.decide().reason == nil)
    }

    @Test func `the limit can be switched off`() throws {
        var configuration = Simulator.Configuration()
        configuration.limitsTokenRefresh = false
        var sender = try PushSender(configuration)
        for _ in 0..<5 {
            #expect(try sender.decide().reason == nil)
            sender.time += 1000
        }
    }

    @Test func `tokens are renewed in time through a whole day`() throws {
        var sender = try PushSender()
        for _ in 0..<24 {
            let recipe = try sender.base()
            for _ in 0..<3 {
                #expect(sender.decide(recipe).reason == nil)
                sender.time += 1_000_000
            }
        }
    }

    @Test func `a clock that is set back does not lock anybody out`() throws {
        var sender = try PushSender()
        _ = try sender.decide()
        sender.time -= 86_400_000
        #expect(try sender.decide().reason == nil)
    }

    @Test func `each of two related keys has its own token`() throws {
        var sender = try PushSender()
        func recipe(_ keyID: String) throws -> PushRecipe {
            PushRecipe(authorization: try sender.bearer { $0.header = #"{"alg":"ES256","kid":"\#(keyID)"}"# })
        }
        let (first, second) = (try recipe("TOPICAL001"), try recipe("TOPICAL002"))
        for _ in 0..<3 {
            #expect(sender.decide(first).reason == nil)
            #expect(sender.decide(second).reason == nil)
        }
        sender.time += 1000
        let third = try recipe("TOPICAL002")
        #expect(sender.decide(third).reason == .tooManyProviderTokenUpdates)
    }

    @Test func `a refused method or path binds the connection to nobody`() throws {
        var sender = try PushSender()
        var recipe = PushRecipe(
            authorization: try sender.bearer {
                $0.header = #"{"alg":"ES256","kid":"OTHERTEAM1"}"#
                $0.claims = #"{"iss":"ZYXWV98765","iat":%iat%}"#
            })
        recipe[":method"] = "GET"
        #expect(sender.decide(recipe).reason == .methodNotAllowed)
        #expect(try sender.decide().reason == nil)
    }

    @Test func `a push refused for its headers binds it all the same`() throws {
        var sender = try PushSender()
        #expect(try sender.decide { $0["apns-priority"] = "7" }.reason == .badPriority)
        let other = PushRecipe(
            authorization: try sender.bearer {
                $0.header = #"{"alg":"ES256","kid":"OTHERTEAM1"}"#
                $0.claims = #"{"iss":"ZYXWV98765","iat":%iat%}"#
            })
        let decision = sender.decide(other)
        #expect(decision.reason == .invalidProviderToken)
        #expect(decision.failures.map(\.check) == [.tokenTeam])
    }

    // MARK: Unknown keys

    @Test func `unknown keys are accepted when the settings say so`() throws {
        var configuration = Simulator.Configuration()
        configuration.acceptsUnknownKeys = true
        var sender = try PushSender(configuration)
        func recipe(_ change: (inout TokenRecipe) -> Void) throws -> PushRecipe {
            PushRecipe(
                authorization: try sender.bearer {
                    $0.header = #"{"alg":"ES256","kid":"ANYBODY001"}"#
                    $0.claims = #"{"iss":"ANYTEAM001","iat":%iat%}"#
                    change(&$0)
                })
        }
        let good = sender.decide(try recipe { _ in })
        #expect(good.reason == nil)
        let shown = try #require(authentication(good))
        #expect(shown == ("ANYBODY001", "ANYTEAM001", "unknown key"))
        #expect(sender.decide(try recipe { $0.issuedAt -= 4000 }).reason == .expiredProviderToken)
        sender.state = ConnectionState(connection: sender.state.connection)
        #expect(try sender.decide().reason == nil)
        #expect(
            sender.decide(PushRecipe(authorization: try sender.bearer { $0.signing = .corrupted })).reason
                == .invalidProviderToken, "a known key is still checked")
    }

    @Test func `lenient asks nobody, and reads what is there`() throws {
        var configuration = Simulator.Configuration()
        configuration.profile = .lenient
        var sender = try PushSender(configuration)
        #expect(sender.decide(PushRecipe(authorization: nil)).reason == nil)
        #expect(sender.decide(PushRecipe(authorization: "nonsense")).reason == nil)
        let old = sender.decide(PushRecipe(authorization: try sender.bearer { $0.issuedAt = 1 }))
        #expect(old.reason == nil)
        #expect(authentication(old)?.keyID == "KEY1234567")
        #expect(old.failures == [])
    }

    // MARK: Many at once

    @Test func `many connections may be judged at once while keys change`() async throws {
        let sender = try PushSender()
        let recipe = try sender.base()
        let keys = sender.simulator.keys
        let key = try #require(keys.key(PushSender.keyID))
        let simulator = sender.simulator
        let connection = sender.state.connection
        let request = recipe.request
        let now = Instant(machine: sender.time, server: sender.time)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var accepted = 0
                    var scratch = DecisionScratch()
                    for _ in 0..<40 {
                        var state = ConnectionState(connection: connection)
                        let decision = simulator.decide(request, stream: 1, on: &state, scratch: &scratch, now: now)
                        accepted += decision.response.status == 200 ? 1 : 0
                    }
                    return accepted
                }
            }
            group.addTask {
                for _ in 0..<40 { keys.set(key) }
                return 160
            }
            for await accepted in group { #expect(accepted == 40 || accepted == 160) }
        }
    }

    @Test func `more tokens than are remembered are judged all the same`() throws {
        var configuration = Simulator.Configuration()
        configuration.limitsTokenRefresh = false
        configuration.acceptsUnknownKeys = true
        var sender = try PushSender(configuration)
        let token = try sender.bearer { $0.header = #"{"alg":"ES256","kid":"ANYBODY001"}"# }
        let parts = token.split(separator: ".")
        for number in 1000..<2200 {
            // Another signature, which nobody can check, makes another token.
            let other = "\(parts[0]).\(parts[1]).\(String(repeating: "\(number)", count: 21))AA"
            #expect(sender.decide(PushRecipe(authorization: other)).reason == nil)
        }
    }
}

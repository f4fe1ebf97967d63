import APNs
import HTTP
import Simulation
import Testing

/// Requests judged without being received.
struct RequestExplanationTests {
    private func explain(
        _ sender: PushSender, _ recipe: PushRecipe, _ rehearsal: Simulator.Rehearsal = .whole
    ) -> RequestExplanation {
        sender.simulator.explain(
            recipe.request, from: PeerConnection(id: 0, peer: "test", listener: "test"), rehearsal,
            now: Instant(machine: sender.time, server: sender.time))
    }

    private func verdict(_ check: Check, _ explanation: RequestExplanation) -> String {
        switch explanation.checks.first(where: { $0.check == check })?.verdict {
        case .passed: "passed"
        case .failed(let failure): "failed: \(failure.actual)"
        case .notMade: "not made"
        case nil: "no such check"
        }
    }

    @Test func `an explanation is the decision, whatever is wrong`() throws {
        var sender = try PushSender()
        let changes: [(inout PushRecipe) -> Void] = [
            { _ in }, { $0["apns-topic"] = nil }, { $0["apns-priority"] = "7" }, { $0["authorization"] = nil },
            { $0["authorization"] = "bearer x" }, { $0[":path"] = "/3/device/00" }, { $0.body = [] },
            { $0.body = Array("{".utf8) }, { $0[":method"] = "GET" }, { $0[":path"] = "/4" },
            {
                $0["apns-topic"] = nil
                $0.body = Array(#"{"aps":[]}"#.utf8)
            },
        ]
        for (index, change) in changes.enumerated() {
            var recipe = try sender.base()
            change(&recipe)
            let explanation = explain(sender, recipe)
            let decision = sender.decide(recipe)
            #expect(explanation.content.failures == decision.failures, "change \(index)")
            #expect(explanation.response.status == decision.response.status, "change \(index)")
            #expect(explanation.isAccepted == (decision.reason == nil), "change \(index)")
        }
    }

    @Test func `every check is accounted for, also of what is accepted`() throws {
        let sender = try PushSender()
        let explanation = explain(sender, try sender.base())
        #expect(explanation.checks.map(\.check) == Check.deviceOrder)
        #expect(verdict(.tokenSignature, explanation) == "passed")
        #expect(verdict(.payload, explanation) == "passed")
        #expect(verdict(.certificate, explanation) == "not made")
        let refused = explain(sender, PushRecipe(authorization: nil))
        #expect(verdict(.authorizationPresent, refused).hasPrefix("failed"))
        #expect(verdict(.tokenSignature, refused) == "not made")
        #expect(verdict(.topicPresent, refused) == "passed")
    }

    @Test func `a sender can be assumed`() throws {
        let sender = try PushSender()
        var recipe = PushRecipe(authorization: nil)
        let explanation = explain(sender, recipe, .assumingSender)
        #expect(explanation.isAccepted)
        #expect(verdict(.tokenKey, explanation) == "not made")
        #expect(verdict(.topicAllowed, explanation) == "not made")
        recipe["apns-priority"] = "7"
        #expect(explain(sender, recipe, .assumingSender).content.reason == .badPriority)
    }

    @Test func `nothing changes by it`() throws {
        var sender = try PushSender()
        let first = try sender.base()
        #expect(explain(sender, first).isAccepted)
        sender.time += 1000
        // A dry run with another token binds nothing: both would be good on a new connection.
        #expect(explain(sender, try sender.base()).isAccepted)
        #expect(sender.decide(first).reason == nil)
        #expect(sender.simulator.journal.cursor == 0)
        var create = try sender.base()
        create[":path"] = "/1/apps/com.example.app/channels"
        create.body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        let explanation = explain(sender, create)
        #expect(explanation.response.status == 201)
        let app = Channel.App(.sandbox, "com.example.app")
        #expect(sender.simulator.channels.channels(of: app, now: sender.time).isEmpty)
    }

    @Test func `channels are those of the server`() throws {
        let sender = try PushSender()
        let app = Channel.App(.sandbox, "com.example.app")
        let channel = try sender.simulator.channels.create(app, .mostRecent, now: sender.time)
        var delete = try sender.base()
        delete[":method"] = "DELETE"
        delete[":path"] = "/1/apps/com.example.app/channels"
        delete["apns-channel-id"] = channel.id
        #expect(explain(sender, delete).response.status == 204)
        #expect(sender.simulator.channels.channels(of: app, now: sender.time).map(\.id) == [channel.id])
    }

    @Test func `devices and their rates are those of the server, and a dry run does not count`() throws {
        var configuration = Simulator.Configuration()
        configuration.deviceRate = DeviceRate(count: 1, milliseconds: 60_000)
        var sender = try PushSender(configuration)
        let recipe = try sender.base()
        for _ in 0..<3 { #expect(explain(sender, recipe).isAccepted) }
        #expect(sender.decide(recipe).reason == nil)
        #expect(explain(sender, recipe).content.reason == .tooManyRequests)
    }

    @Test func `as text each check is a line`() throws {
        let sender = try PushSender()
        var recipe = try sender.base()
        recipe[":path"] = "/3/device/abc"
        let text = explain(sender, recipe).text
        #expect(text.hasPrefix("would be REFUSED: 400 BadDeviceToken\n"))
        #expect(text.contains("\n  ok  method\n"))
        #expect(text.contains("\n  NO  device                  expected 64..200"))
        #expect(text.contains("\n  -   certificate\n"))
        #expect(text.contains("left of 4096"))
        #expect(explain(sender, try sender.base()).text.hasPrefix("would be accepted: 200\n"))
    }
}

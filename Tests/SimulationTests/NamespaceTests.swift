import APNs
import Foundation
import HTTP
import TLS
import TestFixtures
import Testing

@testable import Simulation

/// Which namespace a request belongs to, and that namespaces share nothing but the log and the budget.
struct NamespaceTests {
    private let sender: PushSender
    private let worlds: Worlds

    init() throws {
        sender = try PushSender()
        worlds = Worlds(sender.simulator, seed: 7)
    }

    private func add(_ name: String, _ change: (inout NamespaceOrder) -> Void = { _ in }) throws -> Namespace {
        var order = NamespaceOrder(name)
        change(&order)
        return try worlds.add(order, now: 1000)
    }

    private func key(_ id: String) -> KeyStore.Key {
        KeyStore.Key(keyID: id, teamID: PushSender.team, key: sender.key.publicKey)
    }

    private func choose(serverName: String? = nil, _ change: (inout PushRecipe) throws -> Void) throws -> String? {
        var recipe = try sender.base()
        try change(&recipe)
        var memory = NamespaceMemory(serverName: serverName)
        return worlds.namespace(of: recipe.request, &memory)?.name
    }

    private func bearer(_ keyID: String) throws -> String {
        try sender.bearer { $0.header = #"{"alg":"ES256","kid":"\#(keyID)"}"# }
    }

    // MARK: Choice

    @Test func `a request that nothing else claims belongs to the default namespace`() throws {
        #expect(worlds.isSingle)
        #expect(try choose { _ in } == nil)
        _ = try add("suite")
        #expect(!worlds.isSingle)
        #expect(try choose { _ in } == nil)
        #expect(try choose { $0["mock-apns-namespace"] = "other" } == nil)
    }

    @Test func `the first that fits chooses: server name, authority, key, device, topic, header field`() throws {
        _ = try add("byDevice") { $0.devices = [Device(token: PushSender.device, now: 0)] }
        for name in ["byName", "byHost", "byField"] { _ = try add(name) }
        _ = try add("byKey") { $0.keys = [key("NAMESPACE1")] }
        _ = try add("byTopic") { $0.topics = ["com.example.*"] }
        let steps: [(name: String, undo: (inout PushRecipe) -> Void)] = [
            ("byHost", { $0[":authority"] = "localhost:2197" }),
            ("byKey", { [self] in $0["authorization"] = (try? bearer(PushSender.keyID)) ?? "" }),
            ("byDevice", { $0[":path"] = "/3/device/" + String(repeating: "0f", count: 32) }),
            ("byTopic", { $0["apns-topic"] = "org.example.app" }),
            ("byField", { $0["mock-apns-namespace"] = nil }),
        ]
        var all = try sender.base()
        all[":authority"] = "ByHost.apns.localhost:2197"
        all["authorization"] = try bearer("NAMESPACE1")
        all["mock-apns-namespace"] = "byField"
        #expect(try choose(serverName: "byname.apns.localhost") { $0 = all } == "byName")
        for step in steps {
            #expect(try choose { $0 = all } == step.name)
            step.undo(&all)
        }
        #expect(try choose { $0 = all } == nil)
    }

    @Test func `keys of the server choose nothing, keys that are registered later choose`() throws {
        let suite = try add("suite")
        #expect(try choose { $0["authorization"] = try bearer(PushSender.keyID) } == nil)
        #expect(try choose { $0["authorization"] = try bearer("LATERKEY01") } == nil)
        suite.simulator.keys.set(key("LATERKEY01"))
        #expect(try choose { $0["authorization"] = try bearer("LATERKEY01") } == "suite")
        #expect(try choose { $0["authorization"] = "bearer nonsense" } == nil)
        suite.simulator.reset()
        #expect(try choose { $0["authorization"] = try bearer("LATERKEY01") } == nil)
    }

    @Test func `a connection's next token is read anew`() throws {
        _ = try add("first") { $0.keys = [key("NAMESPACE1")] }
        _ = try add("second") { $0.keys = [key("NAMESPACE2")] }
        var memory = NamespaceMemory(serverName: nil)
        for (id, name) in [("NAMESPACE1", "first"), ("NAMESPACE2", "second"), ("NAMESPACE1", "first")] {
            let request = PushRecipe(authorization: try bearer(id)).request
            #expect(worlds.namespace(of: request, &memory)?.name == name)
            #expect(worlds.namespace(of: request, &memory)?.name == name)
        }
    }

    @Test(arguments: [
        ("com.example.app", "com.example.app", true), ("com.example.app", "com.example.app.voip", true),
        ("com.example.app", "com.example.app.push-type.liveactivity", true),
        ("com.example.app", "com.example.app2", false), ("com.example.app", "com.example", false),
        ("com.*.app", "com.acme.app.voip", true), ("*", "anything", true),
    ])
    func `a claimed topic covers its suffixes`(claimed: String, topic: String, covers: Bool) throws {
        _ = try add("suite") { $0.topics = [claimed] }
        #expect(try choose { $0["apns-topic"] = topic } == (covers ? "suite" : nil))
    }

    @Test func `requests for channels belong where the bundle id does`() throws {
        _ = try add("suite") { $0.topics = ["com.example.app"] }
        for path in ["/1/apps/com.example.app/channels", "/4/broadcasts/apps/com.example.app"] {
            let chosen = try choose {
                $0[":path"] = path
                $0["apns-topic"] = nil
            }
            #expect(chosen == "suite")
        }
    }

    // MARK: Making and ending

    @Test func `names and topics are taken once, and there is a limit`() throws {
        _ = try add("suite") { $0.topics = ["com.a", "com.b"] }
        #expect(throws: Worlds.Refusal.taken) { try add("suite") }
        #expect(throws: Worlds.Refusal.taken) { try add("default") }
        #expect(throws: Worlds.Refusal.topicClaimed("com.b", by: "suite")) { try add("x") { $0.topics = ["com.b"] } }
        for number in 2..<Worlds.limit { _ = try add("n\(number)") }
        #expect(worlds.all.count == Worlds.limit)
        #expect(throws: Worlds.Refusal.full) { try add("one-more") }
        #expect(worlds.remove("n2") != nil)
        _ = try add("one-more")
        #expect(worlds.remove("default") == nil && worlds.remove("n2") == nil)
    }

    @Test(arguments: [
        ("OrderTests.shipped-3f2a", true), ("a", true), ("A_b.c-d", true), (String(repeating: "x", count: 100), true),
        ("", false), (".a", false), ("a b", false), ("a/b", false), ("ü", false),
        (String(repeating: "x", count: 101), false),
    ])
    func `names are short and plain`(name: String, isGood: Bool) {
        #expect(Namespace.isName(name) == isGood)
    }

    @Test func `a namespace that has ended tells those who wait and keeps nothing`() throws {
        let suite = try add("suite")
        let journal = suite.simulator.journal
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        let events = Collected<String>()
        _ = try journal.follow(after: 0, matching: Matcher()) { event in
            if case .reset = event { events.append("reset") }
        }
        #expect(worlds.remove("suite") === suite)
        #expect(worlds.isSingle && suite.isEnded && worlds.namespace(named: "suite") == nil)
        #expect(events.all.contains("reset"))
        #expect(journal.commit([JournalFixture.entry()]) > 0)
        #expect(journal.snapshot().entries.isEmpty)
        #expect(worlds.statistics.accepted == 2)
        let late = Collected<String>()
        _ = try journal.follow(after: 0, matching: Matcher()) { event in
            if case .reset = event { late.append("reset") }
        }
        #expect(late.all == ["reset"])
    }

    // MARK: What is its own

    @Test func `keys, clock, profile and seed are its own, and go back to how it was made`() throws {
        let suite = try add("suite") {
            $0.profile = .live
            $0.seed = 42
            $0.keys = [key("NAMESPACE1")]
        }
        #expect(suite.seed == 42 && worlds.main.seed == 7)
        #expect(suite.simulator.configuration.profile == .live)
        #expect(sender.simulator.configuration.profile == .strict)
        suite.simulator.clock.advance(by: 60_000)
        suite.simulator.keys.remove(PushSender.keyID)
        #expect(sender.simulator.clock.now().server == PushSender.start)
        #expect(suite.simulator.clock.now().server == PushSender.start + 60_000)
        #expect(sender.simulator.keys.key(PushSender.keyID) != nil)
        sender.simulator.keys.remove("NAMESPACE1")
        sender.simulator.reset()
        #expect(suite.simulator.keys.key("NAMESPACE1") != nil)
        #expect(suite.simulator.clock.now().server == PushSender.start + 60_000)
        suite.simulator.reset()
        #expect(suite.simulator.clock.now().server == PushSender.start)
        #expect(suite.simulator.keys.key(PushSender.keyID) != nil && suite.simulator.keys.key("NAMESPACE1") != nil)
    }

    @Test func `all write to one log, with their names and ids of their own`() throws {
        let path = try JournalFixture.path()
        let simulator = Simulator(
            configuration: .init(), journal: JournalFixture.journal(log: try InspectionLog(path: path)),
            keys: KeyStore([]), clock: ServerClock())
        let worlds = Worlds(simulator)
        let suite = try worlds.add(NamespaceOrder("suite"), now: 0)
        for journal in [simulator.journal, suite.simulator.journal] {
            #expect(journal.commit([JournalFixture.entry()]) > 0)
        }
        let lines = try JournalFixture.lines(path)
        #expect(lines.map { $0["namespace"] as? String } == ["default", "suite"])
        #expect(lines.map { $0["seq"] as? Int } == [1, 1])
        #expect(lines.map { $0["id"] as? String } == ["n_k3x9_1", "n_k3x9-1_1"])
        let links = lines[1]["links"] as? [String: String]
        #expect(links?["self"] == "/v1/ns/suite/requests/n_k3x9-1_1")
        #expect(links?["raw"] == "/v1/ns/suite/requests/n_k3x9-1_1/raw")
        #expect(suite.simulator.journal.entry(id: "n_k3x9-1_1") != nil)
        #expect(suite.simulator.journal.entry(id: "n_k3x9_1") == nil)
    }

    @Test func `all together hold no more than they may, and the fullest gives way`() throws {
        let budget = JournalBudget(limit: JournalFixture.entry().cost * 10)
        let journal = Journal(
            limits: .init(), log: nil, renderer: EntryRenderer(instance: "k3x9", adminBase: nil), budget: budget)
        let simulator = Simulator(
            configuration: .init(), journal: journal, keys: KeyStore([]), clock: ServerClock())
        let worlds = Worlds(simulator, budget: budget)
        let suite = try worlds.add(NamespaceOrder("suite"), now: 0).simulator.journal
        func fill(_ journal: Journal, _ count: Int) {
            _ = journal.commit((0..<count).map { _ in JournalFixture.entry() })
            worlds.trim()
        }
        fill(journal, 9)
        #expect(budget.excess == 0)
        fill(suite, 4)
        #expect(journal.snapshot().entries.count == 6)
        #expect(suite.snapshot().entries.count == 4)
        #expect(journal.snapshot(after: 0).truncated && !suite.snapshot(after: 0).truncated)
        #expect(budget.used == JournalFixture.entry().cost * 10)
        _ = suite.remove(matching: Matcher())
        journal.reset()
        #expect(budget.used == 0)
        fill(suite, 3)
        _ = worlds.remove("suite")
        #expect(budget.used == 0)
    }
}

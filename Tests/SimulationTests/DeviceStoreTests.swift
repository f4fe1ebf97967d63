import APNs
import HTTP
import JSON
import Simulation
import Testing

/// The store of devices, their states, and the counts of pushes.
struct DeviceStoreTests {
    private let now: Int64 = 1_768_469_400_000

    private func device(_ token: String, topics: [String] = []) -> Device {
        Device(token: token, topics: topics.map { TopicPattern($0) }, now: now)
    }

    @Test func `a store knows when it is empty`() throws {
        let store = DeviceStore()
        #expect(store.isEmpty)
        _ = try store.register([device("aa")])
        #expect(!store.isEmpty)
        store.remove("AA")
        #expect(store.isEmpty)
        #expect(!DeviceStore([device("aa")]).isEmpty)
    }

    @Test func `a token is found in either case, as text and as bytes`() throws {
        let store = DeviceStore([device("ABCDEF01")])
        for token in ["abcdef01", "ABCDEF01", "aBcDeF01"] {
            let bytes = Array(token.utf8)
            #expect(store.device(token)?.token == "abcdef01")
            #expect(store.device(bytes.span)?.token == "abcdef01")
        }
        let other = Array("abcdef0".utf8)
        #expect(store.device(other.span) == nil)
    }

    @Test func `devices are registered all or none, and numbered in order`() throws {
        let store = DeviceStore()
        #expect(try store.register([device("aa"), device("bb")]).map(\.number) == [1, 2])
        #expect(throws: DeviceStore.RegistrationError.isTaken("bb")) {
            _ = try store.register([device("cc"), device("bb")])
        }
        #expect(throws: DeviceStore.RegistrationError.isTaken("dd")) {
            _ = try store.register([device("dd"), device("DD")])
        }
        #expect(store.all.map(\.token) == ["aa", "bb"])
        store.remove("aa")
        #expect(try store.register([device("aa")]).map(\.number) == [3])
        #expect(store.all.map(\.token) == ["bb", "aa"])
    }

    @Test func `random tokens are devices' tokens, and the same for the same seed`() throws {
        let template = device("", topics: ["com.acme.app"])
        let stores = [3, 3, 4].map { DeviceStore(random: FastRandom(seed: $0)) }
        let tokens = try stores.map { try $0.register(5, like: template).map(\.token) }
        #expect(tokens[0] == tokens[1])
        #expect(tokens[0] != tokens[2])
        #expect(Set(tokens[0]).count == 5)
        for token in tokens[0] {
            var failures: [CheckFailure] = []
            let bytes = Array(token.utf8)
            #expect(!NotificationRules.deviceToken(bytes.span, &failures))
            #expect(failures.isEmpty)
        }
        #expect(stores[0].all.allSatisfy { $0.topics == template.topics })
    }

    @Test func `a store holds so many devices and no more`() throws {
        let many = (0..<DeviceStore.limit).map { device(String($0)) }
        let store = DeviceStore(many + [device("aa")])
        #expect(store.all.count == DeviceStore.limit)
        #expect(store.device("aa") == nil)
        #expect(throws: DeviceStore.RegistrationError.isFull(limit: DeviceStore.limit)) {
            _ = try store.register([device("aa")])
        }
        #expect(throws: DeviceStore.RegistrationError.isFull(limit: DeviceStore.limit)) {
            _ = try store.register(1, like: device(""))
        }
        store.remove("0")
        #expect(try store.register([device("aa")]).count == 1)
    }

    @Test func `a reset brings the first devices back, and a snapshot goes into another store`() throws {
        let store = DeviceStore([device("aa")])
        _ = store.update("aa") { $0.become(.expired, now: now, cursor: 0) }
        _ = try store.register([device("bb")])
        let copy = DeviceStore()
        copy.replace(with: store.all)
        #expect(copy.all.map(\.token) == ["aa", "bb"])
        #expect(copy.device("aa")?.state == .expired)
        store.reset()
        #expect(store.all.map(\.token) == ["aa"])
        #expect(store.device("aa")?.state == .active)
        #expect(store.update("bb") { $0.os = "iOS" } == nil)
    }

    @Test func `a state has a time, and its changes are remembered up to a limit`() {
        var device = device("aa")
        device.become(.active, now: now + 1, cursor: 1)
        #expect(device.since == now && device.changes.isEmpty)
        device.become(.unregistered, since: now - 5, now: now + 2, cursor: 2)
        #expect(device.state == .unregistered && device.since == now - 5)
        device.become(.unregistered, since: now - 9, now: now + 3, cursor: 3)
        #expect(device.since == now - 9)
        #expect(device.changes == [Device.Change(.unregistered, at: now + 2, cursor: 2)])
        for index in 0..<Device.changeLimit {
            #expect(!device.hasForgottenChanges)
            device.become(index % 2 == 0 ? .active : .offline, now: now, cursor: 9)
        }
        #expect(device.hasForgottenChanges && device.changes.count == Device.changeLimit)
    }

    // MARK: The rate

    @Test(
        arguments: [
            ("5/1m", 5, 60_000), ("1/250ms", 1, 250), ("1000000/1d", 1_000_000, 86_400_000), ("2/10", 2, 10),
        ] as [(String, Int, Int64)])
    func `a rate is read`(text: String, count: Int, milliseconds: Int64) {
        #expect(DeviceRate(text) == DeviceRate(count: count, milliseconds: milliseconds))
    }

    @Test(arguments: ["", "5", "/1m", "5/", "0/1m", "-1/1m", "5/0", "5/2d", "1000001/1m", "5/1m/2", "5/1w", "x/1m"])
    func `a text that is no rate is refused`(text: String) {
        #expect(DeviceRate(text) == nil)
    }

    @Test func `a count is bounded by a window, and only what counts is counted`() throws {
        var configuration = Simulator.Configuration()
        configuration.deviceRate = DeviceRate(count: 2, milliseconds: 60_000)
        var sender = try PushSender(configuration)
        let recipe = try sender.base()
        for _ in 0..<2 { #expect(sender.decide(recipe).reason == nil) }
        sender.time += 12_000
        let refused = sender.decide(recipe)
        #expect(refused.reason == .tooManyRequests)
        let failure = try #require(refused.failures.first)
        #expect(failure.expected == "at most 2 pushes in 1 min")
        #expect(failure.actual == "2 accepted in the last 12 s")
        #expect(failure.explanation.hasSuffix("allows 2 pushes in 1 min, and the next in 48 s."))
        sender.time += 47_999
        #expect(sender.decide(recipe).reason == .tooManyRequests)
        sender.time += 1
        #expect(sender.decide(recipe).reason == nil)
        // A clock set back begins anew.
        sender.time -= 120_000
        #expect(sender.decide(recipe).reason == nil)
        sender.simulator.reset()
        for _ in 0..<2 { #expect(sender.decide(recipe).reason == nil) }
    }

    // MARK: Explanations

    @Test func `a refusal says what the token is, and since when`() throws {
        var sender = try PushSender(devices: DeviceStore(DeviceFixture.devices))
        sender.time = DeviceFixture.gone + 90 * 60_000
        let tokens = DeviceFixture.tokens
        func failure(_ name: String, topic: String = "com.example.app") throws -> CheckFailure {
            let decision = try sender.decide {
                $0[":path"] = "/3/device/" + (tokens[name] ?? "")
                $0["apns-topic"] = topic
            }
            return try #require(decision.failures.first)
        }
        let gone = try failure("G")
        #expect(gone.actual == "unregistered since 2023-11-14T22:13:20Z")
        #expect(gone.timestamp == DeviceFixture.gone)
        #expect(
            gone.explanation
                == "The device token 60606060…6060 has been unregistered since 2023-11-14T22:13:20Z (90 min 00 s ago): "
                + "the app was removed, or got another token.")
        #expect(try failure("X").explanation.contains("expired at 2023-11-14T22:13:20Z"))
        #expect(
            try failure("D", topic: "com.example.app.voip-ptt").explanation.contains("is one of type pushtotalk"))
        #expect(
            try failure("D", topic: "com.acme").explanation
                == "The device token a1b2c3d4…c3d4 is registered for com.example.app, the request's topic was com.acme."
        )
        let foreign = try failure("P")
        #expect(foreign.expected == "a token of sandbox" && foreign.actual == "a token of production")
        #expect(foreign.fix?.contains("environment") == true)
    }

    @Test func `the entry of a refused push shows which device checks were made`() throws {
        func checks(_ name: String, _ devices: [Device]) throws -> String {
            var sender = try PushSender(devices: DeviceStore(devices))
            let decision = try sender.decide {
                $0[":path"] = "/3/device/" + (DeviceFixture.tokens[name] ?? "")
                $0["apns-priority"] = "7"
            }
            var writer = JSONWriter()
            EntryRenderer(instance: "test", adminBase: nil).write(decision.entry, to: &writer)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        let made = try checks("D", DeviceFixture.devices)
        for name in ["device.topic", "device.active"] {
            #expect(made.contains(#"{"check":"\#(name)","ok":true}"#), "\(made)")
            for (device, devices) in [("U", DeviceFixture.devices), ("D", [])] {
                #expect(try checks(device, devices).contains(#"{"check":"\#(name)","ok":null"#))
            }
        }
        #expect(made.contains(#"{"check":"device.rate","ok":null"#))
    }
}

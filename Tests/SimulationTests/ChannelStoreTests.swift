import APNs
import HTTP
import Simulation
import Testing

/// The channels by themselves: limits, ids, memory.
struct ChannelStoreTests {
    private let app = Channel.App(.sandbox, "com.example.app")
    private let start = PushSender.start

    private func message(_ size: Int = 10, expiration: Int64 = 0, at time: Int64 = PushSender.start) -> Channel.Message
    {
        var random = FastRandom(seed: 3)
        return Channel.Message(
            requestID: UUIDText.random(using: &random), publishedAt: time, priority: 10, expiration: expiration,
            payload: Array(repeating: UInt8(ascii: "x"), count: size))
    }

    private func isDeleted(_ finding: ChannelStore.Finding) -> Bool {
        if case .deleted = finding { true } else { false }
    }

    @Test func `Apple's limits are the limits`() {
        let limits = ChannelStore.Limits()
        #expect(limits.channelsPerApp == 10_000)
        #expect(MessageStoragePolicy.longestStorage == 28_800)
    }

    @Test func `ids are 24 characters of base64, the same for the same seed, and all different`() throws {
        let stores = [5, 5, 6].map { ChannelStore(random: FastRandom(seed: $0)) }
        let ids = try stores.map { store in
            try (0..<200).map { _ in try store.create(app, .none, now: start).id }
        }
        #expect(ids[0] == ids[1])
        #expect(ids[0] != ids[2])
        #expect(Set(ids[0]).count == 200)
        for id in ids[0] {
            #expect(id.utf8.count == 24 && id.hasSuffix("=="))
            #expect(ChannelRules.problem(ofChannelID: Array(id.utf8).span) == nil)
        }
    }

    @Test func `an app is full at its limit, and other apps and the other environment are not`() throws {
        var limits = ChannelStore.Limits()
        limits.channelsPerApp = 3
        limits.channels = 7
        let store = ChannelStore(limits: limits)
        let first = try store.create(app, .none, now: start)
        for _ in 0..<2 { _ = try store.create(app, .none, now: start) }
        #expect(throws: ChannelStore.CreationError.self) { try store.create(app, .none, now: start) }
        store.delete(first.id)
        _ = try store.create(app, .none, now: start)
        for _ in 0..<3 { _ = try store.create(Channel.App(.production, app.bundleID), .none, now: start) }
        let other = Channel.App(.sandbox, "com.other.app")
        _ = try store.create(other, .none, now: start)
        guard case .storeIsFull(limit: 7)? = store.obstacle(other) else {
            Issue.record("seven channels fill the store")
            return
        }
        #expect(store.count(of: app) == 3)
    }

    @Test func `deleted ids are remembered up to the limit, the newest`() throws {
        var limits = ChannelStore.Limits()
        limits.deletedIDs = 100
        let store = ChannelStore(limits: limits)
        let ids = try (0..<300).map { _ in try store.create(app, .none, now: start).id }
        for id in ids { #expect(store.delete(id)) }
        #expect(!store.delete(ids[299]))
        #expect(isDeleted(store.find(ids[299], of: app, now: start)))
        #expect(isDeleted(store.find(ids[200], of: app, now: start)))
        #expect(!isDeleted(store.find(ids[199], of: app, now: start)))
    }

    @Test func `a message is stored for eight hours at most, by policy 1 alone`() throws {
        let store = ChannelStore()
        let keep = try store.create(app, .mostRecent, now: start).id
        let none = try store.create(app, .none, now: start).id
        let far = start / 1000 + 1_000_000
        for id in [keep, none] { #expect(store.publish(message(expiration: far), to: id, of: app)) }
        #expect(store.channel(none, now: start)?.lastMessage?.storedUntil == nil)
        #expect(store.channel(none, now: start)?.lastMessage?.payload.isEmpty == true)
        #expect(store.channel(keep, now: start)?.lastMessage?.storedUntil == start / 1000 + 28_800)
        #expect(store.channel(keep, now: start + 28_799_000)?.lastMessage?.payload.count == 10)
        let later = try #require(store.channel(keep, now: start + 28_800_000)?.lastMessage)
        #expect(later.payload.isEmpty && later.storedUntil == nil && later.size == 10)
        #expect(store.publish(message(expiration: start / 1000 + 60), to: keep, of: app))
        #expect(store.channel(keep, now: start)?.lastMessage?.storedUntil == start / 1000 + 60)
        #expect(store.publish(message(expiration: 0), to: keep, of: app))
        #expect(store.channel(keep, now: start)?.lastMessage?.storedUntil == nil)
        #expect(store.channel(keep, now: start)?.published == 3)
    }

    @Test func `stored messages have a limit together, and the oldest go first`() throws {
        var limits = ChannelStore.Limits()
        limits.storedBytes = 1000
        let store = ChannelStore(limits: limits)
        let ids = try (0..<5).map { _ in try store.create(app, .mostRecent, now: start).id }
        let until = start / 1000 + 60
        func stored() -> [Bool] { ids.map { store.channel($0, now: start)?.lastMessage?.storedUntil != nil } }
        for id in ids { #expect(store.publish(message(300, expiration: until), to: id, of: app)) }
        #expect(stored() == [false, false, true, true, true])
        for _ in 0..<1000 { #expect(store.publish(message(300, expiration: until), to: ids[2], of: app)) }
        #expect(stored() == [false, false, true, true, true], "one channel has one message, however many it had")
        #expect(store.publish(message(300, expiration: until), to: ids[0], of: app))
        #expect(stored() == [true, false, true, false, true])
    }

    @Test func `a reset leaves no channel, and no id comes again`() throws {
        let store = ChannelStore(random: FastRandom(seed: 1))
        let before = try (0..<50).map { _ in try store.create(app, .none, now: start).id }
        store.reset()
        #expect(store.channels(now: start).isEmpty && store.count(of: app) == 0)
        let after = try (0..<50).map { _ in try store.create(app, .none, now: start).id }
        #expect(Set(before).isDisjoint(with: after))
    }
}

package import APNs
package import HTTP
import Locking

/// The broadcast channels of all apps.
package final class ChannelStore: Sendable {
    /// How much the store holds.
    package struct Limits: Sendable {
        /// Channels of one app in one environment; Apple's number.
        package var channelsPerApp = 10_000
        /// Channels of all apps together.
        package var channels = 100_000
        /// Ids of deleted channels that are remembered, the newest.
        package var deletedIDs = 10_000
        /// Bytes of stored messages of all channels together; beyond them the oldest are dropped.
        package var storedBytes = 32 << 20

        package init() {}
    }

    /// What is known of a channel id.
    package enum Finding: Sendable {
        case found(Channel)
        /// A channel of another app, or of this app in the other environment.
        case elsewhere(Channel.App)
        /// A channel of this app that was deleted.
        case deleted
        case unknown
    }

    /// Why a channel cannot be created.
    package enum CreationError: Error, Sendable {
        /// The app has as many as it may have.
        case appIsFull(limit: Int)
        /// All apps together have as many as the server holds.
        case storeIsFull(limit: Int)
        /// The id that was asked for is in use, or was.
        case idIsTaken
    }

    private struct State {
        var channels: [String: Channel] = [:]
        var counts: [Channel.App: Int] = [:]
        var deleted: [String: Channel.App] = [:]
        /// The deleted ids in the order of their deletion, from `firstDeleted` on.
        var deletedOrder = IDQueue()
        /// The channels with a stored message in the order of publishing; some have a newer one by now.
        var storedOrder = IDQueue()
        var storedBytes = 0
        var created: UInt64 = 0
        var random: FastRandom
    }

    package let limits: Limits
    private let state: Lock<State>

    /// A store without channels; ids come from the generator.
    package init(limits: Limits = Limits(), random: FastRandom = FastRandom()) {
        self.limits = limits
        state = Lock(State(random: random))
    }

    private init(limits: Limits, _ state: sending State) {
        self.limits = limits
        self.state = Lock(state)
    }

    /// A store with the same channels, of which each can change without the other.
    func copy() -> ChannelStore {
        ChannelStore(limits: limits, state.withLock { $0 })
    }

    /// Makes a channel with a random id, or with this one.
    package func create(
        _ app: Channel.App, _ policy: MessageStoragePolicy, id: String? = nil, now: Int64
    ) throws(CreationError) -> Channel {
        let result: Result<Channel, CreationError> = state.withLock { state in
            if let error = Self.obstacle(app, limits, state) { return .failure(error) }
            if let id, state.channels[id] != nil || state.deleted[id] != nil { return .failure(.idIsTaken) }
            var name = id ?? ChannelID.random(using: &state.random)
            while id == nil, state.channels[name] != nil || state.deleted[name] != nil {
                name = ChannelID.random(using: &state.random)
            }
            state.created += 1
            let channel = Channel(id: name, app: app, policy: policy, createdAt: now, number: state.created)
            state.channels[name] = channel
            state.counts[app, default: 0] += 1
            return .success(channel)
        }
        return try result.get()
    }

    /// What keeps the app from having one channel more.
    package func obstacle(_ app: Channel.App) -> CreationError? {
        state.withLock { Self.obstacle(app, limits, $0) }
    }

    private static func obstacle(_ app: Channel.App, _ limits: Limits, _ state: State) -> CreationError? {
        if state.counts[app, default: 0] >= limits.channelsPerApp { return .appIsFull(limit: limits.channelsPerApp) }
        return state.channels.count >= limits.channels ? .storeIsFull(limit: limits.channels) : nil
    }

    /// What this id is to an app.
    package func find(_ id: String, of app: Channel.App, now: Int64) -> Finding {
        state.withLock { state in
            Self.expire(id, &state, now: now)
            if let channel = state.channels[id] {
                return channel.app == app ? .found(channel) : .elsewhere(channel.app)
            }
            guard let former = state.deleted[id] else { return .unknown }
            return former == app ? .deleted : .elsewhere(former)
        }
    }

    /// The channel of this id, whosever it is.
    package func channel(_ id: String, now: Int64) -> Channel? {
        state.withLock { state in
            Self.expire(id, &state, now: now)
            return state.channels[id]
        }
    }

    /// Whether the id is one of those deleted channels that are remembered.
    package func wasDeleted(_ id: String) -> Bool {
        state.withLock { $0.deleted[id] != nil }
    }

    /// All channels, or those of one app, in the order of their creation.
    package func channels(of app: Channel.App? = nil, now: Int64) -> [Channel] {
        state.withLock { state in
            var found = state.channels.values.filter { app == nil || $0.app == app }
            found.sort { $0.number < $1.number }
            for index in found.indices { found[index].expire(now: now) }
            return found
        }
    }

    /// How many channels an app has.
    package func count(of app: Channel.App) -> Int {
        state.withLock { $0.counts[app, default: 0] }
    }

    /// Counts a message, and stores it as the channel does; false when there is no such channel of the app.
    package func publish(_ message: Channel.Message, to id: String, of app: Channel.App) -> Bool {
        state.withLock { state in
            guard var channel = state.channels[id], channel.app == app else { return false }
            state.storedBytes -= channel.lastMessage?.payload.count ?? 0
            channel.publish(message)
            state.channels[id] = channel
            let bytes = channel.lastMessage?.payload.count ?? 0
            guard bytes > 0 else { return true }
            state.storedBytes += bytes
            state.storedOrder.append(id, number: UInt64(channel.published))
            Self.dropOldest(&state, limits)
            return true
        }
    }

    /// Deletes a channel and remembers that it existed; false when there is none. With an app, only a channel of that app.
    @discardableResult
    package func delete(_ id: String, of app: Channel.App? = nil) -> Bool {
        state.withLock { state in
            guard let channel = state.channels[id], app == nil || channel.app == app else { return false }
            state.channels[id] = nil
            state.storedBytes -= channel.lastMessage?.payload.count ?? 0
            let left = state.counts[channel.app, default: 1] - 1
            state.counts[channel.app] = left > 0 ? left : nil
            state.deleted[id] = channel.app
            state.deletedOrder.append(id, number: 0)
            while state.deletedOrder.count > limits.deletedIDs, let oldest = state.deletedOrder.removeFirst() {
                state.deleted[oldest.id] = nil
            }
            return true
        }
    }

    /// Back to no channels. Ids go on: one of before never comes again.
    package func reset() {
        state.withLock { state in
            var fresh = State(random: state.random)
            fresh.created = state.created
            state = fresh
        }
    }

    private static func expire(_ id: String, _ state: inout State, now: Int64) {
        guard let bytes = state.channels[id]?.lastMessage?.payload.count, bytes > 0 else { return }
        state.channels[id]?.expire(now: now)
        state.storedBytes -= bytes - (state.channels[id]?.lastMessage?.payload.count ?? 0)
    }

    /// Drops the oldest stored messages until the rest fits.
    private static func dropOldest(_ state: inout State, _ limits: Limits) {
        // Places of messages that were replaced are dropped when they are more than those that count.
        while state.storedBytes > limits.storedBytes || state.storedOrder.count > 2 * state.channels.count + 64 {
            guard let oldest = state.storedOrder.removeFirst() else { return }
            guard var channel = state.channels[oldest.id], UInt64(channel.published) == oldest.number,
                var message = channel.lastMessage
            else { continue }
            if state.storedBytes <= limits.storedBytes {
                // Only making room in the queue: this one still counts.
                state.storedOrder.append(oldest.id, number: oldest.number)
                continue
            }
            state.storedBytes -= message.payload.count
            message.payload = []
            message.storedUntil = nil
            channel.lastMessage = message
            state.channels[oldest.id] = channel
        }
    }
}

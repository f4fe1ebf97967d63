package import HTTP
import Locking
import Synchronization

/// The devices that the server knows. An empty store costs a push one look at a number.
package final class DeviceStore: Sendable {
    /// Why devices cannot be registered; then none of them is.
    package enum RegistrationError: Error, Sendable, Equatable {
        /// The token is registered already, or stands twice among those to register.
        case isTaken(String)
        /// There would be more devices than the store holds.
        case isFull(limit: Int)
    }

    /// How many devices a store holds at most.
    package static let limit = 100_000
    /// How many bytes a token has that the server makes.
    package static let tokenBytes = 32

    private struct State {
        var devices: [String: Device] = [:]
        var registered: UInt64 = 0
        var random: FastRandom
    }

    private let initial: [Device]
    private let state: Lock<State>
    private let count = Atomic<Int>(0)

    /// A store of these devices, of which a token's last counts and at most ``limit`` are taken; tokens come from the
    /// generator.
    package init(_ devices: [Device] = [], random: FastRandom = FastRandom()) {
        initial = devices
        state = Lock(State(random: random))
        replace(with: devices)
    }

    /// Whether no device is registered, without a lock.
    package var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// The device of a token, in either case of letters.
    package func device(_ token: String) -> Device? {
        let key = token.lowercased()
        return state.withLock { $0.devices[key] }
    }

    /// The device of a token as it stands in a request.
    package func device(_ token: Span<UInt8>) -> Device? {
        let key = Self.key(token)
        return state.withLock { $0.devices[key] }
    }

    /// All devices in the order of their registration: a plain value to export, and to give to ``replace(with:)``.
    package var all: [Device] {
        state.withLock { $0.devices.values.sorted { $0.number < $1.number } }
    }

    /// Registers devices, all or none; each gets its number.
    package func register(_ devices: [Device]) throws(RegistrationError) -> [Device] {
        let result: Result<[Device], RegistrationError> = change { Self.register(devices, in: &$0) }
        return try result.get()
    }

    /// Registers so many devices like this one, each with a random token.
    package func register(_ count: Int, like device: Device) throws(RegistrationError) -> [Device] {
        let result: Result<[Device], RegistrationError> = change { state in
            var made: [String: Device] = [:]
            var devices: [Device] = []
            guard count <= Self.limit - state.devices.count else { return .failure(.isFull(limit: Self.limit)) }
            while devices.count < count {
                let token = Self.randomToken(&state.random)
                guard state.devices[token] == nil, made[token] == nil else { continue }
                let next = device.with(token: token)
                made[token] = next
                devices.append(next)
            }
            return Self.register(devices, in: &state)
        }
        return try result.get()
    }

    /// Changes a device; nil when there is none of this token.
    package func update(_ token: String, _ body: (inout Device) -> Void) -> Device? {
        let key = token.lowercased()
        return change { state in
            guard var device = state.devices[key] else { return nil }
            body(&device)
            state.devices[key] = device
            return device
        }
    }

    /// Forgets a device; nil when there was none.
    @discardableResult
    package func remove(_ token: String) -> Device? {
        let key = token.lowercased()
        return change { $0.devices.removeValue(forKey: key) }
    }

    /// These devices instead of all others, as ``init(_:random:)`` takes them.
    package func replace(with devices: [Device]) {
        change { state in
            state.devices.removeAll()
            for var device in devices where state.devices.count < Self.limit {
                state.registered += 1
                device.number = state.registered
                state.devices[device.token] = device
            }
        }
    }

    /// Back to the devices that the store was made with.
    package func reset() {
        replace(with: initial)
    }

    private static func register(
        _ devices: [Device], in state: inout State
    ) -> Result<[Device], RegistrationError> {
        var added = devices
        var tokens = Set<String>()
        for device in devices {
            guard state.devices[device.token] == nil, tokens.insert(device.token).inserted else {
                return .failure(.isTaken(device.token))
            }
        }
        guard devices.count <= limit - state.devices.count else { return .failure(.isFull(limit: limit)) }
        for index in added.indices {
            state.registered += 1
            added[index].number = state.registered
            state.devices[added[index].token] = added[index]
        }
        return .success(added)
    }

    private func change<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            count.store(state.devices.count, ordering: .releasing)
            return result
        }
    }

    /// A token of ``tokenBytes`` random bytes. None begins like those tokens that spell an outcome.
    private static func randomToken(_ random: inout FastRandom) -> String {
        var token = ""
        for _ in 0..<tokenBytes {
            let byte = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
            token += byte.utf8.count == 1 ? "0" + byte : byte
        }
        return token.hasPrefix("6d6f636b") ? randomToken(&random) : token
    }

    /// A token in lower case. What is not hexadecimal is no key of the store.
    private static func key(_ token: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(token.count)
        var position = 0
        while position < token.count {
            let byte = token[position]
            bytes.append(byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte)
            position += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Device {
    /// The same device with another token.
    fileprivate func with(token: String) -> Device {
        var device = Device(
            token: token, environment: environment, topics: topics, os: os, locale: locale, now: registeredAt)
        for change in changes { device.become(change.state, since: since, now: change.at, cursor: change.cursor) }
        return device
    }
}

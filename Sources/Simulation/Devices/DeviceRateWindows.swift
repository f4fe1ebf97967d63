import Locking

/// How many pushes each device token got, for ``DeviceRate``.
///
/// A window begins with a push and lasts as long as the rate says; the first push after it begins the next. Only accepted
/// pushes count, so that a sender that waits is let in again.
final class DeviceRateWindows: Sendable {
    /// What a token got in its window.
    struct Use: Sendable, Equatable {
        /// When the window began, in milliseconds of the server's clock.
        var start: Int64
        var count: Int
    }

    /// How many tokens are counted at a time; beyond, windows that are over are forgotten, and all when most are not.
    static let limit = 100_000

    private let uses = Lock<[String: Use]>([:])

    /// Asks for one push more; what the token has used when that is too much, nil when the push may pass. It is counted
    /// only when `counts`.
    func ask(_ token: String, _ rate: DeviceRate, now: Int64, counts: Bool) -> Use? {
        uses.withLock { uses in
            var use = uses[token] ?? Use(start: now, count: 0)
            // A clock that was set back begins anew, too.
            if now - use.start >= rate.milliseconds || now < use.start { use = Use(start: now, count: 0) }
            if use.count >= rate.count { return use }
            guard counts else { return nil }
            if uses.count >= Self.limit, uses[token] == nil { Self.makeRoom(&uses, rate, now: now) }
            use.count += 1
            uses[token] = use
            return nil
        }
    }

    /// Counts on from where others stand.
    func goOn(from other: DeviceRateWindows) {
        let windows = other.uses.withLock { $0 }
        uses.withLock { $0 = windows }
    }

    /// Forgets all windows.
    func reset() {
        uses.withLock { $0.removeAll() }
    }

    private static func makeRoom(_ uses: inout [String: Use], _ rate: DeviceRate, now: Int64) {
        uses = uses.filter { now - $0.value.start < rate.milliseconds && now >= $0.value.start }
        if uses.count > limit / 2 { uses.removeAll() }
    }
}

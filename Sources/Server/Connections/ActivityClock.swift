import Simulation
import Synchronization

/// When the server was used last, for `--idle-exit`. Any thread. A note costs a look at a coarse clock and one store, once for
/// the requests of a turn; a comparison when nobody wants to know.
final class ActivityClock: Sendable {
    private let isWatched: Bool
    private let now: @Sendable () -> Int64
    private let last: Atomic<Int64>
    /// Calls that are not answered, and streams that are read.
    private let open = Atomic<Int>(0)

    /// A clock that was touched just now; `now` tells milliseconds that never go back.
    init(isWatched: Bool = true, now: @escaping @Sendable () -> Int64 = LogFile.monotonicMilliseconds) {
        self.isWatched = isWatched
        self.now = now
        last = Atomic(now())
    }

    /// The server is used.
    func note() {
        if isWatched { last.store(now(), ordering: .relaxed) }
    }

    /// A call begins; until it ends the server is used.
    func begin() {
        open.add(1, ordering: .relaxed)
    }

    /// A call has ended.
    func end() {
        note()
        open.subtract(1, ordering: .releasing)
    }

    /// For how long nobody has used the server.
    func idleMilliseconds() -> Int64 {
        // In this order, since a call notes its end before it is no longer open.
        if open.load(ordering: .acquiring) > 0 { return 0 }
        return max(0, now() - last.load(ordering: .relaxed))
    }
}

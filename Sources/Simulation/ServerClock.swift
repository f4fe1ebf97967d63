import APNs
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension JournalEntry.Content {
    /// What a sentence about times must say beside them when the server's clock was not the machine's; else nothing.
    var serverClockWords: String {
        let seconds = (serverTime - receivedAt) / 1000
        guard seconds != 0 else { return "" }
        return " (by the server's clock, which was moved: it was \(Explanation.duration(seconds: seconds)) "
            + (seconds > 0 ? "ahead of" : "behind") + " the machine's)"
    }
}

/// The one clock of the rules; a test can freeze, set and advance it.
package final class ServerClock: Sendable {
    /// How the server's time relates to the machine's.
    package enum Mode: String, Sendable {
        case real, offset, frozen
    }

    /// The frozen time, or `running`. Read before the offset; writers set the offset first.
    private let frozen: Atomic<Int64>
    private let offset: Atomic<Int64>
    private let start: (frozen: Int64, offset: Int64)

    private static let running = Int64.min

    /// A clock that shows the machine's time, or stands still at some milliseconds since 1970.
    package init(frozenAt time: Int64? = nil, offset: Int64 = 0) {
        start = (time ?? Self.running, offset)
        frozen = Atomic(start.frozen)
        self.offset = Atomic(offset)
    }

    /// A clock that is set from the beginning.
    package convenience init(_ setting: ClockSetting) {
        switch setting {
        case .real: self.init()
        case .offset(let milliseconds): self.init(offset: milliseconds)
        case .frozen(let time): self.init(frozenAt: time)
        }
    }

    /// A clock of its own that is set as this one was when it was made.
    func sibling() -> ServerClock {
        ServerClock(frozenAt: start.frozen == Self.running ? nil : start.frozen, offset: start.offset)
    }

    /// Both times now.
    package func now() -> Instant {
        let machine = Self.machineMilliseconds()
        let frozen = self.frozen.load(ordering: .acquiring)
        if frozen != Self.running { return Instant(machine: machine, server: frozen) }
        return Instant(machine: machine, server: machine &+ offset.load(ordering: .acquiring))
    }

    /// Whether the clock runs with the machine's, beside it, or not at all.
    package var mode: Mode {
        if frozen.load(ordering: .acquiring) != Self.running { return .frozen }
        return offset.load(ordering: .acquiring) == 0 ? .real : .offset
    }

    /// Milliseconds by which the server's time is ahead of the machine's.
    package var offsetMilliseconds: Int64 {
        let now = now()
        return now.server &- now.machine
    }

    /// Stops the clock at some milliseconds since 1970.
    package func freeze(at time: Int64) {
        frozen.store(time, ordering: .releasing)
    }

    /// Lets the clock run so many milliseconds ahead of the machine's; 0 is the machine's time.
    package func run(offset milliseconds: Int64) {
        offset.store(milliseconds, ordering: .releasing)
        frozen.store(Self.running, ordering: .releasing)
    }

    /// Sets the clock.
    package func set(_ setting: ClockSetting) {
        switch setting {
        case .real: run(offset: 0)
        case .offset(let milliseconds): run(offset: milliseconds)
        case .frozen(let time): freeze(at: time)
        }
    }

    /// Moves the clock, frozen or not, so many milliseconds ahead.
    package func advance(by milliseconds: Int64) {
        let old = frozen.load(ordering: .acquiring)
        if old != Self.running {
            let (_, new) = frozen.compareExchange(
                expected: old, desired: old &+ milliseconds, ordering: .acquiringAndReleasing)
            if new == old { return }
            return advance(by: milliseconds)
        }
        offset.wrappingAdd(milliseconds, ordering: .acquiringAndReleasing)
    }

    /// Back to how the clock was made.
    package func reset() {
        offset.store(start.offset, ordering: .releasing)
        frozen.store(start.frozen, ordering: .releasing)
    }

    private static func machineMilliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

import Admin
import Locking

/// What all loops count of their connections. Rare things are counted one by one; answers once for all of a turn.
final class TrafficCounters: Sendable {
    private struct State {
        var connections: [String: UInt64] = [:]
        var goAwaysSent: UInt64 = 0
        var times = AdminTraffic.Times()
    }

    private let state = Lock(State())

    /// HTTP begins on a connection, with this version of TLS, or in clear text.
    func countConnection(tls: String?) {
        state.withLock { $0.connections[tls ?? "none", default: 0] += 1 }
    }

    /// So many GOAWAY frames were sent.
    func countGoAways(_ count: Int) {
        state.withLock { $0.goAwaysSent += UInt64(max(0, count)) }
    }

    /// Answers went out, so many milliseconds after their requests.
    func countAnswers(_ milliseconds: [Int64]) {
        state.withLock { state in
            for time in milliseconds {
                let bounds = AdminTraffic.Times.bounds
                // Nearly all are in the first class.
                let place = time <= bounds[0] ? 0 : bounds.firstIndex { time <= $0 } ?? bounds.count
                state.times.counts[place] += 1
                state.times.sumMilliseconds += UInt64(max(0, time))
            }
        }
    }

    /// The counters now.
    func traffic(open: Int) -> AdminTraffic {
        state.withLock { state in
            var traffic = AdminTraffic()
            traffic.open = open
            traffic.connections = state.connections.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            traffic.goAwaysSent = state.goAwaysSent
            traffic.times = state.times
            return traffic
        }
    }
}

import Locking

/// The connections of a server: those that are open, and the last that have ended. Any thread; touched when a connection
/// opens and closes, never for a push.
package final class ConnectionStore: Sendable {
    /// What the store knows at one moment.
    package struct Snapshot: Sendable {
        /// In the order of opening.
        package var records: [ConnectionRecord]
        /// How many connections were ever opened.
        package var opened: Int
        /// How many ended connections are no longer held.
        package var forgotten: Int
    }

    private struct State {
        var open: [UInt64: ConnectionRecord] = [:]
        /// A ring of those that have ended; the oldest is at `next` when it is full.
        var ended: [ConnectionRecord] = []
        var next = 0
        var opened = 0
        var forgotten = 0
    }

    /// How many connections that have ended are held.
    package static let endedLimit = 1000

    private let state = Lock(State())

    /// A store without connections.
    package init() {}

    /// A connection has come.
    package func open(
        _ facts: PeerConnectionReference, listenerKind: String, at milliseconds: Int64
    ) -> ConnectionRecord {
        let record = ConnectionRecord(facts, listenerKind: listenerKind, openedAt: milliseconds)
        state.withLock {
            $0.open[record.id] = record
            $0.opened += 1
        }
        return record
    }

    /// A connection has closed; may be called again.
    package func close(_ record: ConnectionRecord, at milliseconds: Int64, because words: String) {
        record.ends(at: milliseconds, because: words)
        state.withLock { state in
            guard state.open.removeValue(forKey: record.id) != nil else { return }
            if state.ended.count < Self.endedLimit { return state.ended.append(record) }
            state.ended[state.next] = record
            state.next = (state.next + 1) % Self.endedLimit
            state.forgotten += 1
        }
    }

    /// All connections that are held.
    package var snapshot: Snapshot {
        let (records, opened, forgotten) = state.withLock {
            (Array($0.open.values) + $0.ended, $0.opened, $0.forgotten)
        }
        return Snapshot(records: records.sorted { $0.id < $1.id }, opened: opened, forgotten: forgotten)
    }

    /// One of them.
    package func record(_ id: UInt64) -> ConnectionRecord? {
        state.withLock { state in state.open[id] ?? state.ended.first { $0.id == id } }
    }
}

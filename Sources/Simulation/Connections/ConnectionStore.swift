import Locking
import Synchronization

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
        var observers: [UInt64: @Sendable (ConnectionRecord.Snapshot) -> Void] = [:]
        var lastObserver: UInt64 = 0

        mutating func keep(ended record: ConnectionRecord) {
            if ended.count < ConnectionStore.endedLimit { return ended.append(record) }
            ended[next] = record
            next = (next + 1) % ConnectionStore.endedLimit
            forgotten += 1
        }
    }

    /// A registration made by ``observe(_:)``.
    package struct Observer: Sendable, Hashable {
        let number: UInt64
    }

    /// How many connections that have ended are held.
    package static let endedLimit = 1000

    private let state = Lock(State())
    private let isObserved = Atomic<Bool>(false)

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

    /// HTTP begins on a connection; with what the handshake told.
    package func httpBegins(on record: ConnectionRecord, _ facts: PeerConnectionReference, version: String) {
        record.httpBegins(facts, version: version)
        tell(record)
    }

    /// A connection has closed; may be called again.
    package func close(_ record: ConnectionRecord, at milliseconds: Int64, because words: String) {
        record.ends(at: milliseconds, because: words)
        let isNew = state.withLock { state in
            guard state.open.removeValue(forKey: record.id) != nil else { return false }
            state.keep(ended: record)
            return true
        }
        if isNew { tell(record) }
    }

    // MARK: Those who watch

    /// Calls `deliver` with each connection on which HTTP begins, and with each that has closed, on the connection's thread:
    /// it must only hand the news over. While nobody watches, that costs a connection two flag tests.
    package func observe(_ deliver: @escaping @Sendable (ConnectionRecord.Snapshot) -> Void) -> Observer {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = deliver
            isObserved.store(true, ordering: .releasing)
            return Observer(number: state.lastObserver)
        }
    }

    /// Ends a registration.
    package func forget(_ observer: Observer) {
        state.withLock { state in
            state.observers[observer.number] = nil
            isObserved.store(!state.observers.isEmpty, ordering: .releasing)
        }
    }

    private func tell(_ record: ConnectionRecord) {
        guard isObserved.load(ordering: .acquiring) else { return }
        let snapshot = record.snapshot
        for deliver in state.withLock({ Array($0.observers.values) }) { deliver(snapshot) }
    }

    // MARK: Those who ask

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

    /// When the sender closed a connection; nil for one that is open, that the server ended, or of which nothing is known.
    package func closedBySender(_ id: UInt64) -> Int64? {
        guard let details = record(id)?.details, details.goAways.isEmpty, details.breakage == nil,
            details.end == ConnectionRecord.closedByClient
        else { return nil }
        return details.endedAt
    }
}

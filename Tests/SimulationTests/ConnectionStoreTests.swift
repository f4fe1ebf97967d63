import APNs
import Locking
import Testing

@testable import Simulation

struct ConnectionStoreTests {
    private let store = ConnectionStore()

    private func open(_ id: UInt64) -> ConnectionRecord {
        let facts = PeerConnection(id: id, peer: "127.0.0.1:1", listener: "127.0.0.1:2197")
        return store.open(PeerConnectionReference(facts), listenerKind: "apns", at: Int64(id))
    }

    @Test func `the last that ended are held and the others are counted`() {
        let more = 5
        let long = open(1)
        for id in 2...UInt64(1 + ConnectionStore.endedLimit + more) {
            store.close(open(id), at: Int64(id), because: "over")
        }
        let snapshot = store.snapshot
        #expect(snapshot.records.count == 1 + ConnectionStore.endedLimit)
        #expect(
            snapshot.records.map(\.id) == [1] + Array(UInt64(2 + more)...UInt64(1 + ConnectionStore.endedLimit + more)))
        #expect(snapshot.opened == 1 + ConnectionStore.endedLimit + more)
        #expect(snapshot.forgotten == more)
        #expect(store.record(UInt64(1 + more)) == nil)
        #expect(store.record(UInt64(2 + more))?.details.end == "over")
        #expect(store.record(1) === long)
    }

    @Test func `a connection ends once, by its first fault if it had one`() {
        let record = open(1)
        let facts = record.details.facts
        record.breaks(.init(cause: "tls", explanation: "first"), facts)
        record.breaks(.init(cause: "http2", explanation: "second"), facts)
        store.close(record, at: 10, because: "words")
        store.close(record, at: 20, because: "other words")
        #expect(record.details.state == .failed)
        #expect(record.details.end == "first")
        #expect(record.details.endedAt == 10)
        #expect(store.snapshot.records.count == 1)
    }

    @Test func `the first GOAWAYs are kept`() {
        let record = open(1)
        for number in 0..<2 * ConnectionRecord.goAwayLimit {
            record.sent(.init(at: 0, code: "NO_ERROR", lastStream: Int32(number), debugData: ""))
        }
        #expect(record.details.goAways.map(\.lastStream) == Array(0..<Int32(ConnectionRecord.goAwayLimit)))
    }

    @Test func `who watches is told of what begins and ends, and of nothing when watching is over`() {
        let seen = Lock<[String]>([])
        let observer = store.observe { connection in
            seen.withLock { $0.append("\(connection.id) \(connection.details.state) \(connection.details.end ?? "")") }
        }
        let record = open(1)
        #expect(seen.withLock { $0 } == [])
        store.httpBegins(on: record, record.details.facts, version: "h2")
        store.close(record, at: 1, because: "over")
        store.close(record, at: 2, because: "over again")
        store.close(open(2), at: 3, because: "too soon")
        #expect(seen.withLock { $0 } == ["1 open ", "1 ended over", "2 failed too soon"])
        store.forget(observer)
        store.close(open(3), at: 4, because: "")
        #expect(seen.withLock { $0.count } == 3)
    }

    @Test func `a connection that has ended has no open streams`() {
        let record = open(1)
        store.httpBegins(on: record, record.details.facts, version: "h2")
        record.store(requests: 2, streamsOpened: 2, openStreams: 1)
        store.close(record, at: 1, because: "over")
        #expect(record.counters.openStreams == 0)
        #expect(record.counters.requests == 2)
        #expect(record.details.state == .ended)
    }
}

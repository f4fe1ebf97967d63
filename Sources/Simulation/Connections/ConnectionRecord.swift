import Locking
import Synchronization

/// One connection as a tester wants to see it: how it began, what came over it, how it ended. Any thread.
///
/// What changes seldom is behind a lock; the counters are stored when the connection's output is sent, once in a turn.
package final class ConnectionRecord: Sendable {
    /// How far a connection has come.
    package enum State: String, Sendable, CaseIterable {
        /// It has not got as far as HTTP.
        case opening
        /// Requests are read and answered.
        case open
        /// It has closed.
        case ended
        /// It has closed, and never got as far as HTTP.
        case failed
    }

    /// A GOAWAY that was sent.
    package struct GoAway: Sendable, Equatable {
        /// When, in milliseconds since 1970.
        package var at: Int64
        /// The name of its error code.
        package var code: String
        /// The last stream that is answered.
        package var lastStream: Int32
        /// Its debug data: a JSON object with a reason, as at Apple, unless the peer broke HTTP/2.
        package var debugData: String

        package init(at: Int64, code: String, lastStream: Int32, debugData: String) {
            self.at = at
            self.code = code
            self.lastStream = lastStream
            self.debugData = debugData
        }
    }

    /// What changes seldom.
    package struct Details: Sendable {
        package var facts: PeerConnectionReference
        package var state = State.opening
        /// "h2" or "http/1.1"; nil while it is not known.
        package var httpVersion: String?
        package var goAways: [GoAway] = []
        /// Why the connection broke, when it did.
        package var breakage: JournalEntry.Breakage?
        /// When it ended, in milliseconds since 1970.
        package var endedAt: Int64?
        /// Why it ended, in words.
        package var end: String?
    }

    /// What the connection counts.
    package struct Counters: Sendable, Equatable {
        /// Requests that were judged.
        package let requests: Int
        /// Streams that the peer opened.
        package let streamsOpened: Int
        /// Streams that are open.
        package let openStreams: Int
        /// Whether the peer is not read from, because it does not take its answers.
        package let isPaused: Bool
    }

    /// A connection at one moment.
    package struct Snapshot: Sendable {
        /// The number of the connection, shown as `c7`.
        package let id: UInt64
        /// The kind of its listener: "apns", "h2c", "http1".
        package let listenerKind: String
        /// When it was accepted, in milliseconds since 1970.
        package let openedAt: Int64
        package let details: Details
        package let counters: Counters
    }

    /// Why a connection ended that its client closed.
    package static let closedByClient = "The client closed the connection."
    /// How many GOAWAYs of a connection are kept; the first ones.
    package static let goAwayLimit = 10

    /// The number of the connection, shown as `c7`.
    package let id: UInt64
    /// The kind of its listener: "apns", "h2c", "http1".
    package let listenerKind: String
    /// When it was accepted, in milliseconds since 1970.
    package let openedAt: Int64

    private let guarded: Lock<Details>
    private let requests = Atomic<Int>(0)
    private let streamsOpened = Atomic<Int>(0)
    private let openStreams = Atomic<Int>(0)
    private let isPaused = Atomic<Bool>(false)

    init(_ facts: PeerConnectionReference, listenerKind: String, openedAt: Int64) {
        id = facts.value.id
        self.listenerKind = listenerKind
        self.openedAt = openedAt
        guarded = Lock(Details(facts: facts))
    }

    /// What changes seldom, as it is now.
    package var details: Details { guarded.withLock { $0 } }

    /// The counters as they were when output was last sent.
    package var counters: Counters {
        Counters(
            requests: requests.load(ordering: .relaxed), streamsOpened: streamsOpened.load(ordering: .relaxed),
            openStreams: openStreams.load(ordering: .relaxed), isPaused: isPaused.load(ordering: .relaxed))
    }

    /// The connection as it is now.
    package var snapshot: Snapshot {
        Snapshot(id: id, listenerKind: listenerKind, openedAt: openedAt, details: details, counters: counters)
    }

    /// Stores the counters; from the connection's loop.
    package func store(requests: Int, streamsOpened: Int = 0, openStreams: Int = 0) {
        self.requests.store(requests, ordering: .relaxed)
        self.streamsOpened.store(streamsOpened, ordering: .relaxed)
        self.openStreams.store(openStreams, ordering: .relaxed)
    }

    /// Whether the peer is not read from; from the connection's loop.
    package func store(isPaused: Bool) {
        self.isPaused.store(isPaused, ordering: .relaxed)
    }

    /// HTTP begins; with what the handshake told.
    func httpBegins(_ facts: PeerConnectionReference, version: String) {
        guarded.withLock {
            $0.facts = facts
            $0.state = .open
            $0.httpVersion = version
        }
    }

    /// Takes down a GOAWAY.
    package func sent(_ goAway: GoAway) {
        guarded.withLock { if $0.goAways.count < Self.goAwayLimit { $0.goAways.append(goAway) } }
    }

    /// Takes down why the connection breaks, with what is known of the peer by then; the first reason stays.
    package func breaks(_ breakage: JournalEntry.Breakage, _ facts: PeerConnectionReference) {
        guarded.withLock {
            $0.facts = facts
            if $0.breakage == nil { $0.breakage = breakage }
        }
    }

    /// Takes down the end. A connection that broke ended because of that.
    func ends(at milliseconds: Int64, because words: String) {
        guarded.withLock {
            guard $0.endedAt == nil else { return }
            $0.state = $0.state == .opening ? .failed : .ended
            $0.endedAt = milliseconds
            $0.end = $0.breakage?.explanation ?? words
        }
        openStreams.store(0, ordering: .relaxed)
    }
}

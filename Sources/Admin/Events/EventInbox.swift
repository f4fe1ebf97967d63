import Locking
import Simulation
import Synchronization

/// What other threads leave for a guest of the event stream, beside the word that the journal has new entries. It is bounded,
/// and rings once until it is emptied.
final class EventInbox: Sendable {
    /// Something that no journal holds until the guest has room for it.
    enum Item: Sendable {
        /// An entry that had waited has its answer.
        case completed(JournalEntry)
        /// A connection has opened or closed.
        case connection(ConnectionRecord.Snapshot)

        var type: EventType {
            switch self {
            case .completed: .completed
            case .connection: .connection
            }
        }
    }

    /// What was left since it was last emptied.
    struct Content {
        var items: [Item] = []
        /// How many did not fit.
        var missed: [EventType: Int] = [:]
    }

    private let content = Lock(Content())
    private let isRung = Atomic<Bool>(false)

    /// Whether the guest must be called; false when it was called already and has not looked yet.
    func ring() -> Bool { !isRung.exchange(true, ordering: .acquiringAndReleasing) }

    /// Leaves something, or counts it when there is no room; whether the guest must be called.
    func add(_ item: Item) -> Bool {
        content.withLock { content in
            if content.items.count < AdminLimits.eventsAhead {
                content.items.append(item)
            } else {
                content.missed[item.type, default: 0] += 1
            }
        }
        return ring()
    }

    /// Takes everything out; what comes from now on rings again.
    func empty() -> Content {
        isRung.store(false, ordering: .releasing)
        return content.withLock { content in
            defer { content = Content() }
            return content
        }
    }
}

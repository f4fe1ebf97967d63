import JSON
import Simulation

/// What arrived in the time that a question is about, in numbers.
struct SeenSince: Sendable, Equatable {
    private(set) var accepted = 0
    private(set) var rejected = 0
    private(set) var faulted = 0
    private(set) var broken = 0
    /// Connections whose first sign of life fell into the time.
    private(set) var connectionsOpened = 0
    private(set) var handshakesFailed = 0

    /// Counts these entries.
    init(_ entries: some Sequence<JournalEntry>) {
        for entry in entries {
            switch entry.content.outcome {
            case .accepted: accepted += 1
            case .rejected: rejected += 1
            case .faulted: faulted += 1
            case .broken: broken += 1
            }
            let isHandshake = entry.content.breakage?.isHandshake ?? false
            if isHandshake { handshakesFailed += 1 }
            let isRefused = entry.content.breakage?.cause == "certificate"
            if isHandshake || isRefused || entry.content.requestsOnConnection == 1 { connectionsOpened += 1 }
        }
    }

    /// Whether nothing at all arrived.
    var isEmpty: Bool { self == SeenSince([]) }

    /// Name and number of each count.
    var counts: [(name: StaticString, count: Int)] {
        [
            ("accepted", accepted), ("rejected", rejected), ("faulted", faulted), ("broken", broken),
            ("connectionsOpened", connectionsOpened), ("handshakesFailed", handshakesFailed),
        ]
    }

    /// "1 accepted, 2 rejected"; what did not happen is left out.
    var words: String {
        let words = counts.prefix(4).filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}

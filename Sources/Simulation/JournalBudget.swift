import Synchronization

/// How many bytes the journals of all namespaces hold together, and how many they may.
package final class JournalBudget: Sendable {
    /// What all journals hold together at most unless the server is told otherwise.
    package static let standard = 256 << 20

    /// What all journals hold together at most.
    package let limit: Int
    private let total = Atomic<Int>(0)

    /// A budget of so many bytes.
    package init(limit: Int = JournalBudget.standard) {
        self.limit = limit
    }

    /// What all journals hold together.
    package var used: Int { total.load(ordering: .relaxed) }

    /// How much they hold beyond the limit.
    package var excess: Int { max(0, used - limit) }

    /// Takes note of what one journal holds more, or less.
    func add(_ bytes: Int) {
        total.wrappingAdd(bytes, ordering: .relaxed)
    }
}

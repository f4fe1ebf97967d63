import APNs
import HTTP
import Locking
import Synchronization

/// The namespaces of a server. Any thread; a server that has only the default one pays a flag test for the others.
package final class Worlds: Sendable {
    /// Why a namespace cannot be made.
    package enum Refusal: Error, Sendable, Equatable {
        case taken
        /// There are as many as there may be.
        case full
        /// Another namespace claims the same topic.
        case topicClaimed(String, by: String)
    }

    /// How many namespaces there may be, the default one included.
    package static let limit = 256

    private struct State {
        var others: [Namespace] = []
        /// How many were ever made; entries of different namespaces never share an id.
        var made = 0
        /// The journals of those that ended last: pushes that were on their way still count there.
        var ended: [Journal] = []
        /// What was counted in those that ended before.
        var past = Journal.Statistics()
        /// What gates ask about, of the same; and the rules of all that ended.
        var pastTally = GateTally()
    }

    /// The namespace of all requests that belong to no other.
    package let main: Namespace
    /// What the journals of all may hold together.
    package let budget: JournalBudget
    private let state = Lock(State())
    private let hasOthers = Atomic<Bool>(false)

    /// The worlds of a server whose default namespace this is.
    package init(_ simulator: Simulator, seed: UInt64 = 0, budget: JournalBudget = JournalBudget()) {
        main = Namespace(Namespace.defaultName, simulator, seed: seed)
        self.budget = budget
    }

    /// Whether there is no other namespace than the default one.
    package var isSingle: Bool { !hasOthers.load(ordering: .acquiring) }

    /// All but the default one, in the order in which they were made.
    package var others: [Namespace] {
        isSingle ? [] : state.withLock { $0.others }
    }

    /// All namespaces, the default one first.
    package var all: [Namespace] { [main] + others }

    /// The namespace of this name.
    package func namespace(named name: String) -> Namespace? {
        name == Namespace.defaultName ? main : others.first { $0.name == name }
    }

    /// Makes a namespace. `now` is the machine's time in milliseconds since 1970.
    package func add(_ order: NamespaceOrder, now: Int64) throws(Refusal) -> Namespace {
        let result: Result<Namespace, Refusal> = state.withLock { state in
            if order.name == Namespace.defaultName || state.others.contains(where: { $0.name == order.name }) {
                return .failure(.taken)
            }
            guard state.others.count + 1 < Self.limit else { return .failure(.full) }
            for other in state.others {
                if let topic = order.topics.first(where: { topic in other.topics.contains { $0.text == topic } }) {
                    return .failure(.topicClaimed(topic, by: other.name))
                }
            }
            state.made += 1
            let namespace = make(order, number: state.made, now: now)
            state.others.append(namespace)
            hasOthers.store(true, ordering: .releasing)
            return .success(namespace)
        }
        return try result.get()
    }

    /// Ends a namespace; nil when there is none of this name, or it is the default one.
    package func remove(_ name: String) -> Namespace? {
        let removed: Namespace? = state.withLock { state in
            guard let index = state.others.firstIndex(where: { $0.name == name }) else { return nil }
            let namespace = state.others.remove(at: index)
            hasOthers.store(!state.others.isEmpty, ordering: .releasing)
            state.ended.append(namespace.simulator.journal)
            if state.ended.count > Self.limit {
                let oldest = state.ended.removeFirst()
                state.past.add(oldest.statistics)
                state.pastTally.add(oldest.tally.labelled(oldest.renderer.namespace))
            }
            return namespace
        }
        guard let removed else { return nil }
        removed.end()
        let unused = removed.simulator.script.neverFired
        if !unused.isEmpty { state.withLock { $0.pastTally.unusedRules += unused } }
        return removed
    }

    /// What was counted in all namespaces, in those that have ended too, and what those hold that have not.
    package var statistics: Journal.Statistics {
        let (past, ended) = state.withLock { ($0.past, $0.ended) }
        let before = ended.reduce(into: past) { $0.add($1.statistics) }
        return all.reduce(into: before) { sum, namespace in
            let own = namespace.simulator.journal.statistics
            sum.add(own)
            sum.entries += own.entries
            sum.bytes += own.bytes
            sum.followers += own.followers
        }
    }

    /// What gates ask about, counted over the life of the server in all namespaces, in those that have ended too.
    package var tally: GateTally {
        let (past, ended) = state.withLock { ($0.pastTally, $0.ended) }
        return ended.reduce(into: all.reduce(into: past) { $0.add($1.tally) }) {
            $0.add($1.tally.labelled($1.renderer.namespace))
        }
    }

    /// Looks at the conduct of senders as entries come, in all namespaces; see ``Journal/watchConduct()``.
    package func watchConduct() {
        for namespace in all { namespace.simulator.journal.watchConduct() }
    }

    /// Evicts the oldest entries of the fullest journals until all together hold no more than they may.
    package func trim() {
        while budget.excess > 0 {
            let fullest = all.map { (journal: $0.simulator.journal, bytes: $0.simulator.journal.bytes) }
                .max { $0.bytes < $1.bytes }
            guard let fullest, fullest.bytes > 0 else { return }
            fullest.journal.evict(atLeast: budget.excess)
        }
    }

    private func make(_ order: NamespaceOrder, number: Int, now: Int64) -> Namespace {
        let parent = main.simulator
        var configuration = parent.configuration
        if let profile = order.profile { configuration.profile = profile }
        if let accepts = order.acceptsUnknownDevices { configuration.acceptsUnknownDevices = accepts }
        if let accepts = order.acceptsUnknownKeys { configuration.acceptsUnknownKeys = accepts }
        let seed = order.seed ?? main.seed
        let simulator = parent.sibling(
            order, configuration: configuration, journal: parent.journal.sibling(of: order.name, number: number),
            seed: seed)
        return Namespace(
            order.name, simulator, seed: seed, topics: order.topics,
            sharedKeyIDs: Set(parent.keys.initialKeys.map(\.keyID)),
            sharedSerials: parent.certificates.initialSerials, createdAt: now,
            expiresAt: order.lifetimeMilliseconds.map { now + $0 })
    }
}

import Simulation
import Synchronization

/// A waiting call and what it holds of others until it is answered.
struct Waiter {
    /// Rung when the journal has something to look at; a bell that rang rings again once somebody came.
    final class Bell: Sendable {
        private let isRinging = Atomic<Bool>(false)

        /// Whether nobody had rung it before.
        func ring() -> Bool { !isRinging.exchange(true, ordering: .acquiringAndReleasing) }

        /// Somebody comes.
        func answer() { isRinging.store(false, ordering: .releasing) }
    }

    let journal: Journal
    /// Nil when the call is answered with what the journal holds.
    let follower: Journal.Follower?
    let bell: Bell
    var call: any WaitingCall
    var timer: (any AdminTimer)?
    /// What the journal held when the call came.
    let held: Journal.Snapshot
    /// The part of that which was not looked at yet; nil when all was.
    var unseen: JournalEntries.Iterator?
    /// Whether it looks for matches itself, and up to which number it has.
    var looksItself = false
    var position: UInt64
    /// What continues the look later, when it gave way to others.
    var turn: (any AdminTimer)?
}

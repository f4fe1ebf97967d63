import EventLoop
import Simulation

/// What a script has done to a connection; confined to its loop. Nearly all connections have none.
final class ConnectionScript {
    /// An answer that waits: for its time, or for ever.
    struct Held {
        let answer: ScriptedAnswer
        let entry: JournalEntry
        let hold: Script.Hold
        let timer: LoopTimer?
    }

    /// How a connection ends once its output is sent.
    enum Ending {
        /// In order, but without GOAWAY.
        case close
        /// By a TCP reset.
        case reset
    }

    /// The answers that wait, by their streams.
    var held: [Int32: Held] = [:]
    /// Whether nothing is sent any more.
    var isStalled = false
    var ending: Ending?
    /// After how many requests the connection ends.
    var requestLimit: Int?
    /// The alert that is sent instead of a handshake.
    var alert: UInt8?
}

@available(*, unavailable)
extension ConnectionScript: Sendable {}

import EventLoop
import Simulation

/// What a script has done to a connection; confined to its loop. Nearly all connections have none.
final class ConnectionScript {
    /// An answer that waits: for its time, or for ever.
    struct Held {
        let answer: ScriptedAnswer
        /// Nil when what waits is the connection itself.
        let entry: JournalEntry?
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

    /// A limit of requests.
    struct RequestLimit {
        let requests: Int
        let fault: ConnectionFault
        /// The stream of the last request, once it has come.
        var lastStream: Int32?
    }

    /// The number under which the connection itself waits, among the streams.
    static let wholeConnection: Int32 = 0

    /// The answers that wait, by their streams.
    var held: [Int32: Held] = [:]
    /// The streams that ended though their answers had not left.
    var lost: Set<Int32> = []
    /// How many of them wait for ever.
    var hanging: Int { held.values.count { $0.timer == nil } }
    /// Whether nothing is sent any more.
    var isStalled = false
    var ending: Ending?
    /// Ends the connection though its peer does not take what was answered before.
    var endingTimer: LoopTimer?
    /// Whether the connection stays open behind GOAWAY.
    var lingers = false
    /// After which request the connection ends.
    var requestLimit: RequestLimit?
    /// The alert that is sent instead of a handshake.
    var alert: UInt8?
}

@available(*, unavailable)
extension ConnectionScript: Sendable {}

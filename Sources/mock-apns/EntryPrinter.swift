import Admin
import EventLoop
import Locking
import Server
import Simulation

/// Prints a line for each entry while a person looks at standard error, off the threads of pushes, so that a slow terminal
/// never delays one. Entries that come faster than they can be printed are counted.
final class EntryPrinter {
    /// How many lines may wait for the terminal.
    static let waitingLimit = 100

    private let journal: Journal
    private let follower: Journal.Follower

    /// Nil when nobody looks.
    init?(_ server: MockServer, _ process: ProcessConfiguration, _ mailbox: Mailbox) {
        guard StandardStream.error.isTerminal, Reporter(process, usesColor: false).prints(.info) else { return nil }
        journal = server.simulator.journal
        let queue = Queue()
        let following = try? journal.follow(after: journal.cursor, matching: Matcher()) { event in
            guard case .entry(let entry) = event, queue.add(entry) else { return }
            mailbox.post { _ in queue.print() }
        }
        guard let following else { return nil }
        follower = following.0
    }

    /// Prints no more.
    func stop() {
        journal.unfollow(follower)
    }

    /// The entries that wait to be printed.
    private final class Queue: Sendable {
        private let state = Lock<(entries: [JournalEntry], skipped: Int)>(([], 0))

        /// Adds an entry; true when nothing waited before, so that somebody must print.
        func add(_ entry: JournalEntry) -> Bool {
            state.withLock { state in
                if state.entries.count >= EntryPrinter.waitingLimit {
                    state.skipped += 1
                    return false
                }
                state.entries.append(entry)
                return state.entries.count == 1
            }
        }

        func print() {
            let (entries, skipped) = state.withLock { state in
                defer { state = ([], 0) }
                return state
            }
            var text = EntryLines(entries).text
            if skipped > 0 { text += "… and \(skipped) more, see `mock-apns list`\n" }
            BackgroundWriter.error.write(text)
        }
    }
}

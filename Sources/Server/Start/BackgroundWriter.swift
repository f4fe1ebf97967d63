import EventLoop
import Locking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes texts where somebody else reads them, on a thread of its own: a reader that pauses, or never comes, holds up
/// nobody. What does not fit into a bounded queue is dropped and counted. Any thread.
package final class BackgroundWriter: Sendable {
    /// Where the texts go.
    package enum Target: Sendable {
        /// A descriptor of somebody else; it stays open.
        case descriptor(Int32)
        /// A descriptor that is closed behind the text.
        case lastWord(Int32)
        /// What is no regular file, such as a FIFO, whose opening may wait for its reader.
        case path(String)

        /// Whether there is nothing to write to after the first text.
        fileprivate var isUsedUp: Bool {
            if case .descriptor = self { false } else { true }
        }
    }

    /// How many bytes may wait for their reader.
    package static let waitingLimit = 64 << 10
    /// How long the end of the process waits for readers, in milliseconds.
    package static let lastWordsMilliseconds: Int64 = 500

    /// Standard error.
    package static let error = BackgroundWriter(.descriptor(StandardStream.error.rawValue))
    /// Standard output of a server, which says one line there.
    package static let output = BackgroundWriter(.descriptor(StandardStream.output.rawValue))

    private struct State {
        var thread: LoopThread?
        var waiting = 0
        var dropped: UInt64 = 0
        var unsaid: UInt64 = 0
    }

    private let target: Target
    private let state = Lock(State())

    /// A writer whose thread begins with the first text.
    package init(_ target: Target) {
        self.target = target
    }

    /// How many texts were dropped since nobody read those before them.
    package var dropped: UInt64 { state.withLock { $0.dropped } }

    /// Takes a text; it is written when those before it are, or dropped when too much waits already.
    package func write(_ text: String) {
        state.withLock { state in
            if state.thread == nil { state.thread = try? LoopThread(name: "writer") { _ in } }
            let size = text.utf8.count
            guard let thread = state.thread, state.waiting + size <= Self.waitingLimit else {
                state.dropped += 1
                state.unsaid += 1
                return
            }
            state.waiting += size
            thread.mailbox.post { [self] loop in
                deliver(text, size)
                if target.isUsedUp { loop.stop() }
            }
        }
    }

    /// Waits until all that was taken is written, but not longer than `milliseconds`.
    package func flush(milliseconds: Int64 = lastWordsMilliseconds) {
        let isWritten = Latch()
        let waits = state.withLock { state in
            state.thread?.mailbox.post { _ in isWritten.open() } ?? false
        }
        if waits { isWritten.wait(milliseconds: milliseconds) }
    }

    /// Runs on the writer's thread, which may wait here for its reader for as long as it likes.
    private func deliver(_ text: String, _ size: Int) {
        put(text)
        let unsaid = state.withLock { state in
            state.waiting -= size
            guard state.waiting == 0 else { return 0 as UInt64 }
            defer { state.unsaid = 0 }
            return state.unsaid
        }
        if unsaid > 0 { put("warning: \(unsaid) messages are missing here: nobody read those before them\n") }
    }

    private func put(_ text: String) {
        switch target {
        case .descriptor(let number): _ = TextFile.write(text, to: number)
        case .lastWord(let number):
            _ = TextFile.write(text, to: number)
            _ = close(number)
        case .path(let path): try? TextFile.replace(path, with: text)
        }
    }
}

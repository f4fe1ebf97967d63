import Locking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The inspection log on disk: one JSON object a line, appended.
///
/// A line is in the file before its push is answered, so a server that is killed loses nothing that it said yes to. The file
/// is made with mode 0600, since payloads may hold what testers would not show to everybody on the machine.
package final class InspectionLog: Sendable {
    /// A log that cannot be opened, in words for people.
    package struct OpenError: Error, Sendable {
        package let message: String
        package let errorNumber: Int32
    }

    /// What the log knows of its file; `file` is nil after it was lost and could not be opened again.
    private struct State: ~Copyable {
        var file: LogFile?
        var failure: String?
        var lookedAt: Int64
    }

    /// How often the log looks whether its path still names the file that it writes to, in milliseconds.
    package static let rotationCheckInterval: Int64 = 1000

    /// The file.
    package let path: String
    /// How many bytes of an unfinished last line were cut off when the file was opened; 0 usually.
    package let cutBytes: Int
    /// Whether another server wrote to the file when it was opened.
    package let isShared: Bool

    private let syncs: Bool
    private let clock: @Sendable () -> Int64
    private let state: Lock<State>

    /// Opens or makes the file and cuts off an unfinished last line.
    ///
    /// With `syncs` a line is on the disk, not only in the kernel, when ``append(_:)`` returns. `clock` tells milliseconds
    /// that never go back.
    package init(
        path: String, syncs: Bool = false, clock: @escaping @Sendable () -> Int64 = LogFile.monotonicMilliseconds
    ) throws(OpenError) {
        LogFile.ignoreFileSizeSignal()
        let file: LogFile
        do {
            file = try LogFile(path: path)
        } catch {
            throw OpenError(message: error.advice(path: path), errorNumber: error.number)
        }
        self.path = path
        self.syncs = syncs
        self.clock = clock
        cutBytes = file.cutBytes
        isShared = file.isShared
        state = Lock(State(file: consume file, failure: nil, lookedAt: clock()))
    }

    /// Appends whole lines and returns how many bytes of them are in the log: all, or, after a failure, none in a file and
    /// the first lines in a stream. Recovers by itself when there is room again or the file can be opened again.
    package func append(_ lines: UnsafeRawBufferPointer) -> Int {
        state.withLock { state in
            do throws(LogFile.Failure) {
                try reopenIfMoved(&state)
                let result = unsafe state.file?.append(lines, syncs: syncs) ?? (0, LogFile.Failure(number: EBADF))
                if let failure = result.failure {
                    state.failure = "\(path): \(failure.words)"
                } else if state.failure != nil {
                    state.failure = nil
                }
                return result.written
            } catch {
                state.failure = "\(path): \(error.words)"
                return 0
            }
        }
    }

    /// The same for an array; true when all of it is in the log.
    package func append(_ lines: borrowing [UInt8]) -> Bool {
        unsafe lines.withUnsafeBytes { unsafe append($0) == $0.count }
    }

    /// Looks with the next line whether the path names another file by now, as after a rotation.
    package func reopenSoon() {
        state.withLock { $0.lookedAt = .min }
    }

    /// Why the last append failed: "inspection.ndjson: No space left on device"; nil while all is well.
    package var failure: String? {
        state.withLock { $0.failure }
    }

    /// Hands what was written to the disk; at the stop of the server.
    package func synchronize() {
        state.withLock { $0.file?.synchronize() }
    }

    /// Opens the file anew when it was lost, or when the path names another file by now: a log rotator moved ours away, or
    /// somebody deleted it. While all is well this looks once a second.
    private func reopenIfMoved(_ state: inout State) throws(LogFile.Failure) {
        let now = clock()
        if state.file != nil {
            if state.failure == nil, now < state.lookedAt &+ Self.rotationCheckInterval { return }
            state.lookedAt = now
            if state.file?.isStill(at: path) ?? false { return }
        }
        let file = try LogFile(path: path)
        state.file = consume file
        state.lookedAt = now
    }
}

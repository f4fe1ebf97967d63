import EventLoop

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Notices the end of standard input: the way in which a parent's death is seen everywhere.
final class StandardInput: ReadinessHandler {
    private let loop: EventLoop
    private let onEnd: () -> Void
    private var watch: SocketWatch?

    /// Reads standard input away and calls `onEnd` when it ends.
    init(_ loop: EventLoop, onEnd: @escaping () -> Void) throws {
        self.loop = loop
        self.onEnd = onEnd
        do {
            watch = try loop.watch(0, self)
        } catch  where error.errorNumber == EPERM {
            // A file or /dev/null cannot be waited for, and has an end by itself.
            onEnd()
        }
    }

    deinit {
        watch?.cancel()
    }

    func readable() {
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) {
            unsafe read(0, $0.baseAddress, $0.count)
        }
        if count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN)) { return }
        watch?.cancel()
        watch = nil
        onEnd()
    }

    func writable() {}
}

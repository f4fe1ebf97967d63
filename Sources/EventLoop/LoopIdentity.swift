import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which thread a loop belongs to; other threads may ask whether it is theirs.
final class LoopIdentity: Sendable {
    private let thread = Atomic<UInt>(LoopIdentity.callingThread)

    /// Whether the calling thread is the loop's.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == Self.callingThread }

    /// Makes the calling thread the loop's; a loop may be made on one thread and run on another.
    func bind() {
        thread.store(Self.callingThread, ordering: .relaxed)
    }

    private static var callingThread: UInt {
        #if canImport(Glibc)
        return UInt(pthread_self())
        #else
        return unsafe UInt(bitPattern: pthread_self())
        #endif
    }
}

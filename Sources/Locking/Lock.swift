#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#else
public import Darwin
#endif

/// A value that one thread at a time can reach.
///
/// It does what `Synchronization.Mutex` does, over `pthread_mutex_t`: the thread sanitizer knows that one, while Swift's own
/// hands a contended lock over by the kernel, unseen, and every later access to its value would be reported as a race.
/// It is public because only what is public is inlined into other modules, and these locks are taken for every push.
@safe public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Sendable: the value is reached between lock and unlock only, and comes and goes as `sending`.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// A lock that nobody holds, around the value.
    @inlinable
    public init(_ initialValue: consuming sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe value = .allocate(capacity: 1)
        let failure = unsafe pthread_mutex_init(mutex, nil)
        precondition(failure == 0, "a mutex could not be made")
        unsafe value.initialize(to: initialValue)
    }

    @inlinable
    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        let failure = unsafe pthread_mutex_destroy(mutex)
        assert(failure == 0, "a lock went away while it was held")
        unsafe mutex.deallocate()
    }

    /// Waits until no other thread holds the lock, and runs the body with the value; not from within another body of the
    /// same lock.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe try body(&value.pointee)
    }
}

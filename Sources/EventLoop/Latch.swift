#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A latch that threads wait at until it is opened, once and for all.
@safe package final class Latch: @unchecked Sendable {
    // Sendable because `isOpen` is touched only under the lock, and the lock and condition are made for many threads.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isOpen = false

    /// A closed latch.
    package init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(lock, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(lock)
        unsafe condition.deallocate()
        unsafe lock.deallocate()
    }

    /// Lets everybody through.
    package func open() {
        unsafe pthread_mutex_lock(lock)
        isOpen = true
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(lock)
    }

    /// Waits until the latch is open.
    package func wait() {
        unsafe pthread_mutex_lock(lock)
        while !isOpen { unsafe pthread_cond_wait(condition, lock) }
        unsafe pthread_mutex_unlock(lock)
    }

    /// The same, but not longer than this; returns whether the latch is open.
    @discardableResult
    package func wait(milliseconds: Int64) -> Bool {
        var end = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = Int64(end.tv_nsec) + milliseconds % 1000 * 1_000_000
        end.tv_sec += Int(milliseconds / 1000 + nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        while !isOpen {
            if unsafe pthread_cond_timedwait(condition, lock, &end) != 0 { break }
        }
        return isOpen
    }
}

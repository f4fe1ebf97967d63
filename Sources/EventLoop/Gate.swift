#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A door that threads wait at until it is opened, once and for all.
@safe final class Gate: @unchecked Sendable {
    // Sendable because `isOpen` is touched only under the lock, and the lock and condition are made for many threads.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isOpen = false

    init() {
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

    func open() {
        unsafe pthread_mutex_lock(lock)
        isOpen = true
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(lock)
    }

    func wait() {
        unsafe pthread_mutex_lock(lock)
        while !isOpen { unsafe pthread_cond_wait(condition, lock) }
        unsafe pthread_mutex_unlock(lock)
    }
}

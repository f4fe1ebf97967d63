#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that `exec` runs: started with an environment of its own, awaited, sent signals.
struct ChildProcess {
    /// A program that could not be started.
    struct Failure: Error {
        let errorNumber: Int32
        /// What shells exit with: 127 when there is no such program, 126 when it cannot be run.
        var exitCode: Int32 { errorNumber == ENOENT ? 127 : 126 }
        var words: String { unsafe String(cString: strerror(errorNumber)) }
    }

    let number: Int32

    /// Starts a program, found as shells find it. Signals are as in a fresh process, whatever this one ignores.
    init(_ words: [String], environment: [String: String]) throws(Failure) {
        let arguments = CStrings(words)
        let variables = CStrings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { throw Failure(errorNumber: ENOMEM) }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        var usual = sigset_t()
        _ = unsafe sigemptyset(&usual)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ] { _ = unsafe sigaddset(&usual, signal) }
        _ = unsafe posix_spawnattr_setsigmask(&attributes, &none)
        _ = unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        _ = unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var number: pid_t = 0
        let failure = withExtendedLifetime((arguments, variables)) {
            unsafe posix_spawnp(&number, words[0], nil, &attributes, arguments.pointers, variables.pointers)
        }
        guard failure == 0 else { throw Failure(errorNumber: failure) }
        self.number = number
    }

    /// Sends a signal.
    func send(_ signal: Int32) {
        _ = kill(number, signal)
    }

    /// Waits for the end: the exit code, or 128 and the number of the signal that killed it, as shells do.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0 {
            if errno != EINTR { return 128 }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Texts as C programs take them: pointers, the last one null.
@safe private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        unsafe pointers = .allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { unsafe pointers[index] = strdup(text) }
        unsafe pointers[texts.count] = nil
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}

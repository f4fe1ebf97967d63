import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The owner of libevent's loop.
///
/// It has no locks: other threads reach a loop by its ``Mailbox`` only, which has a descriptor of its own for that.
@safe struct LoopBase: ~Copyable {
    let pointer: OpaquePointer

    init() throws(EventLoopError) {
        _ = Self.isLibraryReady
        guard let configuration = unsafe event_config_new() else { throw .last("make an event loop") }
        defer { unsafe event_config_free(configuration) }
        let flags = EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_IGNORE_ENV.rawValue
        guard unsafe event_config_set_flag(configuration, Int32(flags)) == 0,
            let base = unsafe event_base_new_with_config(configuration)
        else { throw .last("make an event loop") }
        unsafe pointer = base
    }

    deinit { unsafe event_base_free(pointer) }

    /// Waits for one turn's events and calls their handlers; with `blocking` off it only looks.
    func turn(blocking: Bool) {
        let flags = EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY | (blocking ? 0 : EVLOOP_NONBLOCK)
        let result = unsafe event_base_loop(pointer, flags)
        precondition(result >= 0, "the system refuses to wait for events")
    }

    /// What is set once for the whole process.
    private static let isLibraryReady: Bool = {
        // libevent's lists of signals are shared by all loops.
        _ = evthread_use_pthreads()
        // A peer that has gone is an error of write(), not the end of the process.
        _ = signal(SIGPIPE, SIG_IGN)
        unsafe event_set_log_callback(logFromLibevent)
        return true
    }()
}

/// Keeps libevent's warnings (a peer's reset, a full descriptor table) off the terminal; errors end the process, so they
/// are shown.
private func logFromLibevent(_ severity: Int32, _ message: UnsafePointer<CChar>?) {
    guard severity >= EVENT_LOG_ERR, let message = unsafe message else { return }
    let line = unsafe "libevent: \(String(cString: message))\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
}

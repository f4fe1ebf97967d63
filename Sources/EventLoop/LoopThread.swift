import CLibevent
import Locking

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread with a loop of its own.
package final class LoopThread: Sendable {
    /// The loop's mailbox.
    package let mailbox: Mailbox

    private let start: Start

    /// Starts a thread, makes a loop on it, calls `setUp` there and runs the loop; returns when `setUp` has returned.
    package init(name: String, setUp: @escaping @Sendable (EventLoop) throws -> Void) throws {
        start = Start(name: name, setUp: setUp)
        mailbox = try start.launch()
    }

    /// Waits until the loop has ended; not on the loop's own thread.
    package func join() {
        start.ended.wait()
    }
}

/// What a thread and its starter share.
private final class Start: Sendable {
    let ended = Latch()
    private let isSetUp = Latch()
    private let name: String
    /// Given up when it has run, with all that it holds.
    private let setUp: Lock<(@Sendable (EventLoop) throws -> Void)?>
    private let result = Lock<Result<Mailbox, any Error>?>(nil)

    init(name: String, setUp: @escaping @Sendable (EventLoop) throws -> Void) {
        self.name = name
        self.setUp = Lock(setUp)
    }

    /// Starts the thread and waits for its set-up.
    func launch() throws -> Mailbox {
        // The thread gives the reference back.
        let context = unsafe Unmanaged.passRetained(self)
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let failure = unsafe pthread_create(&thread, nil, threadMain, context.toOpaque())
        guard failure == 0 else {
            unsafe context.release()
            throw EventLoopError(action: "start the thread \(name)", errorNumber: failure)
        }
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        isSetUp.wait()
        guard let result = result.withLock({ $0 }) else {
            throw EventLoopError(action: "start the thread \(name)", errorNumber: ECANCELED)
        }
        return try result.get()
    }

    func main() {
        nameThread()
        defer { ended.open() }
        do {
            let loop = try EventLoop()
            try setUp.withLock { $0.take() }?(loop)
            report(.success(loop.mailbox))
            loop.run()
        } catch {
            report(.failure(error))
        }
    }

    private func report(_ outcome: Result<Mailbox, any Error>) {
        result.withLock { $0 = outcome }
        isSetUp.open()
    }

    private func nameThread() {
        #if canImport(Darwin)
        _ = unsafe pthread_setname_np(name)
        #else
        // Linux takes 15 bytes.
        _ = unsafe pthread_setname_np(pthread_self(), String(name.prefix(15)))
        #endif
    }
}

#if canImport(Darwin)
private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue().main()
    return nil
}
#else
private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue().main()
    return nil
}
#endif

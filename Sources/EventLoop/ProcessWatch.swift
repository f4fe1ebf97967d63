import CLibevent

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process whose end is awaited, not polled for; watching ends when this is released.
package final class ProcessWatch {
    private let body: () -> Void
    private var descriptor: Int32
    private var watch: SocketWatch?

    init(_ number: Int32, on loop: EventLoop, _ body: @escaping () -> Void) throws(EventLoopError) {
        self.body = body
        descriptor = CLibevent_openProcess(number)
        if descriptor < 0 {
            guard errno == ESRCH else { throw .last("watch process \(number)") }
            body()
            return
        }
        watch = try loop.watch(descriptor, self)
    }

    deinit {
        watch?.cancel()
        if descriptor >= 0 { _ = close(descriptor) }
    }
}

extension ProcessWatch: ReadinessHandler {
    package func readable() {
        watch?.cancel()
        watch = nil
        body()
    }

    package func writable() {}
}

@available(*, unavailable)
extension ProcessWatch: Sendable {}

import EventLoop
import Server

/// Notices that nobody has used the server for so long (`--idle-exit`). Confined to its loop.
final class IdleExit {
    private let server: MockServer
    private let limit: Int64
    private let loop: EventLoop
    private let onIdle: (String) -> Void
    private var timer: LoopTimer?

    /// Calls `onIdle` with the reason once nobody has used the server for `limit` milliseconds.
    init(_ server: MockServer, limit: Int64, on loop: EventLoop, onIdle: @escaping (String) -> Void) throws {
        self.server = server
        self.limit = limit
        self.loop = loop
        self.onIdle = onIdle
        try wait(limit)
    }

    private func wait(_ milliseconds: Int64) throws {
        timer = try loop.after(milliseconds: milliseconds) { [unowned self] in look() }
    }

    /// The timer looks when the limit may be over, so that use costs nothing but a note of its time.
    private func look() {
        let idle = server.idleMilliseconds
        if idle < limit, (try? wait(limit - idle)) != nil { return }
        onIdle("--idle-exit: no push, connection or call of the admin API for \(limit) ms")
    }
}

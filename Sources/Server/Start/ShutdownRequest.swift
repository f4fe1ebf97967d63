import Locking

/// Who is told when somebody asks for the stop through the admin API.
final class ShutdownRequest: Sendable {
    let handler = Lock<(@Sendable () -> Void)?>(nil)

    /// Passes the request on.
    func deliver() {
        handler.withLock { $0 }?()
    }
}

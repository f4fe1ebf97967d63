/// The one clock of the rules; a test can freeze, set and advance it.
package final class ServerClock: Sendable {
    package init() {}

    /// Both times now.
    package func now() -> Instant { fatalError("contract") }
}

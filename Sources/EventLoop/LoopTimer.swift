/// A pending call; it is dropped when the timer is released.
package final class LoopTimer {
    /// Drops the call; may be called again.
    package func cancel() { fatalError("contract") }

    init() {}
}

/// A thread with a loop of its own.
package final class LoopThread: Sendable {
    /// Starts a thread, makes a loop on it, calls `setUp` there and runs the loop; returns when `setUp` has returned.
    package init(name: String, setUp: @escaping @Sendable (EventLoop) throws -> Void) throws { fatalError("contract") }

    /// The loop's mailbox.
    package var mailbox: Mailbox { fatalError("contract") }

    /// Waits until the loop has ended.
    package func join() { fatalError("contract") }
}

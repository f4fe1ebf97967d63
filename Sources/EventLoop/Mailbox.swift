/// The outside face of a loop: work handed over from any thread.
package final class Mailbox: Sendable {
    /// Runs the job on the loop's thread, in the order of posting; dropped when the loop has ended. Any thread.
    package func post(_ job: @escaping @Sendable (EventLoop) -> Void) { fatalError("contract") }

    init() {}
}

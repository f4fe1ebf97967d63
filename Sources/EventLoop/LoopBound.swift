/// A value of one loop carried through other threads; touched only on its loop, which is checked at run time.
package struct LoopBound<Value>: @unchecked Sendable {
    // Sendable because `value` traps off the loop's thread, in release builds too, so nothing is shared.
    private let bound: Value
    private let identity: LoopIdentity

    /// Binds the value to the loop; only on the loop's thread.
    package init(_ value: Value, on loop: EventLoop) {
        precondition(loop.isCurrent, "a value is bound to a loop on the loop's own thread")
        bound = value
        identity = loop.identity
    }

    /// The value; only on the loop's thread.
    package var value: Value {
        precondition(identity.isCurrent, "a value of one loop was touched on another thread")
        return bound
    }
}

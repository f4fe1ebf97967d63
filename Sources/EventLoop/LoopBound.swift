/// A value of one loop carried through other threads; touched only on its loop, which is checked at run time.
package struct LoopBound<Value>: @unchecked Sendable {
    // Sendable because `value` traps off the loop's thread, so nothing is shared.

    /// Binds the value to the loop that is running now.
    package init(_ value: Value, on loop: EventLoop) { fatalError("contract") }

    /// The value; only on the loop's thread.
    package var value: Value { fatalError("contract") }
}

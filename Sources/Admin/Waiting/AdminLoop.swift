/// What waits need of the loop that serves them; tests have one with a clock moved by hand.
package protocol AdminLoop: AnyObject {
    /// Milliseconds of a clock that does not go back.
    var milliseconds: Int64 { get }

    /// Calls `body` once on the loop after so many milliseconds; nil when no timer can be made.
    func after(milliseconds: Int64, _ body: @escaping () -> Void) -> (any AdminTimer)?

    /// Hands a job to the loop, in the order of posting; the function itself may be called on any thread.
    var post: @Sendable (@escaping @Sendable () -> Void) -> Void { get }
}

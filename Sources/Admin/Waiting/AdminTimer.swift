/// A pending call of an ``AdminLoop``.
package protocol AdminTimer: AnyObject {
    /// Drops the call; may be called again.
    func cancel()
}

/// A descriptor's registration with its loop; it does not own the descriptor.
package final class SocketWatch {
    /// Whether ``ReadinessHandler/writable()`` is wanted; off at first.
    package var wantsWrite: Bool {
        get { fatalError("contract") }
        set { fatalError("contract") }
    }
    /// Whether ``ReadinessHandler/readable()`` is wanted; on at first.
    package var wantsRead: Bool {
        get { fatalError("contract") }
        set { fatalError("contract") }
    }
    /// Ends the registration; may be called again.
    package func cancel() { fatalError("contract") }

    init() {}
}

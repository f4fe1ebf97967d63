import APNs

/// A connection on its way from the listener to its loop.
struct AcceptedConnection: Sendable {
    /// The number under which the log shows it.
    let id: UInt64
    /// Owned by whoever holds this value last.
    let descriptor: Int32
    /// The peer's address.
    let peer: String
    /// The listener's address.
    let listener: String
    /// The listener's environment.
    let environment: Environment
}

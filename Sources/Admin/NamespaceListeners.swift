package import Simulation

/// How the admin API opens and closes the APNs listeners of namespaces, which live on other loops.
package struct NamespaceListeners: Sendable {
    /// A listener that could not be opened, in words for people.
    package struct Failure: Error, Sendable {
        package let message: String

        /// A failure in words.
        package init(_ message: String) {
            self.message = message
        }
    }

    /// Binds a port (0 picks one) and calls back, on any thread, with where senders connect to.
    package typealias Open =
        @Sendable (
            Namespace, _ port: UInt16, _ done: @escaping @Sendable (Result<Namespace.Endpoint, Failure>) -> Void
        ) -> Void

    /// Opens a listener of a namespace.
    package var open: Open
    /// Closes the listener of a namespace that has ended, and its connections.
    package var close: @Sendable (Namespace) -> Void

    /// Ways to open and close.
    package init(open: @escaping Open, close: @escaping @Sendable (Namespace) -> Void) {
        self.open = open
        self.close = close
    }

    /// Of a server that speaks no APNs.
    package static let none = NamespaceListeners(
        open: { _, _, done in done(.failure(Failure("this server has no APNs listeners"))) }, close: { _ in })
}

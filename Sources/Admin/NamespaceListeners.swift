package import Simulation

/// How the admin API opens and closes the APNs listeners of namespaces, which live on other loops.
package struct NamespaceListeners: Sendable {
    /// The ports that somebody wants for a namespace; 0 lets the server pick one, nil asks for none.
    package struct Ports: Sendable, Equatable {
        /// HTTP/2 over TLS. The server adds a port for each way without TLS in which it listens itself.
        package var tls: UInt16?
        /// HTTP/2 in clear text.
        package var h2c: UInt16?
        /// HTTP/1.1 in clear text.
        package var http1: UInt16?

        /// Whether none is asked for.
        package var isEmpty: Bool { self == Ports() }

        /// No ports.
        package init() {}
    }

    /// A listener that could not be opened, in words for people.
    package struct Failure: Error, Sendable {
        package let message: String

        /// A failure in words.
        package init(_ message: String) {
            self.message = message
        }
    }

    /// Binds ports, all or none, and calls back, on any thread, with where senders connect to.
    package typealias Open =
        @Sendable (
            Namespace, _ ports: Ports, _ done: @escaping @Sendable (Result<Namespace.Endpoint, Failure>) -> Void
        ) -> Void

    /// Opens the listeners of a namespace.
    package var open: Open
    /// Closes the listeners of a namespace that has ended, and its connections.
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

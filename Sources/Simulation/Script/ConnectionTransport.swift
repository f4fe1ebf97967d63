/// What carries APNs on a connection: not every fault has a meaning everywhere.
package enum ConnectionTransport: Sendable, CaseIterable {
    /// HTTP/2 over TLS.
    case tls
    /// HTTP/2 in clear text.
    case clearText
    /// HTTP/1.1 in clear text.
    case http1
}

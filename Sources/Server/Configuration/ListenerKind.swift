/// How APNs is spoken on a listener.
package enum ListenerKind: String, Sendable, CaseIterable {
    /// HTTP/2 over TLS, as at Apple.
    case apns
    /// HTTP/2 in clear text, with prior knowledge.
    case h2c
    /// HTTP/1.1 in clear text.
    case http1

    /// The scheme of its URLs.
    package var scheme: String { self == .apns ? "https" : "http" }

    /// The flag that asks for it.
    package var flag: String {
        switch self {
        case .apns: "--listen"
        case .h2c: "--h2c-listen"
        case .http1: "--http1-listen"
        }
    }
}

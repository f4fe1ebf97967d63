import COpenSSL

/// A version of the protocol.
package enum TLSVersion: Int32, Sendable, CaseIterable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    /// The oldest that APNs speaks.
    package static let minimum = TLSVersion.tls12

    /// "1.2".
    var number: String { "1.\(rawValue - Self.tls10.rawValue)" }
}

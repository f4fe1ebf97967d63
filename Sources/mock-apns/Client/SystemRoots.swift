import Server

/// The certificates that everybody on this machine trusts.
enum SystemRoots {
    /// Where systems keep them.
    static let files = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// Their PEM; nil when there are none in any of the places.
    static var text: String? {
        for path in files {
            if let bytes = try? TextFile.read(path) { return String(decoding: bytes, as: UTF8.self).endingInLineFeed }
        }
        return nil
    }
}

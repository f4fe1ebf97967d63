import EventLoop
import Server
import TLS

/// The variables by which a program learns of the server that `exec` has started for it.
enum ExecEnvironment {
    /// All names of our prefix, so that commands do not wonder at them.
    static let names: Set<String> = [
        "MOCK_APNS_ADMIN", "MOCK_APNS_URL", "MOCK_APNS_HOST", "MOCK_APNS_PORT", "MOCK_APNS_H2C_URL",
        "MOCK_APNS_HTTP1_URL", "MOCK_APNS_PROXY", "MOCK_APNS_CA_FILE",
        "MOCK_APNS_CA_BUNDLE", "MOCK_APNS_KEY_FILE", "MOCK_APNS_KEY_ID", "MOCK_APNS_TEAM_ID", "MOCK_APNS_CLIENT_CERT",
        "MOCK_APNS_CLIENT_KEY", "MOCK_APNS_CLIENT_P12", "MOCK_APNS_CERTS",
    ]

    /// The variables for a running server. `bundle` is a file with the system's roots and the test CA.
    static func variables(_ server: MockServer, bundle: String, trusting: Bool) -> [String: String] {
        let certificates = server.certificates
        var variables: [String: String] = [:]
        let kinds: [(ListenerKind, String)] = [(.apns, "URL"), (.h2c, "H2C_URL"), (.http1, "HTTP1_URL")]
        for (kind, name) in kinds {
            variables["MOCK_APNS_\(name)"] = server.address(kind)?.local.url(scheme: kind.scheme)
        }
        if let address = server.address(.apns)?.local {
            variables["MOCK_APNS_PROXY"] = address.url(scheme: "http")
            variables["MOCK_APNS_HOST"] = address.host
            variables["MOCK_APNS_PORT"] = address.port.map { String($0) }
        }
        variables["MOCK_APNS_ADMIN"] = server.adminAddress?.local.url(scheme: "http")
        variables["MOCK_APNS_CERTS"] = TextFile.absolute(certificates.directory)
        variables["MOCK_APNS_CA_FILE"] = TextFile.absolute(certificates.authorityFile)
        variables["MOCK_APNS_CA_BUNDLE"] = bundle
        variables["MOCK_APNS_CLIENT_CERT"] = TextFile.absolute(certificates.clientCertificateFile)
        variables["MOCK_APNS_CLIENT_KEY"] = TextFile.absolute(certificates.clientKeyFile)
        variables["MOCK_APNS_CLIENT_P12"] = TextFile.absolute(certificates.clientPKCS12File)
        variables["MOCK_APNS_KEY_ID"] = server.keyID
        variables["MOCK_APNS_KEY_FILE"] = (certificates.announcedKey?.file).map(TextFile.absolute)
        variables["MOCK_APNS_TEAM_ID"] = server.configuration.team
        if trusting {
            variables["SSL_CERT_FILE"] = bundle
            variables["REQUESTS_CA_BUNDLE"] = bundle
            variables["NODE_EXTRA_CA_CERTS"] = variables["MOCK_APNS_CA_FILE"]
        }
        return variables
    }
}

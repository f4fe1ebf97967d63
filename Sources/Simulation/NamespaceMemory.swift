/// What a connection remembers for choosing the namespaces of its requests.
package struct NamespaceMemory: Sendable {
    /// The name in front of `.apns.localhost` in the server name of the handshake, in lower case.
    let serverNameLabel: String?
    /// The serial number of the client certificate, which then decides in the place of a provider token.
    let certificateSerial: String?
    /// The provider token that was read last, and the key it names.
    var authorization: [UInt8] = []
    var keyID: String?

    /// A connection with this server name and client certificate.
    package init(serverName: String?, certificateSerial: String? = nil) {
        self.certificateSerial = certificateSerial
        serverNameLabel = serverName.flatMap { Self.label(ofHost: $0) }
    }

    /// The name in front of `.apns.localhost`, in lower case; nil for other hosts.
    static func label(ofHost host: String) -> String? {
        let host = host.prefix { $0 != ":" }.lowercased()
        guard host.hasSuffix(Namespace.hostSuffix) else { return nil }
        return String(host.dropLast(Namespace.hostSuffix.count))
    }
}

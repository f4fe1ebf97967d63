/// The two worlds of APNs; device tokens, keys and channels belong to one of them.
package enum Environment: String, Sendable, CaseIterable {
    case sandbox, production

    /// The environment that an Apple host name stands for, with or without a port; nil for other names.
    package init?(host: Span<UInt8>) {
        // Every name of the table begins so, and hardly any other host does.
        guard host.hasPrefix("api") else { return nil }
        var length = 0
        while length < host.count, host[length] != UInt8(ascii: ":") { length += 1 }
        let name = host.extracting(first: length)
        for (apple, environment) in Environment.appleHosts where name.isEqual(to: apple) {
            self = environment
            return
        }
        return nil
    }

    /// The same for a name that is text already, such as the server name of a handshake; the case of letters is ignored.
    package init?(hostName: String) {
        let bytes = Array(hostName.lowercased().utf8)
        self.init(host: bytes.span)
    }

    /// Apple's hosts for pushes, broadcasts and channel management.
    package static let appleHosts: [(StaticString, Environment)] = [
        ("api.push.apple.com", .production),
        ("api.sandbox.push.apple.com", .sandbox),
        ("api.development.push.apple.com", .sandbox),
        ("api-broadcast.push.apple.com", .production),
        ("api-broadcast.sandbox.push.apple.com", .sandbox),
        ("api-manage-broadcast.push.apple.com", .production),
        ("api-manage-broadcast.sandbox.push.apple.com", .sandbox),
    ]
}

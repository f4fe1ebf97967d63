package import APNs
package import EventLoop

/// Where APNs is spoken, and as which of its two environments.
package struct ListenAddress: Sendable, Equatable {
    package var address: SocketAddress
    package var environment: Environment
    /// How it is spoken.
    package var kind: ListenerKind

    /// An address of the sandbox with TLS, unless said otherwise.
    package init(_ address: SocketAddress, environment: Environment = .sandbox, kind: ListenerKind = .apns) {
        self.address = address
        self.environment = environment
        self.kind = kind
    }

    /// Reads the values of `--listen` and its like: addresses divided by commas, each with `,env=production` behind it where that is meant.
    /// For the listeners without TLS `off` alone is none.
    package static func list(
        _ values: [String], kind: ListenerKind = .apns
    ) throws(UsageError) -> [ListenAddress] {
        if kind != .apns, values == ["off"] { return [] }
        var result: [ListenAddress] = []
        for part in values.flatMap({ $0.split(separator: ",").map(String.init) }) {
            if part.hasPrefix("env=") {
                guard !result.isEmpty else {
                    throw UsageError(
                        "\"\(part)\" has no address before it; write 127.0.0.1:2197,\(part)")
                }
                result[result.count - 1].environment = try FlagValue.choice(String(part.dropFirst(4)))
            } else {
                result.append(ListenAddress(try FlagValue.address(part), kind: kind))
            }
        }
        if result.isEmpty {
            throw UsageError(
                "no address given; write 127.0.0.1:2197, or :0 for a free port")
        }
        return result
    }
}

extension FlagValue {
    /// An address to listen on.
    package static func address(_ text: String) throws(UsageError) -> SocketAddress {
        if let address = SocketAddress(text) { return address }
        throw UsageError(
            "\"\(text)\" is no address; write HOST:PORT with a numeric host (127.0.0.1:2197, [::1]:2197), :PORT, or unix:PATH"
        )
    }
}

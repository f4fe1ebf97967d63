import APNs
package import EventLoop
import JSON
import Simulation
package import TLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a server says about itself once every listener is bound.
package struct ReadyReport: Sendable {
    private let server: MockServer

    /// The report of a running server.
    package init(_ server: MockServer) {
        self.server = server
    }

    /// One line; log waiters look for `^mock-apns ready `.
    package var line: String {
        var fields = [
            ("apns", server.url(.apns) ?? "-"), ("admin", server.adminAddress?.url(scheme: "http") ?? "-"),
            ("h2c", server.url(.h2c) ?? "-"), ("http1", server.url(.http1) ?? "-"),
            ("ca", server.certificates.authorityFile),
        ]
        fields += [
            ("key", server.keyID ?? "-"), ("team", server.configuration.team),
            ("profile", server.configuration.simulation.profile.rawValue), ("seed", String(server.seed)),
            ("pid", String(getpid())),
        ]
        return "mock-apns ready " + fields.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// The same as one JSON object; its paths are absolute, since its reader may stand elsewhere.
    package var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        for kind in ListenerKind.allCases {
            writer.key(dynamic: kind.rawValue)
            write(server.address(kind), scheme: kind.scheme, to: &writer)
        }
        writer.key("admin")
        write(server.adminAddress?.url(scheme: "http"), to: &writer)
        let facts: [(String, String?)] = [
            ("caFile", TextFile.absolute(server.certificates.authorityFile)),
            ("keyFile", (server.certificates.announcedKey?.file).map(TextFile.absolute)), ("keyId", server.keyID),
            ("teamId", server.configuration.team), ("profile", server.configuration.simulation.profile.rawValue),
            ("instance", server.instance), ("version", Version.current),
        ]
        for (name, value) in facts {
            writer.key(dynamic: name)
            write(value, to: &writer)
        }
        writer.key("pid")
        writer.integer(getpid())
        writer.key("seed")
        writer.integer(server.seed)
        writer.key("listeners")
        writer.beginArray()
        for listener in server.listeners {
            writer.beginObject()
            writer.key("url")
            writer.string(listener.address.url(scheme: listener.kind.scheme))
            writer.key("kind")
            writer.string(listener.kind.rawValue)
            writer.key("environment")
            writer.string(listener.environment.rawValue)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Lines to paste, for a person who has just started the server.
    package var firstSteps: String {
        let url = server.address(.apns)?.local.url(scheme: "https") ?? "-"
        var text = "send a push:      mock-apns send --url \(url) --certs \(server.configuration.certificates)"
        text += " --to $(mock-apns token) --title Hello\n"
        text += "trust the CA:     export SSL_CERT_FILE=\(TextFile.absolute(server.certificates.authorityFile))"
        if let admin = server.adminAddress?.local.url(scheme: "http") {
            text +=
                server.configuration.hasPage
                ? "\nlook at it:       \(admin)/" : "\nsee what came:    curl \(admin)/v1/notifications"
        }
        return text
    }

    private func write(_ address: SocketAddress?, scheme: String, to writer: inout JSONWriter) {
        guard let address else { return writer.null() }
        writer.beginObject()
        writer.key("url")
        writer.string(address.url(scheme: scheme))
        if case .ip(let host, let port) = address {
            writer.key("host")
            writer.string(host)
            writer.key("port")
            writer.integer(port)
        }
        writer.endObject()
    }

    private func write(_ text: String?, to writer: inout JSONWriter) {
        if let text { writer.string(text) } else { writer.null() }
    }
}

extension MockServer {
    /// The id of the sender's key in the folder of certificates.
    package var keyID: String? { certificates.announcedKey?.keyID }

    /// The URL of the first listener of a kind; nil when there is none.
    package func url(_ kind: ListenerKind) -> String? {
        address(kind)?.url(scheme: kind.scheme)
    }
}

extension CertificateStore {
    /// The key that senders are told to sign with: the built-in one, or else the first that can sign.
    package var announcedKey: SenderKey? {
        let able = senderKeys.filter { $0.key.privateKey != nil }
        return able.first { $0.keyID == Self.builtInKeyID } ?? able.first
    }
}

extension SocketAddress {
    /// The address as a URL; of a Unix socket, as its path is written.
    package func url(scheme: String) -> String {
        switch self {
        case .ip: "\(scheme)://\(self)"
        case .unix: description
        }
    }

    /// The address under which this machine reaches a listener on all addresses.
    package var local: SocketAddress {
        switch self {
        case .ip("0.0.0.0", let port): .ip(host: "127.0.0.1", port: port)
        case .ip("::", let port): .ip(host: "::1", port: port)
        default: self
        }
    }
}

import APNs
import JSON
import Simulation
import TLS

/// How answers show namespaces.
struct NamespaceWriter: Sendable {
    /// How many device tokens are shown; GET /v1/devices lists all.
    static let devicesShown = 1000

    private let host: String
    private let preference: ContentPreference

    /// A writer for the guest of this call, who reaches the server under the name it has used.
    init(_ call: AdminCall) {
        host = call.request.header("host") ?? "127.0.0.1:2198"
        preference = call.preference
    }

    /// One namespace, with the private halves of the keys that were just made for it.
    func answer(_ namespace: Namespace, status: Int = 200, newKeys: [KeyStore.Key] = []) -> AdminResponse {
        if preference == .text {
            let pems = newKeys.compactMap { key in key.privateKey.map { KeyWriter.line(key) + "\n" + $0.pem } }
            return AdminResponse(status: status, text: lines([namespace]) + pems.joined())
        }
        var writer = JSONWriter()
        write(namespace, newKeys, to: &writer)
        return AdminResponse(status: status, .json, writer.bytes)
    }

    /// All of these.
    func list(_ namespaces: [Namespace]) -> AdminResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("items")
        writer.beginArray()
        for namespace in namespaces { write(namespace, [], to: &writer) }
        writer.endArray()
        writer.endObject()
        return AdminResponse(.json, writer.bytes)
    }

    /// A line each, for people.
    func lines(_ namespaces: [Namespace]) -> String {
        namespaces.map { namespace in
            let counts = namespace.simulator.journal.statistics
            var words = [namespace.name, base(namespace), namespace.simulator.configuration.profile.rawValue]
            words.append("\(counts.accepted) accepted, \(counts.rejected) refused")
            if let endpoint = namespace.endpoint {
                for (name, port) in Self.ports(endpoint) where port != nil { words.append("\(name) \(port ?? 0)") }
            }
            if !namespace.topics.isEmpty { words.append(namespace.topics.map(\.text).joined(separator: ",")) }
            return words.joined(separator: "  ") + "\n"
        }.joined()
    }

    private func base(_ namespace: Namespace) -> String {
        "http://\(host)/v1" + (namespace.name == Namespace.defaultName ? "" : "/ns/\(namespace.name)")
    }

    private func write(_ namespace: Namespace, _ newKeys: [KeyStore.Key], to writer: inout JSONWriter) {
        let simulator = namespace.simulator
        let statistics = simulator.journal.statistics
        writer.beginObject()
        writer.key("name")
        writer.string(namespace.name)
        writer.key("base")
        writer.string(base(namespace))
        writer.key("apns")
        write(namespace.endpoint, to: &writer)
        writer.key("hostName")
        writer.string(
            namespace.name == Namespace.defaultName ? nil : namespace.name.lowercased() + Namespace.hostSuffix)
        writer.key("profile")
        writer.string(simulator.configuration.profile.rawValue)
        writer.key("seed")
        writer.integer(namespace.seed)
        writer.key("topics")
        writer.beginArray()
        for topic in namespace.topics { writer.string(topic.text) }
        writer.endArray()
        if let key = newKeys.first {
            writer.key("key")
            KeyWriter.write(key, withPrivateKey: true, to: &writer)
        }
        writer.key("keyIds")
        writer.beginArray()
        for key in simulator.keys.all { writer.string(key.keyID) }
        writer.endArray()
        writer.key("devices")
        writer.beginArray()
        for device in simulator.devices.all.prefix(Self.devicesShown) { writer.string(device.token) }
        writer.endArray()
        writer.key("cursor")
        writer.integer(simulator.journal.cursor)
        writer.key("createdAt")
        if namespace.createdAt == 0 { writer.null() } else { writer.time(millisecondsSince1970: namespace.createdAt) }
        writer.key("expiresAt")
        if let end = namespace.expiresAt { writer.time(millisecondsSince1970: end) } else { writer.null() }
        let counts: [(StaticString, UInt64)] = [
            ("entries", UInt64(statistics.entries)), ("bytes", UInt64(statistics.bytes)),
            ("evicted", statistics.evicted), ("accepted", statistics.accepted), ("rejected", statistics.rejected),
            ("faulted", statistics.faulted), ("broken", statistics.broken), ("waiters", UInt64(statistics.followers)),
        ]
        writer.key("journal")
        writer.beginObject()
        for (name, count) in counts {
            writer.key(name)
            writer.integer(count)
        }
        writer.endObject()
        writer.endObject()
    }

    private func write(_ endpoint: Namespace.Endpoint?, to writer: inout JSONWriter) {
        guard let endpoint else { return writer.null() }
        writer.beginObject()
        writer.key("host")
        writer.string(endpoint.host)
        for (name, port) in Self.ports(endpoint) {
            writer.key(name)
            if let port { writer.integer(port) } else { writer.null() }
        }
        writer.endObject()
    }

    private static func ports(_ endpoint: Namespace.Endpoint) -> [(StaticString, UInt16?)] {
        [("port", endpoint.port), ("h2cPort", endpoint.h2cPort), ("http1Port", endpoint.http1Port)]
    }
}

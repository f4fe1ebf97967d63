package import APNs
package import Simulation

/// What can be written down of a namespace: the schema of the configuration file and of `/v1/state`.
package struct WorldState: Sendable {
    /// A namespace within the state of a server.
    package struct Named: Sendable {
        package var order: NamespaceOrder
        package var state: WorldState
    }

    package var profile: Profile?
    package var seed: UInt64?
    /// Whether device tokens that are not registered are accepted.
    package var acceptsUnknownDevices: Bool?
    /// Whether keys that are not registered are accepted.
    package var acceptsUnknownKeys: Bool?
    package var keys: [KeyStore.Key]?
    package var devices: [Device]?
    package var rules: [Rule]?
    package var apps: [AppFacts]?
    package var namespaces: [Named]?

    /// Nothing written down.
    package init() {}

    /// How much there is, in words: "1 key, 2 devices".
    package var words: String {
        let counts = [
            (keys?.count, "key"), (devices?.count, "device"), (rules?.count, "rule"), (apps?.count, "app"),
            (namespaces?.count, "namespace"),
        ]
        let words = counts.compactMap { count, noun in
            count.flatMap { $0 == 0 ? nil : "\($0) \(noun)\($0 == 1 ? "" : "s")" }
        }
        return words.isEmpty ? "no keys, devices, rules or namespaces" : words.joined(separator: ", ")
    }
}

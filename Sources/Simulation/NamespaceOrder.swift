package import APNs

/// What somebody wants a new namespace to be like; whatever is nil is as in the default namespace.
package struct NamespaceOrder: Sendable {
    package var name: String
    package var profile: Profile?
    package var seed: UInt64?
    /// Keys besides those of the server; a request signed with one of them belongs to the namespace.
    package var keys: [KeyStore.Key] = []
    /// Devices that it has from the beginning.
    package var devices: [Device] = []
    /// Rules that it has from the beginning.
    package var rules: [Rule] = []
    /// Apps that previews in it know.
    package var apps: [AppFacts] = []
    /// Whether unknown device tokens and keys are accepted.
    package var acceptsUnknownDevices: Bool?
    package var acceptsUnknownKeys: Bool?
    /// Topics that it claims, `*` standing for any characters.
    package var topics: [String] = []
    /// Milliseconds after which it ends by itself; nil for never.
    package var lifetimeMilliseconds: Int64?

    /// A namespace like the default one.
    package init(_ name: String) {
        self.name = name
    }
}

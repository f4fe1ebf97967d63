import APNs
import JSON
import Simulation
import TLS

/// Writes a state as JSON; what it writes, ``StateReader`` reads.
struct StateWriter {
    private let worlds: Worlds

    init(_ worlds: Worlds) {
        self.worlds = worlds
    }

    /// The state of a namespace; that of the default one holds the others.
    func json(_ namespace: Namespace) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(namespace, keys: namespace.simulator.keys.all, to: &writer)
        if namespace === worlds.main {
            writer.key("namespaces")
            writer.beginArray()
            for other in worlds.others {
                writer.beginObject()
                writer.key("name")
                writer.string(other.name)
                writer.key("topics")
                writer.beginArray()
                for topic in other.topics { writer.string(topic.text) }
                writer.endArray()
                // The server's keys are in every namespace; named as its own they would choose it.
                let own = other.simulator.keys.all.filter { other.owns(keyID: $0.keyID) }
                writeMembers(other, keys: own, to: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
        return writer.bytes
    }

    private func writeMembers(_ namespace: Namespace, keys: [KeyStore.Key], to writer: inout JSONWriter) {
        let simulator = namespace.simulator
        writer.key("profile")
        writer.string(simulator.configuration.profile.rawValue)
        writer.key("seed")
        writer.integer(namespace.seed)
        writer.key("unknownDevices")
        writer.string(simulator.configuration.acceptsUnknownDevices ? "accept" : "reject")
        writer.key("unknownKeys")
        writer.string(simulator.configuration.acceptsUnknownKeys ? "accept" : "reject")
        writer.key("keys")
        writer.beginArray()
        for key in keys { write(key, to: &writer) }
        writer.endArray()
        writer.key("devices")
        writer.beginArray()
        for device in simulator.devices.all { DeviceWriter.writeState(device, to: &writer) }
        writer.endArray()
        writer.key("rules")
        writer.beginArray()
        for rule in simulator.script.rules(now: simulator.clock.now().server) where rule.origin == .rules {
            RuleWriter.write(rule, to: &writer)
        }
        writer.endArray()
        writer.key("apps")
        writer.beginObject()
        for app in simulator.apps.all {
            writer.key(dynamic: app.bundleID)
            writer.beginObject()
            for (name, value) in [("name", app.name), ("icon", app.icon), ("strings", app.strings)] {
                guard let value else { continue }
                writer.key(dynamic: name)
                writer.string(value)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    private func write(_ key: KeyStore.Key, to writer: inout JSONWriter) {
        writer.beginObject()
        KeyWriter.writeScope(key, to: &writer)
        if let related = key.relatedKeyID {
            writer.key("relatedKeyId")
            writer.string(related)
        }
        if key.isRevoked {
            writer.key("revoked")
            writer.boolean(true)
        }
        if let privateKey = key.privateKey {
            writer.key("p8")
            writer.string(privateKey.pem)
        } else {
            writer.key("publicKey")
            writer.string(try? key.key.pem())
        }
        writer.endObject()
    }
}

import APNs
import JSON
import Simulation
import TLS

/// How answers show a key.
enum KeyWriter {
    /// The key as an object; its private half only for whoever has just made it.
    static func write(_ key: KeyStore.Key, withPrivateKey: Bool = false, to writer: inout JSONWriter) {
        writer.beginObject()
        writeScope(key, to: &writer)
        writer.key("relatedKeyId")
        writer.string(key.relatedKeyID)
        writer.key("revoked")
        writer.boolean(key.isRevoked)
        writer.key("publicKey")
        writer.string(try? key.key.pem())
        writer.key("hasPrivateKey")
        writer.boolean(key.privateKey != nil)
        if withPrivateKey, let privateKey = key.privateKey {
            writer.key("p8")
            writer.string(privateKey.pem)
        }
        writer.endObject()
    }

    /// Adds the members that say whose the key is and what it covers.
    static func writeScope(_ key: KeyStore.Key, to writer: inout JSONWriter) {
        writer.key("keyId")
        writer.string(key.keyID)
        writer.key("teamId")
        writer.string(key.teamID)
        writer.key("topics")
        writer.beginArray()
        for topic in key.topics { writer.string(topic) }
        writer.endArray()
        writer.key("environments")
        writer.beginArray()
        for environment in Environment.allCases where key.environments.contains(environment) {
            writer.string(environment.rawValue)
        }
        writer.endArray()
    }

    /// The key in a line for people.
    static func line(_ key: KeyStore.Key) -> String {
        let environments = Environment.allCases.filter(key.environments.contains).map(\.rawValue)
        var words = ["\(key.keyID)  \(key.teamID)", environments.joined(separator: ",")]
        words.append(key.topics.isEmpty ? "all topics" : key.topics.joined(separator: ","))
        if let related = key.relatedKeyID { words.append("related to \(related)") }
        if key.privateKey == nil { words.append("public half only") }
        if key.isRevoked { words.append("REVOKED") }
        return words.joined(separator: "  ")
    }
}

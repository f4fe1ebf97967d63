import HTTP

/// Where a rule's counter lives: one for all requests, or one for each device, topic, connection, apns-id or key.
package enum RuleScope: String, Sendable, CaseIterable {
    case all, device, topic, connection, apnsId, key

    /// What tells the counters apart, as a number that is the same in every run.
    func key(of entry: JournalEntry) -> UInt64 {
        let content = entry.content
        switch self {
        case .all: return 0
        case .device:
            if let device = content.device {
                return ScriptHash.hash(content.request.storage[device].lazy.map(\.lowercasedASCII))
            }
            return ScriptHash.hash((content.channelRequest?.channel ?? "").utf8)
        case .topic:
            let place = content.channelRequest?.bundleID ?? content.topic
            return place.map { ScriptHash.hash(content.request.storage[$0]) }
                ?? ScriptHash.hash((content.defaultTopic ?? "").utf8)
        case .connection: return content.connection.value.id
        case .apnsId:
            return content.apnsID.map { ScriptHash.hash($0.description.utf8.lazy.map(\.lowercasedASCII)) } ?? 0
        case .key:
            let sender = content.authentication
            return ScriptHash.hash((sender.keyID ?? sender.certificate ?? "").utf8)
        }
    }
}

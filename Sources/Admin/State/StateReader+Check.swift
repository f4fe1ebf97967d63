import APNs
import Simulation

extension StateReader {
    /// What stands twice, or is too much, would be lost without a word.
    func check(_ state: WorldState) throws(Problem) {
        try check(StateFields.keys, state.keys?.map(\.keyID), limit: KeyStore.limit)
        try check(StateFields.devices, state.devices?.map(\.token), limit: DeviceStore.limit)
        try check(StateFields.rules, state.rules?.map(\.id), limit: Script.ruleLimit)
        try check(StateFields.namespaces, state.namespaces?.map(\.order.name), limit: Worlds.limit - 1)
        var owners: [String: String] = [:]
        for named in state.namespaces ?? [] {
            for topic in named.order.topics {
                if let owner = owners[topic], owner != named.order.name {
                    throw NamespaceResource.conflict(.topicClaimed(topic, by: owner), named.order.name)
                }
                owners[topic] = named.order.name
            }
        }
    }

    /// Refuses names of which one stands twice, and too many of them.
    private func check(_ field: Parameter, _ names: [String]?, limit: Int) throws(Problem) {
        guard let names else { return }
        guard names.count <= limit else {
            throw Problem(
                .conflict, "The member \(quoted(field.name)) has \(names.count) elements; expected at most \(limit).")
        }
        var seen = Set<String>()
        for name in names where !seen.insert(name).inserted {
            throw Problem(.conflict, "The member \(quoted(field.name)) has \(quoted(name)) twice; expected each once.")
        }
    }
}

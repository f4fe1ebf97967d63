import Server

/// Which entries are meant, as flags.
protocol FiltersEntries: AsksServer {
    var query: Query { get set }
}

extension FiltersEntries {
    /// The filters; each becomes a parameter of the admin API. Repeated values and values with commas mean any of them.
    static var filterFlags: FlagGroup<Self> {
        var flags = filters.map { name, parameter, valueName, help in
            Flag<Self>.list(name, valueName, help) { settings, values in
                settings.query.add(parameter, values.joined(separator: ","))
            }.withoutVariable
        }
        flags.append(
            .list("where", "PATH=VALUE", "a value in the payload: aps.alert.title=Shipped*, payload.order.id=42") {
                (settings, values) throws(UsageError) in
                for value in values { try settings.addCondition(value) }
            }.withoutVariable)
        return FlagGroup("Filters (all must hold; * stands for any characters)", flags)
    }

    /// Flag, parameter, name of the value, help.
    private static var filters: [(String, String, String, String)] {
        [
            ("device", "device", "TOKEN", "the device token"),
            ("topic", "topic", "TOPIC", "apns-topic"),
            ("type", "type", "TYPE", "apns-push-type"),
            ("priority", "priority", "N", "apns-priority"),
            ("kind", "kind", "KIND", "device or broadcast; in `list` also channels: requests that manage them"),
            ("channel", "channel", "ID", "the channel of a broadcast"),
            ("collapse-id", "collapseId", "ID", "apns-collapse-id"),
            ("apns-id", "apnsId", "UUID", "apns-id"),
            ("env", "env", "NAME", "sandbox or production"),
            ("key-id", "keyId", "ID", "the key of the provider token"),
            ("team-id", "teamId", "ID", "the team of the provider token"),
            ("conn", "conn", "ID", "the connection: c7"),
            ("finding", "finding", "CODE", "a finding of the request or of the sender's conduct: L004, error, warning"),
            ("since", "since", "TIME", "not before this time, or so long ago: 30s"),
            ("until", "until", "TIME", "not after this time"),
        ]
    }

    private mutating func addCondition(_ text: String) throws(UsageError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw UsageError("\"\(text)\" is not PATH=VALUE, as in aps.alert.title=Shipped*")
        }
        let path = text[..<equals]
        guard path.hasPrefix("aps.") || path.hasPrefix("payload.") else {
            throw UsageError(
                "\"\(path)\" begins neither with aps. nor with payload.; write payload.\(path) for a custom key")
        }
        query.add(String(path), String(text[text.index(after: equals)...]))
    }

    /// The filters that only entries of the whole log have.
    static var outcomeFlags: FlagGroup<Self> {
        FlagGroup(
            "Outcome",
            [
                .list("outcome", "NAME", "accepted, rejected, faulted or broken") {
                    $0.query.add("outcome", $1.joined(separator: ","))
                }.withoutVariable,
                .list("status", "N", "the status of the answer") {
                    $0.query.add("status", $1.joined(separator: ","))
                }.withoutVariable,
                .list("reason", "NAME", "Apple's reason of the answer") {
                    $0.query.add("reason", $1.joined(separator: ","))
                }.withoutVariable,
            ])
    }
}

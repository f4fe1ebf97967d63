/// The orders of checks of the requests that are not device pushes, as data (docs/fidelity.md, "Order of checks").
extension Check {
    /// The order for a device push: the order of the cases.
    package static let deviceOrder: [Check] = allCases.filter { $0 <= .serviceAvailable && $0 != .script }

    /// The order for a broadcast: authentication, then the app, then the channel, then the message.
    package static let broadcastOrder: [Check] =
        appOrder + [
            .channelPresent, .channelForm, .pushTypePresent, .pushType, .expiration, .priority, .payloadPresent,
            .payloadSize, .payload, .channelKnown, .channelStorage, .payloadKeys, .serviceAvailable,
        ]

    /// The order for a request that creates a channel.
    package static let creationOrder: [Check] =
        appOrder + [
            .payloadPresent, .payloadSize, .payload, .bodyMembers, .storagePolicy, .channelTypePresent, .channelType,
            .channelLimit, .serviceAvailable,
        ]

    /// The order for a request that reads or deletes a channel.
    package static let channelOrder: [Check] =
        appOrder + [.channelPresent, .channelForm, .channelKnown, .serviceAvailable]

    /// The order for a request that lists channels, and for one of no known method.
    package static let listOrder: [Check] = appOrder + [.serviceAvailable]

    /// What broadcasts and channel management have in common: path, sender, app and ids.
    private static let appOrder: [Check] =
        [.method, .path] + allCases.filter { identityChecks.contains($0) }
        + [.duplicateHeaders, .topicForm, .topicAllowed, .featureEnabled, .apnsID]
}

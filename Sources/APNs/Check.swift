/// Every check in the order in which APNs is held to make them; the first failure is the answer.
///
/// The order of the cases **is** the order of checks of a device push (docs/fidelity.md, "Order of checks"). Broadcasts and
/// channel management share many of them and have orders of their own, in `Check+Orders.swift`.
package enum Check: UInt8, Sendable, CaseIterable, Comparable {
    case method, path
    case certificate, certificateEnvironment
    case authorizationPresent, tokenForm, tokenKey, tokenSignature, tokenTeam, keyEnvironment, relatedKey
    case tokenAge, tokenRefresh
    case duplicateHeaders, deviceTokenPresent, apnsID, expiration, priority, collapseID, pushType
    case payloadPresent, payloadSize
    case deviceToken, topicPresent, topicForm, topicAllowed, pushTypeTopic, deviceTopic, deviceActive, deviceRate
    /// Not Apple's: a script refuses the push.
    case script
    /// Not Apple's for a device push, whose endpoint is not known to read JSON: hence behind all that is.
    case payload
    case serviceAvailable
    // Of broadcasts and channels only.
    case featureEnabled, channelPresent, channelForm, pushTypePresent, channelKnown, channelStorage
    case bodyMembers, storagePolicy, channelTypePresent, channelType, channelLimit
    /// Not Apple's: that a payload which is JSON also agrees with the key tables.
    case payloadKeys

    /// The stable name in log entries: "jwt.age".
    package var name: StaticString {
        switch self {
        case .method: "method"
        case .path: "path"
        case .certificate: "certificate"
        case .certificateEnvironment: "certificate.environment"
        case .authorizationPresent: "authorization.present"
        case .tokenForm: "jwt.form"
        case .tokenKey: "jwt.key"
        case .tokenSignature: "jwt.signature"
        case .tokenTeam: "jwt.team"
        case .keyEnvironment: "jwt.environment"
        case .relatedKey: "jwt.relatedKey"
        case .tokenAge: "jwt.age"
        case .tokenRefresh: "jwt.refresh"
        case .duplicateHeaders: "headers.duplicate"
        case .deviceTokenPresent: "device.present"
        case .apnsID: "apns-id"
        case .expiration: "apns-expiration"
        case .priority: "apns-priority"
        case .collapseID: "apns-collapse-id"
        case .pushType: "apns-push-type"
        case .payloadPresent: "payload.present"
        case .payloadSize: "payload.size"
        case .deviceToken: "device"
        case .topicPresent: "topic.present"
        case .topicForm: "topic.form"
        case .topicAllowed: "topic.allowed"
        case .pushTypeTopic: "topic.pushType"
        case .deviceTopic: "device.topic"
        case .deviceActive: "device.active"
        case .deviceRate: "device.rate"
        case .script: "script"
        case .payload: "payload"
        case .serviceAvailable: "service"
        case .featureEnabled: "broadcast.enabled"
        case .channelPresent: "channel.present"
        case .channelForm: "channel.form"
        case .pushTypePresent: "apns-push-type.present"
        case .channelKnown: "channel"
        case .channelStorage: "channel.storage"
        case .bodyMembers: "body.members"
        case .storagePolicy: "body.message-storage-policy"
        case .channelTypePresent: "body.push-type.present"
        case .channelType: "body.push-type"
        case .channelLimit: "channels.limit"
        case .payloadKeys: "payload.keys"
        }
    }

    package static func < (left: Check, right: Check) -> Bool { left.rawValue < right.rawValue }

    /// The checks that prove who the sender is by a provider token.
    package static let tokenChecks: ClosedRange<Check> = .authorizationPresent ... .tokenRefresh
    /// The checks that prove who the sender is by a client certificate.
    package static let certificateChecks: ClosedRange<Check> = .certificate ... .certificateEnvironment
    /// The checks of a sender's identity, by whatever means.
    package static let identityChecks: ClosedRange<Check> = .certificate ... .tokenRefresh
}

import APNs
import HTTP

/// Which checks cannot be made after others failed, since what they look at is missing or unreadable.
extension Check {
    /// The checks of the members of a body that creates a channel.
    static let memberChecks: [Check] = [.bodyMembers, .storagePolicy, .channelTypePresent, .channelType]

    /// The checks that this one, when it fails, leaves nothing to look at for.
    var preventedChecks: [Check] {
        switch self {
        case .path: Check.allCases.filter { $0 > .tokenRefresh && $0 != .serviceAvailable }
        case .authorizationPresent, .tokenForm:
            Check.allCases.filter { $0 > self && $0 <= .tokenRefresh } + [.topicAllowed]
        case .tokenKey: [.tokenSignature, .keyEnvironment, .topicAllowed]
        case .deviceTokenPresent: [.deviceToken, .deviceTopic, .deviceActive, .deviceRate]
        case .deviceToken: [.deviceTopic, .deviceActive, .deviceRate]
        case .pushType: [.pushTypeTopic]
        case .payloadPresent: [.payloadSize, .payload, .payloadKeys] + Check.memberChecks
        case .payload: [.payloadKeys] + Check.memberChecks
        case .channelPresent, .channelForm: [.channelForm, .channelKnown, .channelStorage]
        case .channelKnown, .expiration: [.channelStorage]
        case .pushTypePresent: [.pushType]
        case .channelTypePresent: [.channelType]
        case .topicPresent: [.topicForm, .topicAllowed, .pushTypeTopic, .deviceTopic]
        default: []
        }
    }
}

extension JournalEntry.Content {
    /// The checks that were not made: those that another failure left nothing to look at for, and those of the way in which
    /// the sender did not prove who it is.
    var unmadeChecks: CheckSet {
        var unmade = unmade
        for failure in failures {
            for check in failure.check.preventedChecks { unmade.insert(check) }
        }
        if request.droppedBodyBytes > 0 {
            for check in [.payload, .payloadKeys] + Check.memberChecks { unmade.insert(check) }
        }
        let isByCertificate = authentication.certificate != nil
        let otherWay = isByCertificate ? Check.tokenChecks : Check.certificateChecks
        for check in Check.allCases where otherWay.contains(check) { unmade.insert(check) }
        return unmade
    }
}

/// What APNs says when it refuses: the words of Apple's tables, spelt as on the wire.
///
/// ``row`` holds what is known of each: status, body, meaning, usual cause and fix.
package enum Reason: UInt8, Sendable, CaseIterable {
    // A request as such.
    case badPath, methodNotAllowed
    // Who the sender is.
    case badCertificate, badCertificateEnvironment, missingProviderToken, invalidProviderToken, expiredProviderToken
    case badEnvironmentKeyInToken, unrelatedKeyIDInToken, forbidden, tooManyProviderTokenUpdates
    // Headers.
    case duplicateHeaders, badMessageID, badExpirationDate, badPriority, invalidCollapseID, invalidPushType
    case missingTopic, badTopic, topicDisallowed
    // Payload.
    case payloadEmpty, payloadTooLarge, badRequestPayload
    // Devices.
    case missingDeviceToken, badDeviceToken, deviceTokenNotForTopic, unregistered, expiredToken, tooManyRequests
    // Broadcasts and channels.
    case topicMismatch, broadcastFeatureNotEnabled, missingChannelID, badChannelID, channelNotRegistered
    case missingPushType, badRequestParams, missingChannelQueueSize, cannotCreateChannelConfig
    // The service.
    case idleTimeout, internalServerError, serviceUnavailable, shutdown

    /// The reason of this spelling, on the wire or in Apple's tables.
    package init?(wire spelling: some StringProtocol) {
        let found = Reason.allCases.first {
            spelling == $0.row.spelling.description || spelling == $0.row.documentedSpelling.description
        }
        guard let found else { return nil }
        self = found
    }

    /// The status that goes with the reason.
    package var status: UInt16 { row.status }

    /// The word to send: as on the wire, or as in Apple's tables.
    package func spelling(documented: Bool = false) -> StaticString {
        documented ? row.documentedSpelling : row.spelling
    }

    /// The body to send, compact and without a newline.
    package func body(documented: Bool = false) -> StaticString {
        documented ? row.documentedBody : row.body
    }

    /// The body of a 410: the reason and the milliseconds since 1970 when the token was found to be gone.
    package func body(timestamp: Int64) -> [UInt8] {
        Array("{\"reason\":\"\(row.spelling)\",\"timestamp\":\(timestamp)}".utf8)
    }
}

/// Every reason, one row each. The compiler sees to it that none is missing.
extension Reason {
    /// What is known of the reason.
    package var row: ReasonRow {
        switch self {

        // MARK: A request as such

        case .badPath:
            ReasonRow(
                "BadPath", 404, #"{"reason":"BadPath"}"#, in: [.device, .broadcast, .channels],
                meaning: "The :path of the request is none that APNs knows.",
                cause: "A misspelt path, a query string, or a channel that does not exist any more.",
                fix: "Send device pushes to /3/device/<device token>, without a query, an escape or a second slash.")
        case .methodNotAllowed:
            ReasonRow(
                "MethodNotAllowed", 405, #"{"reason":"MethodNotAllowed"}"#, in: [.device, .broadcast, .channels],
                meaning: "The :method of the request is not the one of its path.",
                cause: "A GET or PUT where POST is expected.",
                fix: "Send pushes with POST.")

        // MARK: Who the sender is

        case .badCertificate:
            ReasonRow(
                "BadCertificate", 403, #"{"reason":"BadCertificate"}"#,
                in: [.device, .broadcast, .channels, .connection],
                meaning: "The client certificate is not valid.",
                cause: "A certificate that has ended, was revoked, or was not issued by the authority that is trusted.",
                fix: "Use a current certificate, or none at all together with a provider token.")
        case .badCertificateEnvironment:
            ReasonRow(
                "BadCertificateEnvironment", 403, #"{"reason":"BadCertificateEnvironment"}"#,
                in: [.device, .broadcast, .channels, .connection],
                meaning: "The client certificate is for the other environment.",
                cause: "A development certificate at the production host, or the reverse.",
                fix: "Use the host of the certificate's environment, or a certificate for both.")
        case .missingProviderToken:
            ReasonRow(
                "MissingProviderToken", 403, #"{"reason":"MissingProviderToken"}"#,
                in: [.device, .broadcast, .channels],
                meaning: "There is neither a client certificate nor a provider token.",
                cause: "No authorization header, or one that is not \"bearer <token>\".",
                fix: "Send the header authorization: bearer <provider token> with every request.")
        case .invalidProviderToken:
            ReasonRow(
                "InvalidProviderToken", 403, #"{"reason":"InvalidProviderToken"}"#,
                in: [.device, .broadcast, .channels],
                meaning: "The provider token is malformed, or its signature, key or team is wrong.",
                cause: "A key id or team id that does not belong to the .p8 file that signed the token.",
                fix: "Check the key id (kid), the team id (iss) and the .p8 file against each other.")
        case .expiredProviderToken:
            ReasonRow(
                "ExpiredProviderToken", 403, #"{"reason":"ExpiredProviderToken"}"#,
                in: [.device, .broadcast, .channels],
                meaning: "The provider token was issued more than an hour ago.",
                cause: "A token that is kept for longer than an hour, or a clock that is slow.",
                fix: "Refresh the token between every 20 and 60 minutes and reuse it for all requests in between.")
        case .badEnvironmentKeyInToken:
            ReasonRow(
                "BadEnvironmentKeyInToken", documented: "BadEnvironmentKeyIdInToken", 403,
                #"{"reason":"BadEnvironmentKeyInToken"}"#,
                documentedBody: #"{"reason":"BadEnvironmentKeyIdInToken"}"#, in: [.device, .broadcast, .channels],
                meaning: "The key that signed the provider token is for the other environment.",
                cause: "A sandbox key at the production host, or the reverse.",
                fix: "Use the host of the key's environment, or a key of this one.")
        case .unrelatedKeyIDInToken:
            ReasonRow(
                "UnrelatedKeyIdInToken", 403, #"{"reason":"UnrelatedKeyIdInToken"}"#,
                in: [.device, .broadcast, .channels],
                meaning: "The key is neither the one of the first push on this connection nor related to it.",
                cause: "Two keys used on one connection.",
                fix: "Open a connection of its own for each key.")
        case .forbidden:
            ReasonRow(
                "Forbidden", 403, #"{"reason":"Forbidden"}"#, in: [.device], retry: .never,
                meaning: "The action is not allowed.",
                cause: "Apple does not say; this server answers so only when it is told to.",
                fix: "Do not send this notification again.")
        case .tooManyProviderTokenUpdates:
            ReasonRow(
                "TooManyProviderTokenUpdates", 429, #"{"reason":"TooManyProviderTokenUpdates"}"#,
                in: [.device, .broadcast, .channels], retry: .later,
                meaning: "The provider token changes too often on this connection.",
                cause: "A token made for every request, or several workers with tokens of their own on one connection.",
                fix: "Make one token, reuse it for all requests, and renew it no more often than every 20 minutes.")

        // MARK: Headers

        case .duplicateHeaders:
            ReasonRow(
                "DuplicateHeaders", 400, #"{"reason":"DuplicateHeaders"}"#, in: [.device, .broadcast, .channels],
                meaning: "A header field that APNs reads occurs more than once.",
                cause: "A default header of the client library repeated for the request.",
                fix: "Send each apns- header and authorization once.")
        case .badMessageID:
            ReasonRow(
                "BadMessageId", 400, #"{"reason":"BadMessageId"}"#, in: [.device, .broadcast, .channels],
                meaning: "The apns-id is not a UUID.",
                cause: "A number or an id of another form.",
                fix:
                    "Send 32 hexadecimal digits in the form 8-4-4-4-12, or leave the header out and read it from the answer."
            )
        case .badExpirationDate:
            ReasonRow(
                "BadExpirationDate", 400, #"{"reason":"BadExpirationDate"}"#, in: [.device, .broadcast],
                meaning: "The apns-expiration is not acceptable.",
                cause: "A date as text, a fraction, or a broadcast without the header.",
                fix: "Send whole seconds since 1970 (UTC), or 0 for a single attempt.")
        case .badPriority:
            ReasonRow(
                "BadPriority", 400, #"{"reason":"BadPriority"}"#, in: [.device, .broadcast],
                meaning: "The apns-priority is not one that exists.",
                cause: "A number other than 10, 5 or 1, or a word such as high.",
                fix: "Send 10 (at once), 5 (with regard to the battery) or 1 (never wakes the device).")
        case .invalidCollapseID:
            ReasonRow(
                "InvalidCollapseId", documented: "BadCollapseId", 400, #"{"reason":"InvalidCollapseId"}"#,
                documentedBody: #"{"reason":"BadCollapseId"}"#, in: [.device],
                meaning: "The apns-collapse-id is empty or longer than 64 bytes.",
                cause: "An id put together from several parts, or counted in characters instead of bytes.",
                fix: "Send 1 to 64 bytes, for instance a hash of the longer id.")
        case .invalidPushType:
            ReasonRow(
                "InvalidPushType", 400, #"{"reason":"InvalidPushType"}"#, in: [.device, .broadcast, .channels],
                meaning: "The apns-push-type is unknown, or it contradicts the topic.",
                cause: "A misspelt or capitalised type, or type alert with a topic that ends in .voip.",
                fix: "Send one of Apple's push types in lower case, together with the topic that belongs to it.")
        case .missingTopic:
            ReasonRow(
                "MissingTopic", 400, #"{"reason":"MissingTopic"}"#, in: [.device],
                meaning: "There is no apns-topic where one is needed.",
                cause: "Token authentication, or a certificate with several topics, without the header.",
                fix: "Send apns-topic: <bundle id>, with the suffix of the push type.")
        case .badTopic:
            ReasonRow(
                "BadTopic", 400, #"{"reason":"BadTopic"}"#, in: [.device],
                meaning: "The apns-topic is not valid.",
                cause: "Apple does not say; malformed topics were seen to be answered TopicDisallowed.",
                fix: "Send the bundle id of the app, with the suffix of the push type.")
        case .topicDisallowed:
            ReasonRow(
                "TopicDisallowed", 400, #"{"reason":"TopicDisallowed"}"#, in: [.device, .broadcast, .channels],
                meaning: "This key or certificate must not push to this topic.",
                cause:
                    "Another team's bundle id, a key limited to other topics, or a certificate without this push type.",
                fix: "Use a key or certificate of the topic's team that covers the topic.")

        // MARK: Payload

        case .payloadEmpty:
            ReasonRow(
                "PayloadEmpty", 400, #"{"reason":"PayloadEmpty"}"#, in: [.device, .broadcast, .channels],
                meaning: "The request has no body.",
                cause: "END_STREAM on the HEADERS frame, or an encoder that produced nothing.",
                fix: "Send a JSON object; {} is the smallest.")
        case .payloadTooLarge:
            ReasonRow(
                "PayloadTooLarge", 413, #"{"reason":"PayloadTooLarge"}"#, in: [.device, .broadcast, .channels],
                retry: .never,
                meaning: "The body is larger than the limit of its push type.",
                cause: "Long texts or custom data in the payload.",
                fix: "Shorten the payload to 4096 bytes (5120 for voip and broadcasts); let the app fetch the rest.")
        case .badRequestPayload:
            ReasonRow(
                "BadRequestPayload", 400, #"{"reason":"BadRequestPayload"}"#, in: [.broadcast, .channels],
                meaning: "The body is not what the request needs.",
                cause: "Malformed JSON, or a payload that breaks Apple's key tables.",
                fix: "Mend the payload as the findings of the entry say.",
                source: ApplePage.broadcastErrors)

        // MARK: Devices

        case .missingDeviceToken:
            ReasonRow(
                "MissingDeviceToken", 400, #"{"reason":"MissingDeviceToken"}"#, in: [.device],
                meaning: "The path ends where the device token should be.",
                cause: "An empty token in the sender's database.",
                fix: "Send to /3/device/<device token>.")
        case .badDeviceToken:
            ReasonRow(
                "BadDeviceToken", 400, #"{"reason":"BadDeviceToken"}"#, in: [.device], retry: .never,
                meaning: "The device token is not one that this environment knows.",
                cause: "A sandbox token at the production host or the reverse, or a token that was cut or re-encoded.",
                fix: "Send the token as the app received it, in hexadecimal, to the host of the app's environment.")
        case .deviceTokenNotForTopic:
            ReasonRow(
                "DeviceTokenNotForTopic", 400, #"{"reason":"DeviceTokenNotForTopic"}"#, in: [.device],
                retry: .never,
                meaning: "The device token belongs to another topic.",
                cause: "The token of another app, or of another kind such as VoIP or a Live Activity.",
                fix: "Send to the topic for which the app received the token, suffix included.")
        case .unregistered:
            ReasonRow(
                "Unregistered", 410, #"{"reason":"Unregistered"}"#, in: [.device], retry: .never,
                meaning: "The device token is no longer active for the topic.",
                cause: "The app was removed, or the token was replaced.",
                fix: "Stop sending to this token until the app registers it again after the timestamp.")
        case .expiredToken:
            ReasonRow(
                "ExpiredToken", 410, #"{"reason":"ExpiredToken"}"#, in: [.device], retry: .never,
                meaning: "The device token has expired.",
                cause: "A token that was not used for long; seen for update tokens of Live Activities two months old.",
                fix: "Stop sending to this token until the app registers it again after the timestamp.")
        case .tooManyRequests:
            ReasonRow(
                "TooManyRequests", 429, #"{"reason":"TooManyRequests"}"#, in: [.device, .broadcast, .channels],
                retry: .later,
                meaning: "Too many requests in a row for one device token; for broadcasts and channels: throttled.",
                cause: "A loop that sends to one device or channel, or updates that could be one.",
                fix: "Send less often to this device or channel, combine updates, and try again later.")

        // MARK: Broadcasts and channels

        case .topicMismatch:
            ReasonRow(
                "TopicMismatch", 403, #"{"reason":"TopicMismatch"}"#, in: [.broadcast, .channels],
                meaning: "The bundle id of the path is none of the key's or certificate's.",
                cause: "Another team's bundle id, or a key limited to other topics.",
                fix: "Use a key or certificate that covers the bundle id of the path.",
                source: ApplePage.broadcastErrors)
        case .broadcastFeatureNotEnabled:
            ReasonRow(
                "BroadcastFeatureNotEnabled", documented: "FeatureNotEnabled", 400,
                #"{"reason":"BroadcastFeatureNotEnabled"}"#, documentedBody: #"{"reason":"FeatureNotEnabled"}"#,
                in: [.broadcast, .channels],
                meaning: "The app may not use broadcasts.",
                cause: "The broadcast capability is off for the App ID.",
                fix: "Switch on the broadcast capability of the App ID.",
                source: ApplePage.broadcastErrors)
        case .missingChannelID:
            ReasonRow(
                "MissingChannelId", 400, #"{"reason":"MissingChannelId"}"#, in: [.broadcast, .channels],
                meaning: "There is no apns-channel-id where one is needed.",
                cause: "A broadcast, or a request to read or delete a channel, without the header.",
                fix: "Send apns-channel-id with the id that came back when the channel was made.",
                source: ApplePage.broadcastErrors)
        case .badChannelID:
            ReasonRow(
                "BadChannelId", 400, #"{"reason":"BadChannelId"}"#, in: [.broadcast, .channels],
                meaning: "The apns-channel-id is badly encoded or too long, or was never one of this app.",
                cause: "An id in another encoding, cut off, of another app, or of the other environment.",
                fix: "Send the id exactly as it came back when the channel was made.",
                source: ApplePage.broadcastErrors)
        case .channelNotRegistered:
            ReasonRow(
                "ChannelNotRegistered", 400, #"{"reason":"ChannelNotRegistered"}"#, in: [.broadcast, .channels],
                meaning: "The channel does not exist.",
                cause: "The channel was deleted; by Apple's table also an id that never was.",
                fix: "Make a new channel and subscribe the devices to it.",
                source: ApplePage.broadcastErrors)
        case .missingPushType:
            ReasonRow(
                "MissingPushType", 400, #"{"reason":"MissingPushType"}"#, in: [.broadcast, .channels],
                meaning: "The push type is missing.",
                cause: "A broadcast without apns-push-type, or a channel without push-type.",
                fix: "Send apns-push-type: liveactivity, or \"push-type\":\"LiveActivity\" to make a channel.",
                source: ApplePage.broadcastErrors)
        case .badRequestParams:
            ReasonRow(
                "BadRequestParams", 400, #"{"reason":"BadRequestParams"}"#, in: [.channels],
                meaning: "The body has a member that is not known.",
                cause: "A misspelt member.",
                fix: "Send message-storage-policy and push-type only.",
                source: ApplePage.broadcastErrors)
        case .missingChannelQueueSize:
            ReasonRow(
                "MissingChannelQueueSize", 400, #"{"reason":"MissingChannelQueueSize"}"#, in: [.channels],
                meaning: "The storage policy of the channel is missing or not valid.",
                cause: "No message-storage-policy, or a value other than 0 and 1.",
                fix: "Send \"message-storage-policy\":0 (store nothing) or 1 (store the most recent message).",
                source: ApplePage.channels)
        case .cannotCreateChannelConfig:
            ReasonRow(
                "CannotCreateChannelConfig", 400, #"{"reason":"CannotCreateChannelConfig"}"#, in: [.channels],
                meaning: "The app has as many channels as it may have.",
                cause: "10,000 channels of one app in one environment.",
                fix: "Delete channels that are no longer used.",
                source: ApplePage.broadcastErrors)

        // MARK: The service

        case .idleTimeout:
            ReasonRow(
                "IdleTimeout", 400, #"{"reason":"IdleTimeout"}"#, in: [.device, .connection], retry: .later,
                meaning: "The connection was idle for too long.",
                cause: "No request for a long time.",
                fix: "Open a new connection when there is something to send.")
        case .internalServerError:
            ReasonRow(
                "InternalServerError", 500, #"{"reason":"InternalServerError"}"#,
                in: [.device, .broadcast, .channels], retry: .afterFifteenMinutes,
                meaning: "Something went wrong inside the service.",
                cause: "Nothing that the sender did.",
                fix: "Send again after 15 minutes, with growing pauses.")
        case .serviceUnavailable:
            ReasonRow(
                "ServiceUnavailable", 503, #"{"reason":"ServiceUnavailable"}"#,
                in: [.device, .broadcast, .channels], retry: .afterFifteenMinutes,
                meaning: "The service cannot take requests now.",
                cause: "Nothing that the sender did; here also an inspection log that cannot be written.",
                fix: "Send again after 15 minutes, with growing pauses.")
        case .shutdown:
            ReasonRow(
                "Shutdown", 503, #"{"reason":"Shutdown"}"#, in: [.device, .broadcast, .channels, .connection],
                retry: .afterFifteenMinutes,
                meaning: "The server is going down.",
                cause: "Nothing that the sender did.",
                fix: "Open a new connection and send again.")
        }
    }
}

/// The header fields this server looks at, as tokens: a name is compared once, on arrival.
package enum HeaderName: UInt8, CaseIterable, Sendable {
    case method, scheme, authority, path
    case host, authorization
    case apnsID, apnsPushType, apnsTopic, apnsPriority, apnsExpiration, apnsCollapseID
    case apnsChannelID, apnsRequestID, apnsUniqueID
    case contentType, contentLength, contentEncoding, userAgent
    case mockAPNSNamespace
    /// A field this server has no interest in; it is kept for the inspection log.
    case other

    /// The name as it stands on the wire, in lower case; empty for `other`.
    package var spelling: StaticString {
        switch self {
        case .method: ":method"
        case .scheme: ":scheme"
        case .authority: ":authority"
        case .path: ":path"
        case .host: "host"
        case .authorization: "authorization"
        case .apnsID: "apns-id"
        case .apnsPushType: "apns-push-type"
        case .apnsTopic: "apns-topic"
        case .apnsPriority: "apns-priority"
        case .apnsExpiration: "apns-expiration"
        case .apnsCollapseID: "apns-collapse-id"
        case .apnsChannelID: "apns-channel-id"
        case .apnsRequestID: "apns-request-id"
        case .apnsUniqueID: "apns-unique-id"
        case .contentType: "content-type"
        case .contentLength: "content-length"
        case .contentEncoding: "content-encoding"
        case .userAgent: "user-agent"
        case .mockAPNSNamespace: "mock-apns-namespace"
        case .other: ""
        }
    }
}

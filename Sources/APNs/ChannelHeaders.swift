package import HTTP

/// The header fields of a broadcast or of a request that manages channels, read by the rules that need neither a clock nor
/// a memory.
package struct ChannelHeaders: Sendable {
    /// The id of the request: `apns-request-id`, or else `apns-id`.
    package private(set) var requestID: UUIDText?
    /// The channel, when its id has the form of one.
    package private(set) var channelID: String?
    package private(set) var expiration: Int64?
    package private(set) var priority: UInt8 = 10
    package private(set) var pushType: PushType?
    /// The push type as it is written, when that is a spelling of Apple's that nobody else uses.
    package private(set) var oddTypeSpelling: String?

    /// Reads the header fields of a request; adds the checks that fail.
    package init(
        _ request: borrowing HTTPRequest, _ fields: RequestFields, bundleID: ByteRange, _ operation: ChannelOperation?,
        _ failures: inout [CheckFailure]
    ) {
        let bytes = request.storage.span
        if fields.duplicate.isPresent {
            NotificationRules.duplicates(bytes.extracting(fields.duplicate.bounds), &failures)
        }
        ChannelRules.bundleID(bytes.extracting(bundleID.bounds), &failures)
        requestID = ChannelRules.requestID(request, fields, &failures)
        switch operation {
        case .create, .list, nil: return
        case .read, .delete, .publish:
            channelID = ChannelRules.channelID(
                bytes.extracting(fields.channelID.bounds), isPresent: fields.channelID.isPresent, &failures)
        }
        guard operation == .publish else { return }
        pushType = ChannelRules.pushType(
            bytes.extracting(fields.pushType.bounds), isPresent: fields.pushType.isPresent, &failures)
        let type = bytes.extracting(fields.pushType.bounds)
        oddTypeSpelling = ChannelRules.otherTypeNames.first { type.isEqual(to: $0) }?.description
        expiration = ChannelRules.expiration(
            bytes.extracting(fields.expiration.bounds), isPresent: fields.expiration.isPresent, &failures)
        priority = ChannelRules.priority(
            bytes.extracting(fields.priority.bounds), isPresent: fields.priority.isPresent, &failures)
        NotificationRules.payloadSize(
            request.bodyBytesReceived, limit: ChannelRules.payloadLimit, .liveactivity,
            body: bytes.extracting(request.bodyRange), &failures)
    }
}

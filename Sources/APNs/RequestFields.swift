package import HTTP

/// Where the fields that the rules read lie in a request, found in one pass; of a repeated field, the first.
package struct RequestFields: Sendable {
    package private(set) var method = ByteRange.absent
    package private(set) var path = ByteRange.absent
    /// `:authority`, or `host` when there is none.
    package private(set) var authority = ByteRange.absent
    package private(set) var authorization = ByteRange.absent
    package private(set) var apnsID = ByteRange.absent
    package private(set) var pushType = ByteRange.absent
    package private(set) var topic = ByteRange.absent
    package private(set) var priority = ByteRange.absent
    package private(set) var expiration = ByteRange.absent
    package private(set) var collapseID = ByteRange.absent
    package private(set) var channelID = ByteRange.absent
    package private(set) var requestID = ByteRange.absent
    /// The first repeated field among `authorization` and all whose name begins `apns-`.
    package private(set) var duplicate = ByteRange.absent

    /// The fields of a request.
    package init(_ request: borrowing HTTPRequest) {
        var unknown = 0
        for field in request.fields {
            let place = ByteRange(field.valueStart, field.valueEnd)
            switch field.name {
            case .method: method = place
            case .path: path = place
            case .authority: authority = place
            case .host: if !authority.isPresent { authority = place }
            case .authorization: Self.note(field, &authorization, &duplicate)
            case .apnsID: Self.note(field, &apnsID, &duplicate)
            case .apnsPushType: Self.note(field, &pushType, &duplicate)
            case .apnsTopic: Self.note(field, &topic, &duplicate)
            case .apnsPriority: Self.note(field, &priority, &duplicate)
            case .apnsExpiration: Self.note(field, &expiration, &duplicate)
            case .apnsCollapseID: Self.note(field, &collapseID, &duplicate)
            case .apnsChannelID: Self.note(field, &channelID, &duplicate)
            case .apnsRequestID: Self.note(field, &requestID, &duplicate)
            case .other: unknown += 1
            case .scheme, .contentType, .contentLength, .contentEncoding, .userAgent, .mockAPNSNamespace, .apnsUniqueID:
                break
            }
        }
        if unknown > 1, !duplicate.isPresent { noteUnknown(request) }
    }

    private static func note(_ field: HTTPRequest.Field, _ place: inout ByteRange, _ duplicate: inout ByteRange) {
        if place.isPresent {
            if !duplicate.isPresent { duplicate = ByteRange(field.nameStart, field.valueStart) }
        } else {
            place = ByteRange(field.valueStart, field.valueEnd)
        }
    }

    /// Looks for repeated fields among those whose names begin `apns-` and mean nothing to the server.
    private mutating func noteUnknown(_ request: borrowing HTTPRequest) {
        var seen: Set<ArraySlice<UInt8>> = []
        let prefix: StaticString = "apns-"
        for field in request.fields where field.name == .other {
            guard request.storage.span.extracting(field.nameRange).hasPrefix(prefix) else { continue }
            guard !seen.insert(request.storage[field.nameRange]).inserted else { continue }
            duplicate = ByteRange(field.nameRange)
            return
        }
    }
}

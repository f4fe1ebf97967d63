import HTTP

/// Where the header fields that an entry shows by name lie in a request; found in one pass.
struct HeaderPlaces {
    private(set) var topic: Range<Int>?
    private(set) var collapseID: Range<Int>?
    private(set) var expiration: Range<Int>?
    private(set) var userAgent: Range<Int>?

    /// The first field of each name.
    init(_ request: borrowing HTTPRequest) {
        for field in request.fields {
            switch field.name {
            case .apnsTopic: topic = topic ?? field.valueRange
            case .apnsCollapseID: collapseID = collapseID ?? field.valueRange
            case .apnsExpiration: expiration = expiration ?? field.valueRange
            case .userAgent: userAgent = userAgent ?? field.valueRange
            default: continue
            }
        }
    }
}

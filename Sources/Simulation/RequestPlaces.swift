import HTTP

/// What the renderer must know of a request's fields before it writes them; found in one pass.
struct RequestPlaces {
    /// Whether JSON strings can hold all names and values as they are, so that nothing needs to be escaped.
    let isPlain: Bool
    private(set) var topic: Range<Int>?
    private(set) var expiration: Range<Int>?
    private(set) var userAgent: Range<Int>?

    /// Looks through the fields; the first of each name counts.
    init(_ request: borrowing HTTPRequest) {
        isPlain = unsafe request.storage.withUnsafeBytes { storage in
            unsafe LineBuffer.isPlain(UnsafeRawBufferPointer(rebasing: storage[..<request.bodyStart]))
        }
        for field in request.fields {
            switch field.name {
            case .apnsTopic: if topic == nil { topic = field.valueRange }
            case .apnsExpiration: if expiration == nil { expiration = field.valueRange }
            case .userAgent: if userAgent == nil { userAgent = field.valueRange }
            default: continue
            }
        }
    }
}

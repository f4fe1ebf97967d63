extension HTTPResponse.Value {
    /// The value as text, for protocols that send text.
    package var text: String {
        switch self {
        case .id(let id): id.description
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension HTTPResponse.Body {
    /// A copy of the bytes.
    package var bytes: [UInt8] {
        switch self {
        case .none: []
        case .constant(let text): Array("\(text)".utf8)
        case .bytes(let bytes): bytes
        }
    }
}

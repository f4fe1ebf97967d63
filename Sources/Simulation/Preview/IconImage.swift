/// The icon of an app as a page can show it.
package enum IconImage {
    /// How large the file may be.
    package static let maxBytes = 256 << 10

    /// The picture as a `data:` URL; nil when it is none of the kinds that browsers show.
    package static func url(_ bytes: [UInt8]) -> String? {
        guard let type = type(bytes) else { return nil }
        return "data:\(type);base64,\(base64(bytes))"
    }

    private static func type(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        return nil
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        var buffer = LineBuffer()
        unsafe bytes.withUnsafeBytes { unsafe buffer.append(base64: $0) }
        return unsafe buffer.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

import JSON
package import TLS

/// Makes provider tokens as a sender does; for `send` and for tests.
package struct ProviderTokenMaker: Sendable {
    private let key: ES256PrivateKey
    private let keyID: String
    private let teamID: String

    /// Signs with this key under these names.
    package init(key: ES256PrivateKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// A token issued at this time, in seconds since 1970: what stands behind `bearer `.
    package func token(issuedAt seconds: Int64) throws(TLSError) -> String {
        var header = JSONWriter()
        header.beginObject()
        header.key("alg")
        header.string(constant: "ES256")
        header.key("kid")
        header.string(keyID)
        header.endObject()
        var claims = JSONWriter()
        claims.beginObject()
        claims.key("iss")
        claims.string(teamID)
        claims.key("iat")
        claims.integer(seconds)
        claims.endObject()
        let signed = Self.base64URL(header.bytes) + "." + Self.base64URL(claims.bytes)
        return signed + "." + Self.base64URL(try key.sign(Array(signed.utf8)))
    }

    /// Base64 for URLs, without padding (RFC 7515).
    static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count * 4 + 2) / 3)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0...group.count {
                result.append(alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

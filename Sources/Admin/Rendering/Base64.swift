/// Bytes as standard base64.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of these bytes.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while let first = rest.popFirst() {
            let second = rest.popFirst()
            let third = rest.popFirst()
            result.append(digits[Int(first >> 2)])
            result.append(digits[Int(first << 4 & 0x30 | (second ?? 0) >> 4)])
            result.append(second.map { digits[Int($0 << 2 & 0x3C | (third ?? 0) >> 6)] } ?? UInt8(ascii: "="))
            result.append(third.map { digits[Int($0 & 0x3F)] } ?? UInt8(ascii: "="))
        }
        return String(decoding: result, as: UTF8.self)
    }
}

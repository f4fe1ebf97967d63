/// Channel ids as the server makes them: 16 random bytes in standard base64, 24 characters.
enum ChannelID {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// A new id.
    static func random(using generator: inout some RandomNumberGenerator) -> String {
        // 21 digits of 6 bits, and a last one of which 2 bits count.
        var digits: [UInt8] = []
        digits.reserveCapacity(24)
        for _ in 0..<3 {
            var word = generator.next()
            for _ in 0..<7 {
                digits.append(alphabet[Int(word & 63)])
                word >>= 6
            }
        }
        digits.append(alphabet[Int(generator.next() & 3) << 4])
        return String(decoding: digits + [UInt8(ascii: "="), UInt8(ascii: "=")], as: UTF8.self)
    }
}

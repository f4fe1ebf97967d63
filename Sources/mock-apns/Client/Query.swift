/// The query of a request to the admin API.
struct Query: Sendable {
    private(set) var text = ""

    /// Adds a parameter.
    mutating func add(_ name: String, _ value: String) {
        text += text.isEmpty ? "?" : "&"
        text += Self.escaped(name) + "=" + Self.escaped(value)
    }

    /// Percent-encodes what has a meaning in URLs.
    static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "*"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}

/// The placeholders of a localised text: `%@`, `%d`, `%1$@`; `%%` is a percent sign.
package enum LocalizedFormat {
    /// How many arguments a text takes.
    static func placeholders(in text: String) -> Int {
        let bytes = Array(text.utf8)
        var unnumbered = 0
        var highest = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            index += 1
            let digits = bytes[index...].prefix { (0x30...0x39).contains($0) }
            let number = Int(String(decoding: digits, as: UTF8.self))
            index += digits.count
            if let number, index < bytes.count, bytes[index] == UInt8(ascii: "$") {
                highest = max(highest, number)
                index += 1
            } else if index < bytes.count, bytes[index] != UInt8(ascii: "%") {
                // A percent sign before a blank or at the end is only that.
                if isConversion(bytes[index...]) { unnumbered += 1 }
            } else {
                index += 1
            }
        }
        return max(unnumbered, highest)
    }

    /// A text with its placeholders filled in; what has no argument stays as it is.
    package static func filled(_ text: String, with arguments: [String]) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var used = 0
        var index = 0
        while index < bytes.count {
            let start = index
            index += 1
            guard bytes[start] == UInt8(ascii: "%") else {
                result.append(bytes[start])
                continue
            }
            if index < bytes.count, bytes[index] == UInt8(ascii: "%") {
                result.append(bytes[index])
                index += 1
                continue
            }
            var number: Int?
            let digits = bytes[index...].prefix { (0x30...0x39).contains($0) }
            if digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "$") {
                number = Int(String(decoding: digits, as: UTF8.self))
                index = digits.endIndex + 1
            }
            guard isConversion(bytes[index...]) else {
                result += bytes[start..<index]
                continue
            }
            index = bytes[index...].firstIndex { !"+-#.0123456789lhqzL".utf8.contains($0) } ?? bytes.count
            index = min(index + 1, bytes.count)
            let place = (number ?? used + 1) - 1
            used += number == nil ? 1 : 0
            if arguments.indices.contains(place) {
                result += arguments[place].utf8
            } else {
                result += bytes[start..<index]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a conversion of a format begins here, after the percent sign and its digits: `@`, `d`, `ld`, `.2f`.
    private static func isConversion(_ bytes: ArraySlice<UInt8>) -> Bool {
        let rest = bytes.drop { "+-#.0123456789lhqzL".utf8.contains($0) }
        return rest.first.map { "@dDiuUxXoOfFeEgGcCsSaA".utf8.contains($0) } ?? false
    }
}

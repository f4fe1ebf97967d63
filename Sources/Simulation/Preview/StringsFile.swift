/// A `Localizable.strings` file: `"KEY" = "text";` with comments between.
package struct StringsFile: Sendable {
    /// What is wrong with a file, in words with the line.
    package struct Fault: Error, Sendable, CustomStringConvertible {
        package let line: Int
        package let message: String
        package var description: String { "line \(line): \(message)" }
    }

    /// The texts by their keys; of equal keys the last counts.
    package private(set) var texts: [String: String] = [:]

    private let bytes: [UInt8]
    private var place = 0

    /// Reads a file in UTF-8, or in UTF-16 with a byte order mark, as Xcode wrote them for long.
    package init(_ file: [UInt8]) throws(Fault) {
        bytes = Array(Self.text(file).utf8)
        while try skipBlanks() {
            let key = try word()
            try expect("=", "a \"=\" behind the key")
            texts[key] = try word()
            try expect(";", "a \";\" behind the text")
        }
    }

    private static func text(_ file: [UInt8]) -> String {
        let isLittleEndian = file.starts(with: [0xFF, 0xFE])
        guard isLittleEndian || file.starts(with: [0xFE, 0xFF]) else { return String(decoding: file, as: UTF8.self) }
        let units = stride(from: 2, to: file.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(file[place]), UInt16(file[place + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ expected: String) -> Fault {
        let line = bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return Fault(line: line, message: "expected \(expected)")
    }

    /// Goes on to the next word; false at the end.
    private mutating func skipBlanks() throws(Fault) -> Bool {
        while let byte {
            if byte <= 0x20 || byte == 0xEF || byte == 0xBB || byte == 0xBF {
                // A byte order mark is a blank.
                place += 1
            } else if bytes[place...].starts(with: "//".utf8) {
                while let byte = self.byte, byte != UInt8(ascii: "\n") { place += 1 }
            } else if bytes[place...].starts(with: "/*".utf8) {
                place += 2
                while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
                guard place < bytes.count else { throw fault("\"*/\" at the end of a comment") }
                place += 2
            } else {
                return true
            }
        }
        return false
    }

    private mutating func expect(_ character: Character, _ words: String) throws(Fault) {
        guard try skipBlanks(), byte == character.asciiValue else { throw fault(words) }
        place += 1
    }

    /// A text in quotation marks, or a bare word.
    private mutating func word() throws(Fault) -> String {
        guard try skipBlanks() else { throw fault("a text in quotation marks") }
        var result: [UInt8] = []
        guard byte == UInt8(ascii: "\"") else {
            while let byte, Self.isBare(byte) {
                result.append(byte)
                place += 1
            }
            guard !result.isEmpty else { throw fault("a text in quotation marks") }
            return String(decoding: result, as: UTF8.self)
        }
        place += 1
        while let byte, byte != UInt8(ascii: "\"") {
            place += 1
            if byte == UInt8(ascii: "\\") { escape(&result) } else { result.append(byte) }
        }
        guard byte != nil else { throw fault("a quotation mark at the end of the text") }
        place += 1
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func escape(_ result: inout [UInt8]) {
        guard let byte else { return }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "U"), UInt8(ascii: "u"):
            let digits = String(decoding: bytes[place..<min(place + 4, bytes.count)], as: UTF8.self)
            guard digits.utf8.count == 4, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
            else { return result.append(byte) }
            place += 4
            result += String(Character(scalar)).utf8
        default: result.append(byte)
        }
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "$"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// One pass over JSON5 that writes the same as strict JSON, and remembers where each value and name stood.
struct JSON5Scanner {
    /// What is wrong, and where.
    struct Failure: Error {
        let message: String
        let offset: Int
    }

    /// Where a value or a name begins in both texts.
    struct Mark {
        let json: Int
        let source: Int
    }

    /// What a container waits for.
    private enum Expectation {
        case firstElement, element, afterElement
        case firstName, name, afterMember
    }

    /// An open object or array.
    private struct Container {
        let opening: Int
        var expectation: Expectation
        var isObject: Bool { [.firstName, .name, .afterMember].contains(expectation) }
    }

    let source: [UInt8]
    var index = 0
    /// What was written so far.
    var json: [UInt8] = []
    private(set) var marks: [Mark] = []
    private var containers: [Container] = []

    init(_ source: [UInt8]) {
        self.source = source
        json.reserveCapacity(source.count)
    }

    /// The byte at the index; 0, which begins nothing, at the end.
    var byte: UInt8 { byte(at: index) }

    func byte(at place: Int) -> UInt8 { place < source.count ? source[place] : 0 }

    /// Reads the whole text.
    mutating func scan() throws(Failure) {
        try checkUTF8()
        try skipBlank()
        try value(or: nil)
        while let container = containers.last {
            try skipBlank()
            switch container.expectation {
            case .firstElement, .element: try element(in: container)
            case .firstName, .name: try member(in: container)
            case .afterElement, .afterMember: try comma(in: container)
            }
        }
        try skipBlank()
        guard index == source.count else {
            throw failure("only white space and comments may follow the value, \(found)")
        }
    }

    // MARK: Objects and arrays

    private mutating func element(in container: Container) throws(Failure) {
        if byte == UInt8(ascii: "]") { return close() }
        if container.expectation == .element { json.append(UInt8(ascii: ",")) }
        containers[containers.count - 1].expectation = .afterElement
        try value(or: UInt8(ascii: "]"))
    }

    private mutating func member(in container: Container) throws(Failure) {
        if byte == UInt8(ascii: "}") { return close() }
        if container.expectation == .name { json.append(UInt8(ascii: ",")) }
        mark()
        guard try name() else {
            let place = container.expectation == .name ? "the comma" : "{"
            throw failure("a member's name or } was expected after \(place), \(found)\(unclosed(container))")
        }
        try skipBlank()
        guard byte == UInt8(ascii: ":") else { throw failure("a colon was expected after the member's name, \(found)") }
        index += 1
        json.append(UInt8(ascii: ":"))
        containers[containers.count - 1].expectation = .afterMember
        try skipBlank()
        try value(or: nil)
    }

    private mutating func comma(in container: Container) throws(Failure) {
        let end = UInt8(ascii: container.isObject ? "}" : "]")
        if byte == end { return close() }
        guard byte == UInt8(ascii: ",") else {
            let what =
                container.isObject ? "} was expected after the member's value" : "] was expected after the element"
            throw failure("a comma or \(what), \(found)\(unclosed(container))")
        }
        index += 1
        containers[containers.count - 1].expectation = container.isObject ? .name : .element
    }

    private mutating func open(_ expectation: Expectation) throws(Failure) {
        guard containers.count < JSONDocument.maximumDepth else {
            throw failure("objects and arrays are nested more than \(JSONDocument.maximumDepth) deep")
        }
        containers.append(Container(opening: index, expectation: expectation))
        json.append(byte)
        index += 1
    }

    private mutating func close() {
        json.append(byte)
        index += 1
        containers.removeLast()
    }

    /// Reads a value, or begins an object or array; `end` is the bracket that could stand here too.
    private mutating func value(or end: UInt8?) throws(Failure) {
        mark()
        switch byte {
        case UInt8(ascii: "{"): try open(.firstName)
        case UInt8(ascii: "["): try open(.firstElement)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try string()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            try number()
        default:
            let word = word
            guard ["true", "false", "null"].contains(word) else { throw noValue(word, or: end) }
            json += Array(word.utf8)
            index += word.utf8.count
        }
    }

    private func noValue(_ word: String, or end: UInt8?) -> Failure {
        let wanted = end == nil ? "a value was expected" : "a value or ] was expected"
        if index >= source.count, let container = containers.last {
            return failure("\(wanted), \(found)\(unclosed(container))")
        }
        switch word {
        case "": return failure("\(wanted), \(found)")
        case "NaN", "Infinity": return failure("a number must be finite, found \(word)")
        default: return failure("\(wanted), found \(word); a text stands in quotation marks")
        }
    }

    // MARK: White space and comments

    /// Goes on to what is neither white space nor a comment.
    private mutating func skipBlank() throws(Failure) {
        while index < source.count {
            let length = whiteLength
            if length > 0 {
                index += length
            } else if byte == UInt8(ascii: "/"), byte(at: index + 1) == UInt8(ascii: "/") {
                while index < source.count, lineBreakLength == 0 { index += 1 }
            } else if byte == UInt8(ascii: "/"), byte(at: index + 1) == UInt8(ascii: "*") {
                try skipLongComment()
            } else {
                return
            }
        }
    }

    private mutating func skipLongComment() throws(Failure) {
        let opening = index
        index += 2
        while index < source.count {
            if byte == UInt8(ascii: "*"), byte(at: index + 1) == UInt8(ascii: "/") {
                index += 2
                return
            }
            index += 1
        }
        throw Failure(message: "the comment that begins here is not closed with */", offset: opening)
    }

    /// How many bytes of white space stand here.
    private var whiteLength: Int {
        switch byte {
        case 0x09...0x0D, 0x20: return 1
        case 0xC2: return byte(at: index + 1) == 0xA0 ? 2 : 0
        case 0xE1...0xEF:
            let scalar =
                UInt32(byte & 0x0F) << 12 | UInt32(byte(at: index + 1) & 0x3F) << 6 | UInt32(byte(at: index + 2) & 0x3F)
            switch scalar {
            case 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: return 3
            default: return 0
            }
        default: return 0
        }
    }

    /// How many bytes the line break that stands here has.
    var lineBreakLength: Int {
        switch byte {
        case 0x0A: 1
        case 0x0D: byte(at: index + 1) == 0x0A ? 2 : 1
        case 0xE2: byte(at: index + 1) == 0x80 && (byte(at: index + 2) == 0xA8 || byte(at: index + 2) == 0xA9) ? 3 : 0
        default: 0
        }
    }

    // MARK: Words for people

    func failure(_ message: String) -> Failure { Failure(message: message, offset: min(index, source.count)) }

    /// What stands at the index.
    var found: String {
        guard index < source.count else { return "found the end" }
        let scalar = String(decoding: source[index..<min(index + 4, source.count)], as: UTF8.self).unicodeScalars.first
        guard let scalar, scalar.value >= 0x20, scalar.value != 0x7F else { return "found a control character" }
        return "found '\(scalar)'"
    }

    /// Where the container begins that is not closed, when the text ends in it.
    private func unclosed(_ container: Container) -> String {
        guard index >= source.count else { return "" }
        let place = JSON5Text.place(of: container.opening, in: source)
        let bracket = container.isObject ? "{" : "["
        return "; the \(bracket) of line \(place.line), column \(place.column) is not closed"
    }

    /// The letters at the index.
    private var word: String {
        let end = source[index...].firstIndex { $0 < 0x80 && !($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) } ?? source.count
        return String(decoding: source[index..<min(end, index + 40)], as: UTF8.self)
    }

    private mutating func mark() {
        marks.append(Mark(json: json.count, source: min(index, source.count)))
    }

    private func checkUTF8() throws(Failure) {
        var wrong: Int?
        unsafe source.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count, wrong == nil {
                let length = unsafe bytes[place] < 0x80 ? 1 : UTF8Check.length(bytes, at: place, end: bytes.count)
                if length == 0 { wrong = place }
                place += max(1, length)
            }
        }
        if let wrong { throw Failure(message: "the text is not UTF-8 here", offset: wrong) }
    }
}

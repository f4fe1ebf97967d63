/// What is asked of a value.
enum ValueTest: Sendable {
    /// How two numbers compare.
    enum Order: Sendable {
        case less, lessOrEqual, greater, greaterOrEqual
    }

    /// It is one of these, each exact or a glob. Numbers are compared as numbers: `3` is `3.0`.
    case oneOf([TextPattern])
    /// It is there, or is not.
    case exists(Bool)
    /// It has a text in it: a glob that begins and ends with a star.
    case contains(TextPattern)
    /// It is a text that is described so; not the JSON of something else.
    case holds(TextPattern)
    /// It is of this kind and reads so; numbers are compared as numbers.
    case same(MatchValue, String)
    /// Some part of it is described by the expression.
    case expression(RegularExpression)
    /// It is a number that compares so.
    case number(Order, Double)

    /// Whether the value passes.
    func passes(_ kind: MatchValue, _ text: Span<UInt8>) -> Bool {
        switch self {
        case .oneOf(let patterns):
            guard kind != .absent else { return false }
            for pattern in patterns where pattern.matches(text) { return true }
            guard kind == .number, let number = Self.number(text) else { return false }
            return patterns.contains { Double($0.source) == number }
        case .exists(let isWanted):
            return (kind != .absent) == isWanted
        case .contains(let pattern):
            return kind != .absent && pattern.matches(text)
        case .holds(let pattern):
            return kind == .text && pattern.matches(text)
        case .same(let wanted, let value):
            guard kind == wanted else { return false }
            if kind == .number { return Self.number(text) == Double(value) }
            return text.isEqual(to: value)
        case .expression(let expression):
            return kind != .absent && expression.isFound(in: text)
        case .number(let order, let limit):
            guard kind == .number || kind == .text, let number = Self.number(text) else { return false }
            switch order {
            case .less: return number < limit
            case .lessOrEqual: return number <= limit
            case .greater: return number > limit
            case .greaterOrEqual: return number >= limit
            }
        }
    }

    private static func number(_ text: Span<UInt8>) -> Double? {
        Double(text.string)
    }
}

extension Span<UInt8> {
    /// Whether the bytes are those of the text.
    func isEqual(to text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count == count else { return false }
        var place = 0
        for byte in bytes {
            if self[place] != byte { return false }
            place += 1
        }
        return true
    }

    /// The bytes as a text; what is not UTF-8 becomes U+FFFD.
    var string: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

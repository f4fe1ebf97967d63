/// What is asked of a value.
enum ValueTest: Sendable {
    /// How two numbers compare.
    enum Order: Sendable {
        case less, lessOrEqual, greater, greaterOrEqual
    }

    /// It is one of these, each exact or a glob. Numbers are compared as numbers: `3` is `3.0`.
    case oneOf(PatternSet)
    /// It is there, or is not.
    case exists(Bool)
    /// It has a text in it: a glob that begins and ends with a star.
    case contains(TextPattern)
    /// It is a text that is described so; not the JSON of something else.
    case holds(TextPattern)
    /// It is of this kind and reads so.
    case same(MatchValue, String)
    /// Some part of it is described by the expression.
    case expression(RegularExpression)
    /// It is a number that compares so.
    case number(Order, DecimalNumber)
    /// It is one of these numbers.
    case equal(Set<DecimalNumber>)

    /// It is one of these.
    static func oneOf(_ patterns: [TextPattern]) -> ValueTest { .oneOf(PatternSet(patterns)) }

    /// Whether the value passes.
    func passes(_ kind: MatchValue, _ text: Span<UInt8>, _ scratch: MatchScratch) -> Bool {
        scratch.charge(1)
        switch self {
        case .oneOf(let patterns):
            return kind != .absent && patterns.contains(kind, text, scratch)
        case .exists(let isWanted):
            return (kind != .absent) == isWanted
        case .contains(let pattern):
            return kind != .absent && pattern.matches(text, scratch)
        case .holds(let pattern):
            return kind == .text && pattern.matches(text, scratch)
        case .same(let wanted, let value):
            scratch.charge(min(text.count, value.utf8.count))
            return kind == wanted && text.isEqual(to: value)
        case .expression(let expression):
            return kind != .absent && expression.isFound(in: text, scratch)
        case .equal(let numbers):
            guard kind == .number else { return false }
            scratch.charge(text.count)
            return DecimalNumber(text).map { numbers.contains($0) } ?? false
        case .number(let order, let limit):
            // A text of the payload is no number, even if it looks like one; a header field can only be a text.
            guard kind == .number || kind == .plain else { return false }
            scratch.charge(text.count)
            guard let number = DecimalNumber(text) else { return false }
            switch order {
            case .less: return number < limit
            case .lessOrEqual: return number <= limit
            case .greater: return number > limit
            case .greaterOrEqual: return number >= limit
            }
        }
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

    /// The first byte.
    var first: UInt8? { isEmpty ? nil : self[0] }

    /// The bytes as a text; what is not UTF-8 becomes U+FFFD.
    var string: String {
        unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

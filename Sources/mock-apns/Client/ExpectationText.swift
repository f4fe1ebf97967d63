import Admin
import JSON
import Server

/// An expectation as it is typed: `device=6f1e* aps.alert.title="Your order*" exactly=1`.
struct ExpectationText: Sendable {
    /// `name=value`, without quotes.
    private let conditions: [(name: String, value: String)]
    private let text: String

    /// The longest name of an expectation, in characters.
    private static let nameLimit = AdminLimits.expectationName
    /// What is not a field to match.
    private static let amounts = ["count", "exactly"]

    /// Reads one; blanks between quotes are part of the value.
    init(_ text: String) throws(UsageError) {
        self.text = text
        var words: [String] = [""]
        var quote: Character?
        for character in text {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if quote == nil, character == " " {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        guard quote == nil else { throw UsageError("\"\(text)\" has a quote that is not closed") }
        var conditions: [(String, String)] = []
        for word in words where !word.isEmpty {
            guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
                throw UsageError("\"\(word)\" is not NAME=VALUE, as in device=6f1e* or exactly=1")
            }
            conditions.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
        }
        self.conditions = conditions
    }

    /// Adds the expectation as an object; one that `isForbidden` is expected exactly 0 times.
    func write(isForbidden: Bool, to writer: inout JSONWriter) throws(UsageError) {
        writer.beginObject()
        writer.key("name")
        writer.string(Self.shortened((isForbidden ? "never " : "") + text))
        writer.key("match")
        writer.beginObject()
        for (name, value) in conditions where !Self.amounts.contains(name) {
            writer.key(dynamic: name)
            let values = value.split(separator: ",", omittingEmptySubsequences: false)
            if values.count == 1 {
                writer.string(value)
            } else {
                writer.beginArray()
                for value in values { writer.string(String(value)) }
                writer.endArray()
            }
        }
        writer.endObject()
        if isForbidden {
            writer.key("exactly")
            writer.integer(0)
        }
        for (name, value) in conditions where Self.amounts.contains(name) {
            if isForbidden { throw UsageError("--never \"\(text)\" is exactly=0; \(name) has no place in it") }
            guard let number = Int(value), number >= 0 else {
                throw UsageError("\"\(name)=\(value)\" is no number, as in exactly=1")
            }
            writer.key(dynamic: name)
            writer.integer(number)
        }
        writer.endObject()
    }

    /// A name that the server takes.
    private static func shortened(_ text: String) -> String {
        text.count > nameLimit ? text.prefix(nameLimit - 1) + "…" : text
    }

    /// Adds the conditions alone, as a matcher.
    func writeMatcher(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in conditions {
            writer.key(dynamic: name)
            writer.string(value)
        }
        writer.endObject()
    }
}

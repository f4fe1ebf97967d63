import JSON

/// A text that is an object written out by a program, where a text for people should be.
struct ObjectText {
    /// What the text is, with its article.
    let words: String

    /// Nil for a text that a person could have written.
    init?(_ text: String) {
        if let row = Self.writtenOut.first(where: { text.hasPrefix($0.beginning) }) {
            words = row.words
            return
        }
        var document = JSONDocument()
        guard text.last == "}" || text.last == "]", document.parse(Array(text.utf8)) == nil else { return nil }
        words = "JSON in a string"
    }

    /// How programs write objects that nobody told them to write as JSON.
    private static let writtenOut: [(beginning: String, words: String)] = [
        ("[object ", "what JavaScript makes of an object"), ("{'", "a Python dictionary"), ("['", "a Python list"),
        ("[:", "a Swift or Elixir dictionary"), ("{:", "a Ruby hash"), ("[\"title\":", "a Swift dictionary"),
        ("[\"body\":", "a Swift dictionary"), ("{\"title\"=>", "a Ruby hash"), ("{\"body\"=>", "a Ruby hash"),
        ("{title=", "a Java map"), ("{body=", "a Java map"), ("{\n    title = ", "the description of an NSDictionary"),
        ("{\n    body = ", "the description of an NSDictionary"),
    ]
}

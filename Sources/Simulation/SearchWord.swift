/// One word of a search as people type it: `shipped`, `title:"your order"`, `!is:rejected`.
struct SearchWord: Sendable, Equatable {
    /// Whether what it describes must not be.
    var isNegated = false
    /// What stands before the colon.
    var key: String?
    /// What stands behind it, without quotes.
    var value = ""

    /// Splits a text at blanks that are not quoted; nil when a quote is not closed.
    static func split(_ text: String) -> [SearchWord]? {
        var words: [SearchWord] = []
        var word: SearchWord?
        var isQuoted = false
        var wasQuoted = false
        for character in text {
            switch character {
            case "\"":
                isQuoted.toggle()
                wasQuoted = true
                word = word ?? SearchWord()
            case " " where !isQuoted:
                if let word { words.append(word) }
                word = nil
                wasQuoted = false
            case "!" where word == nil && !isQuoted, "-" where word == nil && !isQuoted:
                word = SearchWord(isNegated: true)
            case ":" where !wasQuoted && word?.key == nil && word?.value.isEmpty == false:
                word = SearchWord(isNegated: word?.isNegated ?? false, key: word?.value)
            default:
                word = word ?? SearchWord()
                word?.value.append(character)
            }
        }
        if let word { words.append(word) }
        return isQuoted ? nil : words
    }
}

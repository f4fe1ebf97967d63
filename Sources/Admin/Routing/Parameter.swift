/// A parameter of a route: in its query, in its path or in its JSON body.
package struct Parameter: Sendable, Equatable {
    /// What a value may be.
    package enum Kind: Sendable, Equatable {
        /// Any text.
        case text
        /// Texts that must match, exactly or as a glob; commas and repetition mean OR. A comma can be part of a value as
        /// `%2C` where `takesCommas`.
        case pattern(takesCommas: Bool)
        /// One of these words.
        case word([String])
        /// Some of these words, with commas or repeated.
        case words([String])
        case integer(ClosedRange<Int>)
        /// A duration of at most so many milliseconds.
        case duration(maximum: Int64)
        /// A cursor, or `now`.
        case cursor
        /// A time, or a duration ago.
        case moment
        /// Words to search for.
        case search
        /// Names of members, with commas or repeated.
        case members
        /// Some words, with commas or repeated, described for people.
        case list(String)
        /// A text that must be of a form, described for people.
        case form(String)
        /// Any texts, in a JSON array; one may stand without brackets.
        case texts
        /// `true` or `false`.
        case boolean
        /// A matcher object.
        case matcher
        /// An array of objects with these members.
        case objects([Parameter])
        /// Any JSON value, described for people.
        case value(String)
    }

    package let name: String
    package let kind: Kind
    /// One sentence or two for people.
    package let summary: String
    /// A value for the documentation.
    package let example: String
    /// The value when the parameter is absent, in words.
    package let standard: String?

    /// A parameter.
    package init(_ name: String, _ kind: Kind, _ summary: String, example: String, standard: String? = nil) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.example = example
        self.standard = standard
    }

    /// Whether more than one value may be given.
    package var isRepeatable: Bool {
        switch kind {
        case .pattern, .words, .members, .texts, .list: true
        case .text, .word, .integer, .duration, .cursor, .moment, .search, .form, .boolean, .matcher, .objects, .value:
            false
        }
    }

    /// Whether it says which entries are meant by the values of a field, and so can be turned round (`device!=…`) and, where
    /// the field is a text, asked to be empty.
    package var isNegatable: Bool {
        if case .pattern = kind { FilterParameters.all.contains(self) } else { false }
    }

    /// What a value must be, for messages and the documentation.
    package var expected: String {
        switch kind {
        case .text: "text"
        case .pattern: "text, exact or a glob with `*`"
        case .word(let words): words.count == 1 ? "`\(words[0])`" : "one of " + words.joined(separator: ", ")
        case .words(let words): "one or more of " + words.joined(separator: ", ")
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration(let maximum):
            DurationText.expected + ", at most \(DurationText.words(maximum))"
        case .cursor: "a cursor (a whole number, from `GET /v1/cursor` or an answer) or `now`"
        case .moment: "a time (RFC 3339) or a duration ago"
        case .search: "words, quoted texts and `key:value`"
        case .members: "names of members, dotted for inner ones"
        case .form(let words), .value(let words), .list(let words): words
        case .texts: "one or more texts"
        case .boolean: "true or false"
        case .objects(let members): "an array of objects with " + members.map(\.name).joined(separator: ", ")
        case .matcher: "a [matcher object](#matcher-objects)"
        }
    }
}

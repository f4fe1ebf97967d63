/// Searching by words, as people type them.
extension Matcher {
    /// The keys that ``search(_:now:)`` knows besides the names of fields.
    package static let searchKeys =
        texts.map(\.key) + ["is", "has", "larger", "smaller"]

    /// What `has:` knows.
    package static let searchedParts = parts.map(\.word)

    /// Adds the condition that all words hold: texts to find in title, subtitle or body, or `key:value`; `!` before a
    /// word turns it round. Texts are found in any case of letters.
    package mutating func search(_ text: String, now: Int64? = nil) throws(MatcherError) {
        guard let words = SearchWord.split(text), !words.isEmpty else {
            throw Self.problem(text.isEmpty ? "q has no words" : "q=\(text) has a quote that is not closed")
        }
        var predicates: [Predicate] = []
        for word in words {
            let predicate = try Self.predicate(word, now: now)
            predicates.append(word.isNegated ? .not(predicate) : predicate)
        }
        add("q", text, .all(predicates))
    }

    private static let texts: [(key: String, paths: [String])] = [
        ("title", ["aps.alert.title"]), ("subtitle", ["aps.alert.subtitle"]),
        ("body", ["aps.alert.body", "aps.alert"]),
    ]

    private static let parts: [(word: String, predicate: Predicate)] = [
        ("alert", exists("aps.alert")), ("badge", exists("aps.badge")), ("sound", exists("aps.sound")),
        ("category", exists("aps.category")), ("thread", exists("aps.thread-id")),
        ("collapse-id", .field(.collapseID, .exists(true))),
        (
            "attachment-url",
            .any(["*\"http://*", "*\"https://*", #"*"http:\/\/*"#, #"*"https:\/\/*"#].map { contains($0) })
        ),
    ]

    private static func exists(_ path: String) -> Predicate { .field(.payload(path), .exists(true)) }

    private static func contains(_ pattern: String) -> Predicate {
        .field(.body, .contains(TextPattern(pattern, ignoresCase: true)))
    }

    private static func predicate(_ word: SearchWord, now: Int64?) throws(MatcherError) -> Predicate {
        guard let key = word.key else { return found(word.value, in: texts.flatMap(\.paths)) }
        if word.value.isEmpty { throw problem("\(key): in q has no value; write \(key):VALUE") }
        if let row = texts.first(where: { $0.key == key }) { return found(word.value, in: row.paths) }
        switch key {
        case "is": return try state(word.value)
        case "has": return try part(word.value)
        case "larger": return .field(.payloadBytes, .number(.greater, try size(word)))
        case "smaller": return .field(.payloadBytes, .number(.less, try size(word)))
        default:
            var matcher = Matcher()
            let isOpen = key.contains(".")
            guard isOpen || fieldNames.contains(key) else { throw unknown(key) }
            try matcher.require(key, anyOf: word.value.split(separator: ",").map(String.init), now: now)
            return .all(matcher.conditions.map(\.predicate))
        }
    }

    private static func found(_ text: String, in paths: [String]) -> Predicate {
        let pattern = TextPattern(containing: text)
        return .any(paths.map { .field(.payload($0), .holds(pattern)) })
    }

    private static func state(_ word: String) throws(MatcherError) -> Predicate {
        if word == "silent" {
            let shown = ["aps.alert", "aps.badge", "aps.sound"].map { Predicate.not(exists($0)) }
            return .all([exists("aps.content-available")] + shown)
        }
        var matcher = Matcher()
        do {
            try matcher.require("outcome", anyOf: [word])
        } catch {
            let words = JournalEntry.Outcome.allCases.map(\.rawValue) + ["silent"]
            throw problem(
                "is:\(word) in q is none of \(words.joined(separator: " "))", NearestName.of(word, among: words))
        }
        return .all(matcher.conditions.map(\.predicate))
    }

    private static func part(_ word: String) throws(MatcherError) -> Predicate {
        guard let row = parts.first(where: { $0.word == word }) else {
            throw problem(
                "has:\(word) in q is none of \(searchedParts.joined(separator: " "))",
                NearestName.of(word, among: searchedParts))
        }
        return row.predicate
    }

    /// Bytes in `3000`, `3k` or `3KiB`; a k is 1024.
    private static func size(_ word: SearchWord) throws(MatcherError) -> DecimalNumber {
        let digits = word.value.prefix { $0.isASCII && $0.isNumber }
        let factors = ["": 1, "b": 1, "k": 1024, "kb": 1024, "kib": 1024]
        guard let number = Int32(digits), let factor = factors[word.value.dropFirst(digits.count).lowercased()] else {
            throw problem("\(word.key ?? ""):\(word.value) in q is no size; write bytes, or 3k")
        }
        return DecimalNumber(Int(number) * factor)
    }

    private static func unknown(_ key: String) -> MatcherError {
        let known = searchKeys + fieldNames
        return problem(
            "\(key): in q is unknown; known are \(known.joined(separator: " ")), aps.…, payload.…, header.…; quote a "
                + "text that has a colon", NearestName.of(key, among: known))
    }

    private static func problem(_ message: String, _ suggestion: String? = nil) -> MatcherError {
        MatcherError(field: "q", message: message, suggestion: suggestion)
    }
}

import APNs

/// Which entries are meant: the one matcher behind filters, waits, verifications and rules.
package struct Matcher: Sendable {
    /// A condition as it was given and as it is checked.
    struct Condition: Sendable {
        /// The name of the field.
        let name: String
        /// The values, for people.
        let text: String
        let predicate: Predicate
        /// Whether nobody asked for it in so many words.
        let isImplied: Bool
    }

    /// All of them must hold.
    private(set) var conditions: [Condition] = []
    /// The device tokens in lower case, when only exact ones are meant; a follower is found by them.
    private(set) var exactDevices: [[UInt8]]?
    /// Whether the matcher has conditions on how entries ended, wherever in it.
    package private(set) var asksForOutcome = false
    /// The most that it takes to ask one push, in steps.
    package private(set) var cost = 1
    /// Whether the matcher has conditions on findings, wherever in it.
    package private(set) var asksForFindings = false

    /// Matches everything.
    package init() {}

    /// The names that ``require(_:anyOf:implied:now:)`` knows; those that begin `aps.`, `payload.` and `header.` besides.
    package static let fieldNames: [String] = MatchField.table.map(\.name) + MatchField.times

    /// The filter that is meant by this name of a field in an entry's JSON, if it is called otherwise.
    package static func filterName(ofMember name: String) -> String? {
        MatchField.table.first { $0.alias == name }?.name
    }

    /// What stands behind the name of a field to turn a condition round: `device!=6f1e*`.
    package static let negation: Character = "!"

    /// Adds a condition: the field is one of these values, each exact or a glob with `*`; behind ``negation``, it is none of
    /// them. All conditions must hold.
    ///
    /// An implied condition is not part of ``description``. `since` and `until` count durations back from `now`, in
    /// milliseconds since 1970 by the machine's clock.
    package mutating func require(
        _ field: String, anyOf values: [String], implied: Bool = false, now: Int64? = nil
    ) throws(MatcherError) {
        let isNegated = field.last == Self.negation
        let name = isNegated ? String(field.dropLast()) : field
        var predicate: Predicate
        if MatchField.times.contains(name) {
            if isNegated { throw Self.notNegated(name) }
            try Self.checkNotEmpty(name, values)
            predicate = try Self.time(name, values, now: now ?? MomentText.now())
        } else if let row = MatchField.row(name) {
            try Self.checkNotEmpty(name, values, isText: row.form.takesEmptyTexts)
            predicate = .field(row.field, .oneOf(try Self.patterns(values, for: row)))
        } else {
            let field = try Self.open(name)
            try Self.checkNotEmpty(name, values, isText: true)
            predicate = .field(field, .oneOf(values.map { TextPattern($0, ignoresCase: field.isCaseless) }))
        }
        if case .field(.device, .oneOf(let patterns)) = predicate, !isNegated {
            let exact = patterns.all.compactMap(\.exact)
            if exact.count == patterns.all.count { exactDevices = exactDevices ?? exact }
        }
        if isNegated { predicate = .not(predicate) }
        add(field, values.joined(separator: ","), predicate, implied: implied)
    }

    private static func checkNotEmpty(
        _ name: String, _ values: [String], isText: Bool = false
    ) throws(MatcherError) {
        guard values.isEmpty || values.contains("") else { return }
        if values == [""], isText { return }
        let words =
            values.count > 1
            ? "has an empty value among others; write \(name)= alone for an empty text"
            : "has no value; write \(name)=VALUE, or \(name)!=* for those that have none"
        throw MatcherError(field: name, message: "\(name) \(words)", suggestion: nil)
    }

    /// The refusal of a negation where it has no meaning.
    static func notNegated(_ name: String) -> MatcherError {
        MatcherError(field: name, message: "\(name) cannot be negated with !", suggestion: nil)
    }

    /// Adds a condition that is ready.
    mutating func add(_ name: String, _ text: String, _ predicate: Predicate, implied: Bool = false) {
        noteOutcome(predicate)
        cost &+= predicate.cost
        conditions.append(Condition(name: name, text: text, predicate: predicate, isImplied: implied))
    }

    private mutating func noteOutcome(_ predicate: Predicate) {
        asksForOutcome = asksForOutcome || predicate.uses { [.outcome, .status, .reason].contains($0) }
        asksForFindings = asksForFindings || predicate.uses { $0 == .findings }
    }

    /// All conditions as one.
    var predicate: Predicate { .all(conditions.map(\.predicate)) }

    /// What at least one of the matchers means; an entry of some devices only, when each of them means exact ones.
    package static func any(of matchers: [Matcher]) -> Matcher {
        var matcher = Matcher()
        matcher.add("anyOf", "one of \(matchers.count)", .any(matchers.map(\.predicate)))
        let devices = matchers.compactMap(\.exactDevices)
        if devices.count == matchers.count { matcher.exactDevices = devices.flatMap(\.self) }
        return matcher
    }

    /// What both matchers mean.
    package func and(_ other: Matcher) -> Matcher {
        var matcher = self
        matcher.conditions += other.conditions
        matcher.cost &+= other.cost
        matcher.exactDevices = exactDevices ?? other.exactDevices
        matcher.asksForOutcome = asksForOutcome || other.asksForOutcome
        matcher.asksForFindings = asksForFindings || other.asksForFindings
        return matcher
    }

    /// Whether the entry is meant.
    package func matches(_ entry: JournalEntry) -> Bool {
        matches(entry, scratch: MatchScratch())
    }

    /// The same; several questions about one entry share what was read of it. Worth nothing when the budget is spent.
    package func matches(_ entry: JournalEntry, scratch: MatchScratch) -> Bool {
        for condition in conditions where !condition.predicate.holds(of: entry, scratch) { return false }
        return !scratch.isSpent
    }

    /// The conditions as they were given, for answers: field and values joined by commas.
    package var description: [(field: String, value: String)] {
        conditions.filter { !$0.isImplied }.map { ($0.name, $0.text) }
    }

    /// The field of an open set of names: payload and headers.
    static func open(_ name: String) throws(MatcherError) -> MatchField {
        if name.hasPrefix("aps."), name.utf8.count > 4 { return .payload(name) }
        if name.hasPrefix("payload."), name.utf8.count > 8 { return .payload(String(name.dropFirst(8))) }
        if name.hasPrefix("header."), name.utf8.count > 7 { return .header(name.dropFirst(7).lowercased()) }
        let suggestion = NearestName.of(name, among: MatchField.spellings)
        let hint = suggestion.map { "; did you mean \($0)?" } ?? ""
        throw MatcherError(
            field: name,
            message:
                "unknown field \(name)\(hint) Known: \(fieldNames.joined(separator: " ")), and values such as aps.badge",
            suggestion: suggestion)
    }

    static func patterns(_ values: [String], for row: MatchField.Row) throws(MatcherError) -> [TextPattern] {
        var patterns: [TextPattern] = []
        for value in values {
            switch row.form {
            case .text: patterns.append(TextPattern(value))
            case .caselessText: patterns.append(TextPattern(value, ignoresCase: true))
            case .number:
                if value.contains("*"), value.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: "*") }) {
                    patterns.append(TextPattern(value))
                    continue
                }
                guard let number = Int(value), number >= 0 else {
                    throw MatcherError(
                        field: row.name, message: "\(row.name)=\(value) is not a whole number", suggestion: nil)
                }
                patterns.append(TextPattern(String(number), globs: false))
            case .word(let words):
                // Findings are of many codes, which begin with letters that say what they are about.
                if row.field == .findings, value.contains("*") {
                    patterns.append(TextPattern(value, ignoresCase: true))
                    continue
                }
                if value.contains("*") {
                    patterns += try Self.words(words, likeGlob: value, for: row)
                    continue
                }
                guard let word = words.first(where: { $0.lowercased() == value.lowercased() }) else {
                    let nearest = NearestName.of(value, among: words)
                    let hint = nearest.map { "; did you mean \($0)?" } ?? ""
                    throw MatcherError(
                        field: row.name,
                        message: "\(row.name)=\(value) is none of \(words.joined(separator: " "))\(hint)",
                        suggestion: nearest)
                }
                patterns.append(canonical(word, row))
            }
        }
        return patterns
    }

    /// The words that a glob describes, in any case of letters; a glob that describes none is a mistake.
    private static func words(
        _ words: [String], likeGlob glob: String, for row: MatchField.Row
    ) throws(MatcherError) -> [TextPattern] {
        let pattern = TextPattern(glob, ignoresCase: true)
        let scratch = MatchScratch()
        let meant = words.filter { pattern.matches(Array($0.utf8).span, scratch) }
        guard meant.isEmpty else { return meant.map { canonical($0, row) } }
        throw MatcherError(
            field: row.name, message: "\(row.name)=\(glob) describes none of \(words.joined(separator: " "))",
            suggestion: NearestName.of(glob.filter { $0 != "*" }, among: words))
    }

    /// A word as entries have it.
    private static func canonical(_ word: String, _ row: MatchField.Row) -> TextPattern {
        TextPattern(row.field == .reason ? Reason(wire: word)?.word ?? word : word, globs: false)
    }

    private static func time(_ field: String, _ values: [String], now: Int64) throws(MatcherError) -> Predicate {
        var parts: [Predicate] = []
        for value in values {
            guard let moment = MomentText.read(value, now: now) else {
                throw MatcherError(
                    field: field,
                    message: "\(field)=\(value) is no time; write 2026-01-15T09:30:00Z, or how long ago: 30s",
                    suggestion: nil)
            }
            parts.append(
                .field(.receivedAt, .number(field == "since" ? .greaterOrEqual : .lessOrEqual, DecimalNumber(moment))))
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }
}

/// A condition that cannot be understood, in words for people that name the value, what was expected and the fix.
package struct MatcherError: Error, Sendable {
    package let field: String
    package let message: String
    /// The nearest known name, for an unknown field.
    package let suggestion: String?
}

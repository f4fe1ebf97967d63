import APNs
import JSON

/// Reads a matcher object; what cannot be understood is refused with its place, what was expected, and the nearest name.
struct MatcherReader {
    private let document: JSONDocument
    private let now: Int64?
    private var conditions = 0
    /// How much work the expressions were to make ready.
    private var preparation = 0

    init(_ document: JSONDocument, now: Int64?) {
        self.document = document
        self.now = now
    }

    /// The matcher that an object describes.
    mutating func matcher(_ object: JSONElement, path: String, depth: Int) throws(MatcherError) -> Matcher {
        guard document.kind(object) == .object else {
            throw problem(path, "is \(written(object)); expected an object such as {\"device\": \"6f1e*\"}")
        }
        guard depth <= Matcher.depthLimit else {
            throw problem(path, "lies deeper than \(Matcher.depthLimit) levels of not and anyOf")
        }
        var matcher = Matcher()
        var names: Set<String> = []
        for member in document.children(of: object) {
            let name = document.key(of: member) ?? ""
            let place = path + "." + name
            guard names.insert(name).inserted else { throw problem(place, "stands there twice") }
            conditions += 1
            guard conditions <= Matcher.conditionLimit else {
                throw problem(path, "has more than \(Matcher.conditionLimit) conditions")
            }
            switch name {
            case "not":
                let inner = try self.matcher(member, path: place, depth: depth + 1)
                matcher.add(name, shown(member), .not(inner.predicate))
            case "anyOf":
                matcher.add(name, shown(member), try anyOf(member, path: place, depth: depth))
            default: try condition(name, member, place, &matcher)
            }
        }
        return matcher
    }

    private mutating func anyOf(_ member: JSONElement, path: String, depth: Int) throws(MatcherError) -> Predicate {
        let parts = document.kind(member) == .array ? document.children(of: member) : []
        guard !parts.isEmpty else { throw problem(path, "is \(written(member)); expected an array of matchers") }
        var predicates: [Predicate] = []
        for (index, part) in parts.enumerated() {
            predicates.append(try matcher(part, path: "\(path)[\(index)]", depth: depth + 1).predicate)
        }
        return .any(predicates)
    }

    /// What one member says about one field.
    private mutating func condition(
        _ name: String, _ member: JSONElement, _ path: String, _ matcher: inout Matcher
    ) throws(MatcherError) {
        if name.last == Matcher.negation {
            // As in a query: `"device!": "6f1e*"`.
            let base = String(name.dropLast())
            if isWhole(base) { throw problem(path, "cannot be read: \(Matcher.notNegated(base).message)") }
            var inner = Matcher()
            try condition(base, member, path, &inner)
            return matcher.add(name, shown(member), .not(inner.predicate))
        }
        // Texts mean here what they mean in a query, and a follower is found by exact devices.
        if let texts = texts(member), Self.row(name)?.form != nil || isWhole(name) {
            return try require(name, texts, path, &matcher)
        }
        if isWhole(name) { throw problem(path, "is \(written(member)); expected a text") }
        let field: MatchField
        if let row = Self.row(name) {
            field = row.field
        } else {
            do throws(MatcherError) { field = try Matcher.open(name) } catch { throw unknown(name, path, error) }
        }
        matcher.add(name, shown(member), try predicate(field, name, member, path))
    }

    private func require(
        _ name: String, _ texts: [String], _ path: String, _ matcher: inout Matcher
    ) throws(MatcherError) {
        do throws(MatcherError) {
            if name == Self.search {
                for text in texts { try matcher.search(text, now: now) }
            } else {
                try matcher.require(name, anyOf: texts, now: now)
            }
        } catch {
            throw problem(path, "cannot be read: \(error.message)", error.suggestion)
        }
    }

    /// The condition on a field that a value describes: a bare value, an array of those, or an object of operators.
    private mutating func predicate(
        _ field: MatchField, _ name: String, _ value: JSONElement, _ path: String
    ) throws(MatcherError) -> Predicate {
        switch document.kind(value) {
        case .object:
            let members = document.children(of: value)
            if members.isEmpty { throw problem(path, "has no operator; \(Self.operators)") }
            var parts: [Predicate] = []
            for member in members {
                let key = document.key(of: member) ?? ""
                guard let word = MatchOperator(rawValue: key) else {
                    let nearest = NearestName.of(key, among: MatchOperator.allCases.map(\.rawValue))
                    throw problem(path, "has no operator \(key); \(Self.operators)", nearest)
                }
                parts.append(try test(word, field, name, member, path + "." + key))
            }
            return parts.count == 1 ? parts[0] : .all(parts)
        case .array: return try one(of: value, field, name, path)
        case .string, .number, .boolean, .null: return try bare(field, name, value, path)
        }
    }

    private mutating func test(
        _ word: MatchOperator, _ field: MatchField, _ name: String, _ operand: JSONElement, _ path: String
    ) throws(MatcherError) -> Predicate {
        let text = document.string(operand)
        switch word {
        case .equals:
            guard let text else {
                if [.object, .array].contains(document.kind(operand)) { throw unfit(word, operand, path) }
                return try bare(field, name, operand, path)
            }
            if case .payload = field { return .field(field, .same(.text, text)) }
            return .field(field, .oneOf([try exact(name, text, path)]))
        case .glob:
            guard let text else { throw unfit(word, operand, path) }
            return .field(field, .oneOf([TextPattern(text, ignoresCase: field.isCaseless)]))
        case .regex:
            guard let text else { throw unfit(word, operand, path) }
            return .field(field, .expression(try expression(text, path)))
        case .contains:
            guard let text else { throw unfit(word, operand, path) }
            return .field(field, .contains(TextPattern(containing: text, ignoresCase: field.isCaseless)))
        case .exists:
            guard let isWanted = document.boolean(operand) else { throw unfit(word, operand, path) }
            return .field(field, .exists(isWanted))
        case .gt, .gte, .lt, .lte:
            guard let number = number(operand), let order = word.order else { throw unfit(word, operand, path) }
            return .field(field, .number(order, number))
        case .in:
            guard document.kind(operand) == .array else { throw unfit(word, operand, path) }
            return try one(of: operand, field, name, path)
        case .not:
            return .not(try predicate(field, name, operand, path))
        }
    }

    private mutating func one(
        of array: JSONElement, _ field: MatchField, _ name: String, _ path: String
    ) throws(MatcherError) -> Predicate {
        let elements = document.children(of: array)
        if elements.isEmpty { throw problem(path, "is an empty array, which nothing is one of") }
        var parts: [Predicate] = []
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            if [.object, .array].contains(document.kind(element)) {
                throw problem(place, "is \(written(element)); expected a text, a number, true, false or null")
            }
            parts.append(try bare(field, name, element, place))
        }
        return Self.joined(parts, field)
    }

    /// One of several, where texts and numbers are looked up together: a list of thousands costs no more than its hash.
    private static func joined(_ parts: [Predicate], _ field: MatchField) -> Predicate {
        var patterns: [TextPattern] = []
        var numbers: Set<DecimalNumber> = []
        var others: [Predicate] = []
        for part in parts {
            switch part {
            case .field(_, .oneOf(let set)): patterns += set.all
            case .field(_, .equal(let set)): numbers.formUnion(set)
            default: others.append(part)
            }
        }
        if !patterns.isEmpty { others.append(.field(field, .oneOf(PatternSet(patterns)))) }
        if !numbers.isEmpty { others.append(.field(field, .equal(numbers))) }
        return others.count == 1 ? others[0] : .any(others)
    }

    /// A value that stands for itself: a text is exact or a glob, all others are exact.
    private func bare(
        _ field: MatchField, _ name: String, _ value: JSONElement, _ path: String
    ) throws(MatcherError) -> Predicate {
        let written = document.written(value)
        switch document.kind(value) {
        case .null:
            return .any([.field(field, .exists(false)), .field(field, .same(.null, "null"))])
        case .number, .boolean:
            if Self.row(name) != nil { return .field(field, .oneOf([try exact(name, written, path)])) }
            if case .header = field { return .field(field, .oneOf([TextPattern(written, globs: false)])) }
            if let number = number(value) { return .field(field, .equal([number])) }
            return .field(field, .same(.boolean, written))
        default:
            let text = document.string(value) ?? written
            guard let row = Self.row(name) else {
                return .field(field, .oneOf([TextPattern(text, ignoresCase: field.isCaseless)]))
            }
            return .field(field, .oneOf(try patterns(text, row, path)))
        }
    }

    /// A number exactly as it is written.
    private func number(_ element: JSONElement) -> DecimalNumber? {
        guard document.kind(element) == .number else { return nil }
        return DecimalNumber(Array(document.written(element).utf8).span)
    }

    /// An expression that is ready; what a whole matcher may take to be made ready is bounded.
    private mutating func expression(_ text: String, _ path: String) throws(MatcherError) -> RegularExpression {
        do throws(RegularExpression.Fault) {
            let expression = try RegularExpression(text)
            preparation += expression.preparation
            guard preparation <= MatchCost.preparationLimit else {
                throw RegularExpression.Fault(
                    message: "the expressions of this matcher take more than \(MatchCost.preparationLimit) steps to be "
                        + "made ready; repeat less, or use fewer of them")
            }
            return expression
        } catch {
            throw problem(path, "is no regular expression: \(error.message)")
        }
    }

    /// A text that means itself, stars and all.
    private func exact(_ name: String, _ text: String, _ path: String) throws(MatcherError) -> TextPattern {
        guard let row = Self.row(name) else {
            let isCaseless = (try? Matcher.open(name))?.isCaseless ?? false
            return TextPattern(text, ignoresCase: isCaseless, globs: false)
        }
        switch row.form {
        case .text: return TextPattern(text, globs: false)
        case .caselessText: return TextPattern(text, ignoresCase: true, globs: false)
        case .word, .number: return try patterns(text, row, path).first ?? TextPattern(text, globs: false)
        }
    }

    private func patterns(
        _ text: String, _ row: MatchField.Row, _ path: String
    ) throws(MatcherError) -> [TextPattern] {
        do throws(MatcherError) {
            return try Matcher.patterns([text], for: row)
        } catch {
            throw problem(path, "cannot be read: \(error.message)", error.suggestion)
        }
    }

    // MARK: Names

    private static let search = "q"

    private static func row(_ name: String) -> MatchField.Row? { MatchField.row(name) }

    /// Whether the member takes texts only, not operators: times and words to search for.
    private func isWhole(_ name: String) -> Bool { MatchField.times.contains(name) || name == Self.search }

    /// The text, or the texts of an array that has nothing else.
    private func texts(_ member: JSONElement) -> [String]? {
        if let text = document.string(member) { return [text] }
        guard document.kind(member) == .array else { return nil }
        let elements = document.children(of: member)
        let texts = elements.compactMap(document.string)
        return texts.isEmpty || texts.count < elements.count ? nil : texts
    }

    // MARK: Problems

    private static let operators =
        "expected one of " + MatchOperator.allCases.map(\.rawValue).joined(separator: " ")

    private func unfit(_ word: MatchOperator, _ operand: JSONElement, _ path: String) -> MatcherError {
        problem(path, "is \(written(operand)); expected \(word.operand)")
    }

    private func unknown(_ name: String, _ path: String, _ error: MatcherError) -> MatcherError {
        let known = Matcher.fieldNames + [Self.search] + Matcher.combinations
        let others = [Self.search] + Matcher.combinations
        let nearest = error.suggestion ?? NearestName.of(name, among: others) ?? nearestPath(name)
        let words = known.joined(separator: " ")
        return problem(path, "is no field; known are \(words), and values such as aps.badge", nearest)
    }

    /// The name of a payload or header field whose first word is misspelt.
    private func nearestPath(_ name: String) -> String? {
        let root = name.prefix { $0 != "." }
        guard root.count < name.count else { return nil }
        return NearestName.of(String(root), among: ["aps", "payload", "header"]).map { $0 + name.dropFirst(root.count) }
    }

    private func problem(_ path: String, _ words: String, _ suggestion: String? = nil) -> MatcherError {
        MatcherError(field: path, message: "\(path) \(words)", suggestion: suggestion)
    }

    private func written(_ element: JSONElement) -> String {
        document.written(element, limit: Matcher.shownConditionLimit)
    }

    private func shown(_ element: JSONElement) -> String {
        document.string(element) ?? written(element)
    }
}

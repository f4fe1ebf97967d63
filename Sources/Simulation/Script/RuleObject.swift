import JSON

/// An object in a rule under reading: its members, checked against the names that may stand there.
struct RuleObject {
    let document: JSONDocument
    /// Where it stands, for messages; empty for the rule itself.
    let path: String
    private var members: [String: JSONElement] = [:]

    /// Reads an object; refuses members of other names.
    init(
        _ document: JSONDocument, _ element: JSONElement, path: String, names: [String], ignoring ignored: [String] = []
    ) throws(RuleError) {
        self.document = document
        self.path = path
        guard document.kind(element) == .object else {
            let place = path.isEmpty ? "A rule" : path
            throw RuleError(path, "\(place) is \(document.written(element, limit: 80)); expected an object.")
        }
        for member in document.children(of: element) {
            let name = document.key(of: member) ?? ""
            if ignored.contains(name) { continue }
            guard names.contains(name) else {
                throw RuleError(
                    Self.join(path, name),
                    "\(Self.join(path, name)) is no member of a rule; known here are "
                        + names.joined(separator: ", ") + ".", suggestion: NearestName.of(name, among: names))
            }
            guard !document.isDuplicate(member) else {
                throw RuleError(Self.join(path, name), "\(Self.join(path, name)) stands twice; expected once.")
            }
            if document.kind(member) != .null { members[name] = member }
        }
    }

    /// Whether the member is there and not null.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// The names of the members that are there, of these.
    func names(among names: [String]) -> [String] { names.filter(has) }

    /// The member of this name.
    subscript(_ name: String) -> JSONElement? { members[name] }

    /// A member as it is written.
    func source(_ name: String) -> [UInt8]? {
        members[name].map { Array(document.written($0).utf8) }
    }

    /// A member that is a text.
    func text(_ name: String, limit: Int = 1000) throws(RuleError) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = document.string(member) else { throw bad(name, "a text") }
        guard text.utf8.count <= limit else { throw bad(name, "a text of at most \(limit) bytes") }
        return text
    }

    /// A member that is one of these words.
    func word(_ name: String, _ words: [String]) throws(RuleError) -> String? {
        guard let text = try text(name) else { return nil }
        guard words.contains(text) else {
            throw bad(name, "one of " + words.joined(separator: ", "), NearestName.of(text, among: words))
        }
        return text
    }

    /// A member that is a whole number in this range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(RuleError) -> Int? {
        guard let member = members[name] else { return nil }
        guard let number = document.integer(member).flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw bad(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A member that is a number in this range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(RuleError) -> Double? {
        guard let member = members[name] else { return nil }
        guard let number = document.double(member), range.contains(number) else {
            throw bad(name, "a number from \(range.lowerBound.formatted) to \(range.upperBound.formatted)")
        }
        return number
    }

    /// A member that is true or false.
    func boolean(_ name: String) throws(RuleError) -> Bool? {
        guard let member = members[name] else { return nil }
        guard let value = document.boolean(member) else { throw bad(name, "true or false") }
        return value
    }

    /// Milliseconds of a member that is a duration.
    func duration(_ name: String, limit: Int64) throws(RuleError) -> Int64? {
        guard let member = members[name] else { return nil }
        guard let milliseconds = Self.duration(document, member), milliseconds <= limit else {
            throw bad(name, Self.expectedDuration(limit))
        }
        return milliseconds
    }

    /// The elements of a member that is an array.
    func elements(_ name: String) throws(RuleError) -> [JSONElement]? {
        guard let member = members[name] else { return nil }
        guard document.kind(member) == .array else { throw bad(name, "an array") }
        return document.children(of: member)
    }

    /// The refusal of a member's value.
    func bad(_ name: String, _ expected: String, _ suggestion: String? = nil) -> RuleError {
        let place = Self.join(path, name)
        let value = members[name].map { document.written($0, limit: 80) } ?? "missing"
        return RuleError(place, "\(place) is \(value); expected \(expected).", suggestion: suggestion)
    }

    /// The place of a member.
    static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : path + "." + name
    }

    /// Milliseconds of `"250ms"`, `"1.5s"`, `"2m"`, or of a whole number of them; nil for anything else.
    static func duration(_ document: JSONDocument, _ element: JSONElement) -> Int64? {
        if let number = document.integer(element) { return number >= 0 ? number : nil }
        guard let text = document.string(element) else { return nil }
        if let whole = MomentText.duration(text) { return whole }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factors: [Substring: Double] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let value = Double(digits), let factor = factors[text[digits.endIndex...]] else { return nil }
        let milliseconds = (value * factor).rounded()
        return milliseconds <= Double(ClockSetting.differenceLimit) ? Int64(milliseconds) : nil
    }

    static func expectedDuration(_ limit: Int64) -> String {
        #"a duration such as "250ms" or "5s", or whole milliseconds, at most \#(limit) ms"#
    }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var formatted: String {
        self == rounded() ? String(Int(self)) : String(self)
    }
}

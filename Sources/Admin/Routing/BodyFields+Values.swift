import JSON
import Simulation

/// Members that hold one value or a list of texts.
extension BodyFields {
    /// Whether the member is there and not null.
    func has(_ field: Parameter) -> Bool {
        members[field.name].map { document.kind($0) != .null } ?? false
    }

    /// Whether the member is there and null.
    func isNull(_ field: Parameter) -> Bool {
        members[field.name].map { document.kind($0) == .null } ?? false
    }

    /// A member that is a text.
    func text(_ field: Parameter) throws(Problem) -> String? {
        guard has(field), let member = members[field.name] else { return nil }
        guard let text = document.string(member) else { throw bad(field, member) }
        return text
    }

    /// A member that is one of its words.
    func word(_ field: Parameter) throws(Problem) -> String? {
        guard let text = try text(field) else { return nil }
        guard case .word(let words) = field.kind, words.contains(text) else { throw bad(field, text) }
        return text
    }

    /// A member that is a text, or a list of texts; nil when it is not there.
    func texts(_ field: Parameter) throws(Problem) -> [String]? {
        guard has(field), let member = members[field.name] else { return nil }
        var texts: [String] = []
        for element in document.kind(member) == .array ? document.children(of: member) : [member] {
            guard let text = document.string(element), !text.isEmpty else { throw bad(field, element) }
            texts.append(text)
        }
        return texts
    }

    /// A member that is true or false.
    func boolean(_ field: Parameter) throws(Problem) -> Bool? {
        guard has(field), let member = members[field.name] else { return nil }
        guard let value = document.boolean(member) else { throw bad(field, member) }
        return value
    }

    /// A member that is a whole number in its range.
    func integer(_ field: Parameter) throws(Problem) -> Int? {
        guard has(field), let member = members[field.name], case .integer(let range) = field.kind else { return nil }
        guard let number = document.integer(member), let value = Int(exactly: number), range.contains(value) else {
            throw bad(field, member)
        }
        return value
    }

    /// Milliseconds of a member that is a duration, with or without a sign: "61m", "-2h", or a number of milliseconds.
    func difference(_ field: Parameter) throws(Problem) -> Int64? {
        guard has(field), let member = members[field.name] else { return nil }
        let written = document.string(member) ?? document.integer(member).map { String($0) }
        guard let written, let value = ClockSetting.difference(written) else { throw bad(field, member) }
        return value
    }

    /// A member that is a text or a whole number, as text.
    func written(_ field: Parameter) throws(Problem) -> String? {
        guard has(field), let member = members[field.name] else { return nil }
        if let text = document.string(member) { return text }
        guard let number = document.integer(member) else { throw bad(field, member) }
        return String(number)
    }

    /// A member that is a matcher object.
    func matcher(_ field: Parameter, now: Int64) throws(Problem) -> Matcher? {
        guard has(field), let member = members[field.name] else { return nil }
        return try matcher(member, path: field.name, now: now)
    }

    /// The matcher that an object of the body describes; `path` is where it stands.
    func matcher(_ element: JSONElement, path: String, now: Int64) throws(Problem) -> Matcher {
        do throws(MatcherError) {
            return try Matcher(document, element, path: path, now: now)
        } catch {
            throw Problem(
                .badBody, error.message + ".", hint: error.suggestion.map { "Did you mean \(quoted($0))?" })
        }
    }

    /// The refusal of a member's value, with what it takes.
    func bad(_ field: Parameter, _ value: String) -> Problem {
        var hint: String?
        if case .word(let words) = field.kind {
            hint = NearestName.of(value, among: words).map { "Did you mean \(quoted($0))?" }
        }
        return Problem(
            .badBody, "The member \(quoted(field.name)) holds \(quoted(value)); expected \(field.expected).", hint: hint
        )
    }

    func bad(_ field: Parameter, _ element: JSONElement) -> Problem {
        if let text = document.string(element) { return bad(field, text) }
        return Problem(
            .badBody,
            "The member \(quoted(field.name)) holds \(document.written(element, limit: 80)); expected \(field.expected)."
        )
    }
}

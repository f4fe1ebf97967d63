import Simulation

/// The query of a request, checked against the parameters of its route.
package struct Query: Sendable {
    /// One `name=value`; the value still percent-encoded, because only there `,` and `%2C` differ.
    private struct Item: Sendable {
        var name: String
        var value: Substring
    }

    /// The beginnings of names that lead into the payload or name a header field.
    package static let openPrefixes = ["aps.", "payload.", "header."]

    private let parameters: [Parameter]
    private var items: [Item] = []

    /// Reads a query; refuses names that the route does not know, and repetition where it has no meaning.
    package init(_ text: String, of route: AdminRoute) throws(Problem) {
        parameters = route.parameters
        for piece in text.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentText.decode(halves[0], plusIsSpace: true) else {
                throw Problem(.badValue, "The name \(quoted(halves[0])) in the query is not percent-encoded UTF-8.")
            }
            if name == ContentPreference.parameter, try Self.asksForForm(halves, route) { continue }
            let isPath = route.takesPaths && Self.openPrefixes.contains { name.hasPrefix($0) }
            var parameter = parameters.first { $0.name == name }
            if name.last == Matcher.negation {
                parameter = parameters.first { $0.name == Self.base(of: name) && $0.isNegatable }
            }
            guard isPath || parameter != nil else { throw Self.unknown(name, on: route) }
            if let parameter, !parameter.isRepeatable, items.contains(where: { $0.name == name }) {
                throw Problem(.badValue, "The parameter \(quoted(name)) is given twice; it takes one value.")
            }
            items.append(Item(name: name, value: halves.count == 2 ? halves[1] : ""))
        }
    }

    /// The name of a filter without what turns it round.
    package static func base(of name: String) -> String {
        name.last == Matcher.negation ? String(name.dropLast()) : name
    }

    /// Whether this is the parameter for text or JSON that every route takes; a route with a parameter of this name has more
    /// values of its own.
    private static func asksForForm(_ halves: [Substring], _ route: AdminRoute) throws(Problem) -> Bool {
        let own = route.parameters.first { $0.name == ContentPreference.parameter }
        let value = halves.count == 2 ? PercentText.decode(halves[1], plusIsSpace: true) ?? "" : ""
        if ContentPreference.formats[value] != nil {
            if case .word(let words)? = own?.kind, words.contains(value) { return false }
            return true
        }
        guard own == nil else { return false }
        let words = ContentPreference.formats.keys.sorted()
        throw Problem(
            .badValue,
            "The parameter \(quoted(ContentPreference.parameter)) has the value \(quoted(value)); expected one of "
                + "\(words.joined(separator: ", ")).", hint: suggestion(value, among: words))
    }

    /// Whether the parameter is given.
    package func has(_ name: String) -> Bool {
        items.contains { $0.name == name }
    }

    /// The names given, each once, in the order of the query.
    package var names: [String] {
        var names: [String] = []
        for item in items where !names.contains(item.name) { names.append(item.name) }
        return names
    }

    /// The one value of a parameter, decoded.
    package func text(_ name: String) throws(Problem) -> String? {
        guard let item = items.first(where: { $0.name == name }) else { return nil }
        let value = try decoded(item.value, of: name)
        if value.isEmpty { throw bad(name, "") }
        return value
    }

    /// The values of a parameter: those of each occurrence, split at commas.
    ///
    /// A comma that stands as `%2C` is part of the value in payload paths and texts that may hold one; elsewhere it
    /// separates too, because many client libraries write every comma so.
    package func values(_ name: String) throws(Problem) -> [String] {
        let parameter = parameters.first { $0.name == Self.base(of: name) }
        let kind = parameter?.kind ?? .pattern(takesCommas: true)
        var values: [String] = []
        for item in items where item.name == name {
            for piece in item.value.split(separator: ",", omittingEmptySubsequences: false) {
                let value = try decoded(piece, of: name)
                if kind == .pattern(takesCommas: true) {
                    values.append(value)
                } else {
                    values += value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                }
            }
        }
        // An empty value alone asks for an empty text; whether a field can have one is known where it is read.
        if values.contains(""), values.count > 1 || parameter?.isNegatable == false { throw bad(name, "") }
        if case .words(let words) = kind {
            for value in values where !words.contains(value) { throw bad(name, value) }
        }
        return values
    }

    /// A whole number within the parameter's range.
    package func integer(_ name: String) throws(Problem) -> Int? {
        guard let value = try text(name) else { return nil }
        guard case .integer(let range) = kind(of: name), let number = Int(value), range.contains(number) else {
            throw bad(name, value)
        }
        return number
    }

    /// A duration in milliseconds, within the parameter's maximum.
    package func duration(_ name: String) throws(Problem) -> Int64? {
        guard let value = try text(name) else { return nil }
        guard case .duration(let maximum) = kind(of: name), let duration = DurationText.milliseconds(value),
            duration <= maximum
        else { throw bad(name, value) }
        return duration
    }

    /// One of the parameter's words.
    package func word(_ name: String) throws(Problem) -> String? {
        guard let value = try text(name) else { return nil }
        guard case .word(let words) = kind(of: name), words.contains(value) else { throw bad(name, value) }
        return value
    }

    /// The refusal of a value, with what the parameter takes.
    package func bad(_ name: String, _ value: String, hint: String? = nil) -> Problem {
        let parameter = parameters.first { $0.name == Self.base(of: name) }
        let expected = parameter?.expected ?? "text, exact or a glob with `*`"
        var hint = hint
        if case .word(let words)? = parameter?.kind { hint = hint ?? Self.suggestion(value, among: words) }
        if case .words(let words)? = parameter?.kind { hint = hint ?? Self.suggestion(value, among: words) }
        let problem =
            value.isEmpty
            ? "The parameter \(quoted(name)) is empty; expected \(expected)."
            : "The parameter \(quoted(name)) has the value \(quoted(value)); expected \(expected)."
        return Problem(
            .badValue, problem, hint: hint ?? (value.isEmpty ? "Leave the parameter out to not filter by it." : nil))
    }

    private func kind(of name: String) -> Parameter.Kind? {
        parameters.first { $0.name == name }?.kind
    }

    private func decoded(_ text: Substring, of name: String) throws(Problem) -> String {
        guard let value = PercentText.decode(text, plusIsSpace: true) else {
            throw Problem(
                .badValue, "The value \(quoted(text)) of the parameter \(quoted(name)) is not percent-encoded UTF-8.")
        }
        return value
    }

    private static func suggestion(_ value: String, among words: [String]) -> String? {
        NearestName.of(value, among: words).map { "Did you mean \(quoted($0))?" }
    }

    private static func unknown(_ name: String, on route: AdminRoute) -> Problem {
        var problem = Problem(
            .unknownParameter, "\(quoted(name)) is not a parameter of \(route.method.rawValue) \(route.pattern).")
        problem.hint = nearest(name, on: route).map { "Did you mean \(quoted($0))?" } ?? known(on: route)
        return problem
    }

    private static func nearest(_ name: String, on route: AdminRoute) -> String? {
        if let near = NearestName.of(name, among: route.parameters.map(\.name)) { return near }
        guard route.takesPaths else { return nil }
        if let filter = Matcher.filterName(ofMember: name) { return filter }
        let root = name.prefix { $0 != "." }
        guard root.count < name.count else { return nil }
        return NearestName.of(String(root), among: ["aps", "payload", "header"]).map { $0 + name.dropFirst(root.count) }
    }

    private static func known(on route: AdminRoute) -> String {
        if route.parameters.isEmpty { return "This route takes no parameters." }
        let paths = route.takesPaths ? ", and aps.…, payload.…, header.…" : ""
        return "It knows " + route.parameters.map(\.name).joined(separator: ", ") + paths + "."
    }
}

import Simulation

/// The part of docs/admin-api.md that is made from the route table.
///
/// A test compares the file with this text; run it with `MOCK_APNS_WRITE_DOCS=1` to write the file anew.
package enum ReferencePage {
    /// The lines between which the generated part stands.
    package static let marks = (
        begin: "<!-- routes: made from the route table, do not edit -->", end: "<!-- routes: end -->"
    )

    /// The generated part.
    package static func markdown(_ table: RouteTable) -> String {
        var parts = [filters, matchers, problems]
        for group in AdminRoute.Group.allCases {
            let routes = table.routes.filter { $0.group == group }
            if routes.isEmpty { continue }
            parts.append("## \(group.rawValue)")
            parts += routes.map(chapter)
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The text with the generated part between its marks replaced; nil when the marks are not there.
    package static func replacing(in text: String, with table: RouteTable) -> String? {
        guard let begin = text.firstRange(of: marks.begin), let end = text.firstRange(of: marks.end),
            begin.upperBound <= end.lowerBound
        else { return nil }
        return text[..<begin.upperBound] + "\n\n" + markdown(table) + "\n" + text[end.lowerBound...]
    }

    private static var filters: String {
        let paths = [
            "| `aps.…` | text, exact or a glob with `*` | A value of the payload's `aps` by its path. | `aps.alert.title=Shipped*` |",
            "| `payload.…` | the same | A value of the payload by its path from the root; numbers are places in arrays. | `payload.items.0.sku=A*` |",
            "| `header.…` | the same | A header field of the request. | `header.user-agent=*aioapns*` |",
        ]
        return """
            ## Filters

            All that are given must hold. Commas or repetition mean OR. These are known wherever a route says *filters*:

            | name | value | meaning | example |
            | --- | --- | --- | --- |
            \((FilterParameters.all.map(filterRow) + paths).joined(separator: "\n"))

            In `q`, keys are the names of this table and of members of the payload, and \(searchKeys). `is:` takes an \
            outcome or `silent`; `has:` takes \(Matcher.searchedParts.joined(separator: ", ")); `finding:` a code, \
            `larger:` and `smaller:` a size in bytes or `3k`.
            """
    }

    private static var matchers: String {
        let rows = MatchOperator.allCases.map { "| `\($0.rawValue)` | \($0.operand) | \($0.meaning) |" }
        return """
            ## Matcher objects

            A matcher is a JSON object whose members must all hold. Their names are those of the filters, `pushType` and \
            `environment` as in entries, and `aps.…`, `payload.…`, `header.…`. A bare text is exact or a glob with `*`; a \
            bare number, `true` or `false` is exact; `null` means that there is no value; an array means one of its \
            values. An object holds operators, all of which must hold:

            | operator | operand | meaning |
            | --- | --- | --- |
            \(rows.joined(separator: "\n"))

            Beside fields, `not` takes a matcher that must not hold, and `anyOf` an array of matchers of which one must. \
            They may lie \(Matcher.depthLimit) deep; a matcher has at most \(Matcher.conditionLimit) conditions.

            ```json
            {"topic": "com.acme.*", "pushType": ["alert", "background"], "priority": 10, "aps.badge": {"gt": 0, "lt": 100}, \
            "payload.orderId": {"regex": "^4"}, "header.apns-collapse-id": {"exists": true}, \
            "not": {"aps.alert.title": "Test*"}, "anyOf": [{"env": "sandbox"}, {"keyId": "ABC123DEFG"}]}
            ```
            """
    }

    private static var searchKeys: String {
        Matcher.searchKeys.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func filterRow(_ parameter: Parameter) -> String {
        "| `\(parameter.name)` | \(parameter.expected) | \(parameter.summary) "
            + "| `\(parameter.name)=\(parameter.example)` |"
    }

    private static var problems: String {
        let rows = ProblemKind.all.map { "| \($0.status) | `urn:mock-apns:\($0.name)` | \($0.title) |" }
        return """
            ## Refusals

            | status | `type` | meaning |
            | --- | --- | --- |
            \(rows.joined(separator: "\n"))
            """
    }

    private static func chapter(_ route: AdminRoute) -> String {
        var parts = ["### `\(route.method.rawValue) \(route.pattern)`", route.summary]
        if !route.details.isEmpty { parts.append(route.details) }
        parts += parameters(route)
        if let body = route.body, !body.isEmpty {
            parts.append(table("member of the body", body))
        }
        let answers = route.answers.sorted { $0.status < $1.status }.map { answer in
            "| \(answer.status) | \(answer.type.map { "`\($0.short)`" } ?? "") | \(answer.meaning) |"
        }
        parts.append("| status | body | meaning |\n| --- | --- | --- |\n" + answers.joined(separator: "\n"))
        if !route.examples.isEmpty {
            parts.append("```sh\n" + route.examples.map { curl($0, route) }.joined(separator: "\n\n") + "\n```")
        }
        return parts.joined(separator: "\n\n")
    }

    private static func parameters(_ route: AdminRoute) -> [String] {
        let isFilter = { (parameter: Parameter) in FilterParameters.all.contains { $0.name == parameter.name } }
        let own = route.parameters.filter { !isFilter($0) }
        var parts: [String] = []
        if route.parameters.contains(where: isFilter) {
            parts.append("Takes all [filters](#filters)\(own.isEmpty ? "." : ", and:")")
        }
        if !own.isEmpty { parts.append(table("parameter", own)) }
        return parts
    }

    private static func table(_ title: String, _ parameters: [Parameter]) -> String {
        let rows = parameters.map { parameter in
            let standard = parameter.standard.map { " Default: \($0)." } ?? ""
            return "| `\(parameter.name)` | \(parameter.expected) | \(parameter.summary)\(standard) "
                + "| `\(parameter.name)=\(parameter.example)` |"
        }
        return "| \(title) | value | meaning | example |\n| --- | --- | --- | --- |\n" + rows.joined(separator: "\n")
    }

    private static func curl(_ example: AdminRoute.Example, _ route: AdminRoute) -> String {
        // What has no end is shown as it comes (-N); `--json` would need a curl of 7.82, and Ubuntu 22.04 has 7.81.
        var words = [example.target.contains("/v1/events") ? "curl -sSN" : "curl -sS"]
        if route.method != .get { words.append("-X \(route.method.rawValue)") }
        if let accept = example.accept { words.append("-H 'accept: \(accept)'") }
        if let body = example.body { words.append("-H 'content-type: application/json' -d '\(body)'") }
        words.append("\"$MOCK_APNS_ADMIN\(example.target)\"")
        return "# \(example.title)\n" + words.joined(separator: " ")
    }
}

/// The path of a route, such as `/v1/requests/{id}/raw`.
package struct PathPattern: Sendable, CustomStringConvertible {
    private enum Part: Sendable {
        case literal(String)
        case capture(String)
    }

    /// The pattern as written.
    package let description: String
    private let parts: [Part]

    /// Reads a pattern; a segment in braces takes any text.
    package init(_ text: String) {
        description = text
        parts = text.split(separator: "/").map { segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? .capture(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
    }

    /// The names in braces.
    package var captures: [String] {
        parts.compactMap { part in
            if case .capture(let name) = part { name } else { nil }
        }
    }

    /// The captured texts when the path is of this form, nil when it is not.
    package func match(_ segments: [String]) -> [String: String]? {
        guard segments.count == parts.count else { return nil }
        var captures: [String: String] = [:]
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .literal(let text):
                if text != segment { return nil }
            case .capture(let name):
                if segment.isEmpty { return nil }
                captures[name] = segment
            }
        }
        return captures
    }

    /// The segments of a path, decoded; nil when an escape is broken. One slash at the end does not count.
    package static func segments(_ path: String) -> [String]? {
        var pieces = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if pieces.last?.isEmpty == true { pieces.removeLast() }
        var segments: [String] = []
        for piece in pieces {
            guard let segment = PercentText.decode(piece) else { return nil }
            segments.append(segment)
        }
        return segments
    }
}

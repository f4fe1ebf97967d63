/// The path of a route, such as `/v1/requests/{id}/raw`.
package struct PathPattern: Sendable, CustomStringConvertible {
    private enum Part: Sendable {
        case literal(String)
        /// Any text before an ending, which may be empty.
        case capture(String, ending: String)
    }

    /// The pattern as written.
    package let description: String
    private let parts: [Part]

    /// Reads a pattern; a segment in braces takes any text, and what stands behind the braces must be its ending.
    package init(_ text: String) {
        description = text
        parts = text.split(separator: "/").map { segment in
            guard segment.hasPrefix("{"), let end = segment.firstIndex(of: "}") else {
                return .literal(String(segment))
            }
            return .capture(
                String(segment[..<end].dropFirst()), ending: String(segment[segment.index(after: end)...]))
        }
    }

    /// The names in braces.
    package var captures: [String] {
        parts.compactMap { part in
            if case .capture(let name, _) = part { name } else { nil }
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
            case .capture(let name, let ending):
                guard segment.count > ending.count, segment.hasSuffix(ending) else { return nil }
                captures[name] = String(segment.dropLast(ending.count))
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

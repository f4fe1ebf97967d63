/// Which form of an answer a guest wants to read: JSON for programs, text for terminals, HTML for browsers.
package enum ContentPreference: Sendable, Equatable {
    case json, text, html

    /// The parameter that every route knows, for guests whose library makes a header field hard to send.
    package static let parameter = "format"

    /// What `format=text` or `format=json` in a query asks for, or else the `Accept` field.
    package init(accept: String?, query: some StringProtocol) {
        for piece in query.split(separator: "&") {
            let halves = piece.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0] == Self.parameter, let form = Self.formats[String(halves[1])] else {
                continue
            }
            self = form
            return
        }
        self.init(accept: accept)
    }

    /// The values of ``parameter`` that are known everywhere.
    package static let formats: [String: ContentPreference] = ["text": .text, "json": .json]

    /// Reads an `Accept` field; what is not there or says anything goes is JSON.
    package init(accept: String?) {
        var best: (preference: ContentPreference, quality: Double) = (.json, 0)
        for part in (accept ?? "").split(separator: ",") {
            let pieces = part.split(separator: ";").map(\.trimmed)
            guard let type = pieces.first, let preference = Self.types[type.lowercased()] else { continue }
            let quality =
                pieces.dropFirst().first { $0.lowercased().hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) } ?? 1
            if quality > best.quality { best = (preference, quality) }
        }
        self = best.preference
    }

    private static let types: [String: ContentPreference] = [
        "application/json": .json, "application/problem+json": .json, "*/*": .json, "application/*": .json,
        "text/plain": .text, "text/*": .text, "text/html": .html, "application/xhtml+xml": .html,
    ]
}

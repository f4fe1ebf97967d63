/// A rule that cannot be understood, or taken: in words for people that name the value, what was expected and the fix.
package struct RuleError: Error, Sendable {
    /// Where in the rule: `then.delay`.
    package let path: String
    package let message: String
    /// The nearest known name.
    package let suggestion: String?

    /// The message with the place of the rule in front, unless it names that itself.
    package func words(at place: String) -> String {
        place.isEmpty || message.hasPrefix(place) ? message : "\(place): \(message)"
    }

    package init(_ path: String, _ message: String, suggestion: String? = nil) {
        self.path = path
        self.message = message
        self.suggestion = suggestion
    }
}

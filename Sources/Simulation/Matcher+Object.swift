package import JSON

/// The matcher object: `{"device": "6f1e*", "aps.badge": {"gt": 0}, "not": {…}, "anyOf": [{…}, {…}]}`.
extension Matcher {
    /// How deep `not` and `anyOf` may lie within each other.
    package static let depthLimit = 8
    /// How many conditions a matcher may have, with those of its parts.
    package static let conditionLimit = 100
    /// The members that hold matchers.
    package static let combinations = ["not", "anyOf"]
    /// How many bytes of a condition are shown.
    static let shownConditionLimit = 120

    /// Reads a matcher object; `path` is where it stands, for messages.
    package init(
        _ document: JSONDocument, _ object: JSONElement, path: String, now: Int64? = nil
    ) throws(MatcherError) {
        var reader = MatcherReader(document, now: now)
        self = try reader.matcher(object, path: path, depth: 0)
    }
}

/// The kind of a value that a condition looks at; the value itself is a run of bytes beside it.
enum MatchValue: Sendable {
    /// There is none.
    case absent
    /// A text; of a JSON string without quotes and escapes.
    case text
    /// JSON of the payload, as it is written.
    case number, boolean, null, structure
}

/// The kind of a value that a condition looks at; the value itself is a run of bytes beside it.
enum MatchValue: Sendable {
    /// There is none.
    case absent
    /// A text of the payload, without quotes and escapes.
    case text
    /// A text that is no JSON, such as a header field; it may be read as a number.
    case plain
    /// JSON of the payload, as it is written.
    case number, boolean, null, structure
}
